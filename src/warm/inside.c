#include "warm/inside.h"

static unsigned words_of(const struct slab *slab) { return size_classes[slab->size_class].words; }
static size_t bitmap_bytes(const struct slab *slab) { return words_of(slab) * sizeof(uint64_t); }

static void set(struct slab *slab, unsigned word, uint64_t inside) {
  _Atomic uint64_t *words = atomic_load_explicit(&slab->inside, memory_order_relaxed);
  atomic_store_explicit(&words[word], inside, memory_order_relaxed);
}

/* Whoever frees a coalesced block was given it after its tag was written. */
static void tell(struct slab *slab) {
  size_t unit = window_unit(slab_start(slab));
  unit_tag tag = unit_tag_at(unit) & ~(unit_tag)UNIT_TAG_COALESCED;
  unit_tag_set(unit, slab->units, slab->insides > 0 ? tag | UNIT_TAG_COALESCED : tag);
}

static void set_count(struct slab *slab, unsigned insides) {
  bool had = slab->insides > 0;
  slab->insides = (uint16_t)insides;
  if (had != (insides > 0)) {
    tell(slab);
  }
}

bool inside_add(struct slab *slab, unsigned word, uint64_t blocks, unsigned count) {
  if (!inside_has_bitmap(slab)) {
    _Atomic uint64_t *words = pool_meta_alloc(bitmap_bytes(slab), sizeof(uint64_t));
    if (words == NULL) {
      return false;
    }
    atomic_store_explicit(&slab->inside, words, memory_order_release);
  }
  INVARIANT((inside_of(slab, word) & blocks) == 0);
  set(slab, word, inside_of(slab, word) | blocks);
  set_count(slab, slab->insides + count);
  return true;
}

void inside_remove(struct slab *slab, unsigned word, uint64_t blocks, unsigned count) {
  INVARIANT((inside_of(slab, word) & blocks) == blocks);
  set(slab, word, inside_of(slab, word) & ~blocks);
  set_count(slab, slab->insides - count);
}

static unsigned counted(const struct slab *slab) {
  unsigned insides = 0;
  for (unsigned word = 0; word < words_of(slab); word++) {
    insides += (unsigned)__builtin_popcountll(inside_of(slab, word));
  }
  return insides;
}

void inside_recount(struct slab *slab) {
  slab->insides = (uint16_t)counted(slab);
  tell(slab);
}

void inside_end(struct slab *slab) {
  _Atomic uint64_t *words = atomic_load_explicit(&slab->inside, memory_order_relaxed);
  atomic_store_explicit(&slab->inside, NULL, memory_order_relaxed);
  meta_free((void *)words, bitmap_bytes(slab));
}

bool inside_is_valid(const struct slab *slab) {
  for (unsigned word = 0; word < words_of(slab); word++) {
    if ((inside_of(slab, word) & (slab->free[word] | 1)) != 0) {
      return false; /* what is free is no inside, and none begins a word */
    }
  }
  return counted(slab) == slab->insides && unit_tag_is_coalesced(unit_tag_of(slab_start(slab))) == (slab->insides > 0);
}
