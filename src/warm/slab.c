#include "warm/slab.h"

#include <string.h>

#include "events/events.h"
#include "warm/holes.h"
#include "warm/inside.h"

enum { LINE_BYTES = 64, WORD_BITS = 64 };

/* Both bitmaps in one piece, each on cache lines of its own. */
static size_t bitmap_bytes(size_t size_class) {
  return ((size_t)size_classes[size_class].words * sizeof(uint64_t) + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
}

static size_t fresh_bytes(const struct slab *slab, size_t size_class) {
  return (size_t)(size_classes[size_class].capacity - slab->carved) * size_classes[size_class].stride;
}

size_t slab_fresh_bytes(const struct slab *slab) { return fresh_bytes(slab, slab->size_class); }

/* Bytes from the slab's start that may be resident when so much of it is carved: what was dirty when it was bound, at
 * least. */
static inline size_t reach(const struct slab *slab, size_t carved_bytes, size_t page_mask) {
  size_t bytes = (carved_bytes + page_mask) & ~page_mask;
  size_t dirty = (size_t)slab->dirty * UNIT_BYTES;
  return bytes > dirty ? bytes : dirty;
}

static size_t page_mask(void) { return os_page_size() - 1; }

static size_t carved_bytes(const struct slab *slab) {
  return (size_t)slab->carved * size_classes[slab->size_class].stride;
}

size_t slab_reach_bytes(const struct slab *slab) { return reach(slab, carved_bytes(slab), page_mask()); }
size_t slab_counted_bytes(const struct slab *slab) { return slab_reach_bytes(slab) - holes_bytes(slab); }

void slab_carve_all(struct slab *slab) {
  unsigned capacity = size_classes[slab->size_class].capacity;
  size_t from = reach(slab, carved_bytes(slab), page_mask());
  size_t to = reach(slab, (size_t)capacity * size_classes[slab->size_class].stride, page_mask());
  residency_fresh_used(fresh_bytes(slab, slab->size_class), slab->units);
  holes_leave(slab, from, to);
  atomic_signal_fence(memory_order_seq_cst); /* carved, and not resident: for a child of fork() */
  slab->carved = (uint16_t)capacity;
}

bool slab_bind(struct slab *slab, size_t size_class, struct thread_heap *heap, uint32_t owner) {
  const struct size_class *shape = &size_classes[size_class];
  size_t bytes = bitmap_bytes(size_class);
  char *bitmaps = hook_slab(slab, size_class) ? pool_meta_alloc(2 * bytes, LINE_BYTES) : NULL;
  if (bitmaps == NULL) {
    return false;
  }
  slab->free = (uint64_t *)(void *)bitmaps;
  slab->remote = (_Atomic uint64_t *)(void *)(bitmaps + bytes);
  memset(slab->free, 0xFF, shape->capacity / 8U);
  if (shape->capacity % WORD_BITS != 0) {
    slab->free[shape->words - 1] = (UINT64_C(1) << shape->capacity % WORD_BITS) - 1;
  }
  slab->free_count = shape->capacity;
  slab->first_word = 0;
  size_t dirty = (size_t)slab->dirty * UNIT_BYTES;
  size_t used = (dirty + shape->stride - 1) / shape->stride;
  slab->carved = used > shape->capacity ? shape->capacity : (uint16_t)used;
  residency_fresh(fresh_bytes(slab, size_class), shape->units);
  if (shape->units == 1) {
    residency_unit_bound();
  }
  slab->size_class = (uint8_t)size_class;
  slab->listed = false;
  slab->insides = 0;
  slab->trimmed = 0;
  slab->has_holes = false;
  slab->kept = false;
  holes_leave(slab, dirty, slab_reach_bytes(slab)); /* where a block lies across the end of what is dirty */
  atomic_signal_fence(memory_order_seq_cst);        /* whole before it has a tag, for a child of fork() too */
  unit_tag_set(window_unit(slab_start(slab)), slab->units, unit_tag_for(owner, size_class));
  atomic_store(&slab->heap, heap);
  atomic_store(&slab->token, 0);
  return true;
}

/* Its units are dirty as far as it is carved, or was dirty before, and count whole. Where there is no room for that
 * they go back at once. */
static void count_unbound(struct slab *slab, size_t holes) {
  size_t counted = slab_reach_bytes(slab) - holes;
  size_t bytes = reach(slab, carved_bytes(slab), UNIT_BYTES - 1);
  residency_holes_closed(holes);
  slab->has_holes = false;
  slab->dirty = (uint8_t)(bytes >> UNIT_SHIFT);
  if (!limit_charge(bytes - counted)) {
    if (os_purge(slab_start(slab), bytes)) {
      slab->dirty = 0;
      limit_uncharge(counted);
    } else {
      limit_charge_anyway(bytes - counted);
    }
  }
}

void slab_unbind(struct slab *slab) {
  INVARIANT(slab_is_empty(slab) && slab_is_valid(slab) && !slab->listed);
  INVARIANT(atomic_load(&slab->token) == 1);
  hook_slab_ends(slab);
  unit_tag_set(window_unit(slab_start(slab)), slab->units, UNIT_TAG_NONE);
  residency_fresh_used(fresh_bytes(slab, slab->size_class), slab->units);
  if (slab->units == 1) {
    residency_unit_unbound();
  } else {
    density_left(&density_wide, slab_start(slab));
  }
  count_unbound(slab, holes_bytes(slab));
  if (unlikely(inside_has_bitmap(slab))) {
    inside_end(slab);
  }
  meta_free(slab->free, 2 * bitmap_bytes(slab->size_class));
  slab->free = NULL;
}

static unsigned take_in_order(struct slab *slab, void **slot, unsigned want) {
  size_t stride = size_classes[slab->size_class].stride;
  char *start = slab_start(slab);
  unsigned last_word = slab->carved / WORD_BITS; /* the one in which fresh memory begins */
  uint64_t fresh = ~UINT64_C(0) << slab->carved % WORD_BITS;
  unsigned left = want;
  unsigned word = slab->first_word;
  while (left > 0) {
    uint64_t bits = slab->free[word];
    uint64_t kept = word == last_word ? bits & fresh : 0;
    char *word_start = start + (size_t)word * WORD_BITS * stride;
    for (bits &= ~kept; bits != 0 && left > 0; bits &= bits - 1, left--) {
      *slot-- = word_start + (size_t)(unsigned)__builtin_ctzll(bits) * stride;
    }
    slab->free[word] = bits | kept;
    word += bits == 0 && left > 0;
  }
  slab->first_word = (uint16_t)word;
  slab->free_count -= want;
  return want;
}

unsigned slab_take(struct slab *slab, void **slot, unsigned want) {
  unsigned recycled = slab_recycled(slab);
  want = recycled < want ? recycled : want;
  if (likely(!slab->has_holes)) {
    return take_in_order(slab, slot, want);
  }
  return holes_take(slab, slot, want);
}

/* False: the limit. */
static inline bool count_carving(const struct slab *slab, size_t from, size_t to, size_t mask) {
  return limit_charge(reach(slab, to, mask) - reach(slab, from, mask));
}

unsigned slab_carve(struct slab *slab, void **slot, unsigned want) {
  const struct size_class *shape = &size_classes[slab->size_class];
  INVARIANT(slab_recycled(slab) == 0 && !slab_is_carved(slab));
  size_t from = (size_t)slab->carved * shape->stride;
  size_t mask = page_mask();
  size_t page_end = (from | mask) + 1;
  unsigned in_page = (unsigned)((page_end - from + shape->stride - 1) / shape->stride);
  unsigned least = hook_carve_least(shape->stride);
  unsigned left = shape->capacity - slab->carved;
  in_page = in_page < least ? least : in_page;
  left = in_page < left ? in_page : left;
  left = want < left ? want : left;
  if (unlikely(!count_carving(slab, from, from + (size_t)left * shape->stride, mask))) {
    left = 1;
    if (!count_carving(slab, from, from + (size_t)left * shape->stride, mask)) {
      return 0;
    }
  }
  slab->carved = (uint16_t)(slab->carved + left);
  atomic_signal_fence(memory_order_seq_cst); /* before a block is handed out: it can be trusted in a child of fork() */
  residency_fresh_used((size_t)left * shape->stride, shape->units);
  hook_fresh(slab_start(slab) + from, (size_t)left * shape->stride, shape->stride);
  return slab_take(slab, slot, left);
}

static bool is_free(const struct slab *slab, unsigned index) {
  return (slab->free[index / WORD_BITS] >> index % WORD_BITS & 1) != 0;
}

unsigned slab_live_count(const struct slab *slab, size_t size_class) {
  const struct size_class *shape = &size_classes[size_class];
  unsigned free_blocks = *(const volatile uint32_t *)&slab->free_count;
  for (unsigned word = 0; word < shape->words; word++) {
    uint64_t posted = atomic_load_explicit(&slab->remote[word], memory_order_relaxed);
    free_blocks += (unsigned)__builtin_popcountll(inside_with(posted, inside_of(slab, word)));
  }
  return free_blocks < shape->capacity ? shape->capacity - free_blocks : 0;
}

static size_t take_up_to(size_t *left, size_t bytes) {
  size_t taken = bytes < *left ? bytes : *left;
  *left -= taken;
  return taken;
}

struct slab_use slab_use(const struct slab *slab, size_t size_class) {
  const struct size_class *shape = &size_classes[size_class];
  size_t blocks = (size_t)shape->capacity * shape->stride;
  struct slab_use use = {.bound = (size_t)shape->units * UNIT_BYTES};
  use.rest = use.bound - blocks;
  use.live = take_up_to(&blocks, (size_t)slab_live_count(slab, size_class) * shape->stride);
  use.fresh = take_up_to(&blocks, fresh_bytes(slab, size_class)); /* the owner may change the slab meanwhile */
  use.holes = take_up_to(&blocks, holes_bytes(slab));
  use.free = blocks;
  return use;
}

void each_bound_slab(void (*visit)(struct slab *slab, unit_tag tag, void *context), void *context) {
  struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    for (size_t unit = 0; unit < SUPERSLAB_UNITS; unit++) {
      unit_tag tag = unit_tag_at(window_unit(superslab->start) + unit);
      if (unit_tag_owner(tag) != 0 && superslab->head[unit] == unit) {
        visit(&superslab->slab[unit], tag, context);
      }
    }
  }
}

bool slab_is_valid(const struct slab *slab) {
  const struct size_class *shape = &size_classes[slab->size_class];
  unsigned free_bits = 0;
  for (unsigned word = 0; word < shape->words; word++) {
    uint64_t bits = slab->free[word];
    uint64_t outside =
        word == shape->words - 1U && shape->capacity % WORD_BITS != 0 ? ~UINT64_C(0) << shape->capacity % WORD_BITS : 0;
    if ((bits & outside) != 0 || (word < slab->first_word && bits != 0)) {
      return false;
    }
    free_bits += (unsigned)__builtin_popcountll(bits);
  }
  for (unsigned index = slab->carved; index < shape->capacity; index++) {
    if (!is_free(slab, index)) {
      return false;
    }
  }
  return free_bits == slab->free_count && slab->size_class < SIZE_CLASS_COUNT && slab->units == shape->units &&
         inside_is_valid(slab);
}
