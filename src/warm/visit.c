#include "warm/visit.h"

#include <errno.h>

#include "warm/cached.h"
#include "warm/inside.h"

/* Every block begins at a multiple of it. */
enum { GRAIN = 8, BITS_OF_SUPERSLAB = SUPERSLAB_BYTES / GRAIN };

_Static_assert(BITS_OF_SUPERSLAB / 8 * (size_t)64 == SUPERSLAB_BYTES, "a 64th, as visit.h says");

struct huge_block {
  char *start;
  size_t bytes;
};

/* All in one mapping. */
struct set {
  void *mapping;
  size_t bytes, counted;
  long process;      /* that counts it: its child counts anew */
  size_t first, end; /* superslabs, as indices of the window */
  uint64_t *free;    /* bit i: what begins GRAIN * i behind the first superslab is free */
  unit_tag *tags;    /* of the units, when their bitmaps were read */
  struct huge_block *huge;
  size_t huge_count, huge_most;
};

/* ---- the set ---- */

static size_t grain_of(const struct set *set, const void *block) {
  return ((uintptr_t)block - window_base - (set->first << SUPERSLAB_SHIFT)) / GRAIN;
}

static bool holds(const struct set *set, const void *block) {
  return window_unit(block) / SUPERSLAB_UNITS - set->first < set->end - set->first;
}

static void set_free(struct set *set, const void *block) {
  size_t grain = grain_of(set, block);
  set->free[grain / 64] |= UINT64_C(1) << grain % 64;
}

static bool is_free(const struct set *set, const void *block) {
  size_t grain = grain_of(set, block);
  return (set->free[grain / 64] >> grain % 64 & 1) != 0;
}

static void add_cached(void *block, size_t size_class, void *context) {
  struct set *set = context;
  (void)size_class;
  if (holds(set, block)) {
    set_free(set, block);
  }
}

static void add_magazines(struct set *set) {
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (unsigned i = 0; i < CACHED_TRIES && !each_cached_block(heap_of_link(link), add_cached, set); i++) {
    }
  }
  each_block_cached_by_cpus(add_cached, set);
}

/* Its owner may unbind it meanwhile: then it has no bitmap, and all its blocks are free. */
LOOKS_ON static void add_bitmap(struct slab *slab, unit_tag tag, void *context) {
  struct set *set = context;
  const char *start = slab_start(slab);
  if (!holds(set, start)) {
    return;
  }
  const struct size_class *shape = &size_classes[unit_tag_class(tag)];
  const volatile uint64_t *free = *(uint64_t *const volatile *)&slab->free;
  _Atomic uint64_t *remote = *(_Atomic uint64_t *volatile *)&slab->remote;
  if (free == NULL || remote == NULL || slab->size_class != unit_tag_class(tag)) {
    return;
  }
  for (unsigned word = 0; word < shape->words; word++) {
    for (uint64_t bits = free[word] | atomic_load(&remote[word]) | inside_of(slab, word); bits != 0; bits &= bits - 1) {
      unsigned index = word * 64 + (unsigned)__builtin_ctzll(bits);
      if (index < shape->capacity) {
        set_free(set, start + (size_t)index * shape->stride);
      }
    }
  }
  set->tags[window_unit(start) - set->first * SUPERSLAB_UNITS] = tag;
}

static void add_large(struct set *set) {
  for (size_t unit = set->first * SUPERSLAB_UNITS; unit < set->end * SUPERSLAB_UNITS; unit++) {
    unit_tag tag = unit_tag_at(unit);
    if (tag == UNIT_TAG_LARGE) {
      set->tags[unit - set->first * SUPERSLAB_UNITS] = tag;
    }
  }
}

static void add_huge(struct huge_entry *entry, void *context) {
  struct set *set = context;
  char *block = huge_entry_block(entry);
  if (block != NULL && set->huge_count < set->huge_most) {
    set->huge[set->huge_count++] = (struct huge_block){block, entry->bytes - (size_t)(block - entry->start)};
  }
}

/* Huge blocks that come later find no place in it: they are new. */
static bool make(struct set *set) {
  superslab_range(&set->first, &set->end);
  size_t superslabs = set->end > set->first ? set->end - set->first : 0;
  set->end = set->first + superslabs;
  set->huge_most = huge_live_count();
  size_t grain_bytes = superslabs * (BITS_OF_SUPERSLAB / 8);
  size_t tag_bytes = superslabs * SUPERSLAB_UNITS * sizeof(unit_tag);
  set->bytes = os_page_ceil(grain_bytes + tag_bytes + set->huge_most * sizeof *set->huge + 1);
  set->counted = limit_charge(set->bytes) ? set->bytes : 0;
  set->process = os_process_id();
  set->mapping = set->counted != 0 ? os_map(NULL, set->bytes) : NULL;
  if (set->mapping == NULL) {
    limit_uncharge(set->counted);
    return false;
  }
  os_name(set->mapping, set->bytes, "hakmem visit");
  os_advise_small(set->mapping, set->bytes);
  set->free = set->mapping;
  set->huge = (struct huge_block *)(void *)((char *)set->mapping + grain_bytes);
  set->tags = (unit_tag *)(void *)(set->huge + set->huge_most);
  return true;
}

static void forget(struct set *set) {
  os_unmap(set->mapping, set->bytes);
  limit_uncharge(set->process == os_process_id() ? set->counted : 0);
}

/* ---- the visit ---- */

/* Its slab may have been unbound meanwhile. */
static size_t bytes_of(const void *block, size_t size_class) {
  struct place place = place_of(block, size_class);
  unsigned parts = place.index == PLACE_NONE ? 1 : inside_parts(place.slab, place.index);
  return (size_t)parts * size_classes[size_class].stride;
}

static bool visit_slab(const struct set *set, char *start, size_t size_class, visit_function *visit, void *context) {
  const struct size_class *shape = &size_classes[size_class];
  bool goes_on = true;
  for (unsigned index = 0; goes_on && index < shape->capacity; index++) {
    char *block = start + (size_t)index * shape->stride;
    goes_on = is_free(set, block) || visit(block, bytes_of(block, size_class), (int)size_class, context);
  }
  return goes_on;
}

static size_t large_bytes(size_t unit) {
  size_t units = 1;
  while (units < SUPERSLAB_UNITS && unit + units < window_units && unit_tag_at(unit + units) == UNIT_TAG_INSIDE) {
    units++;
  }
  return units * UNIT_BYTES;
}

/* A unit that has another tag by now belongs to something new. */
static bool visit_unit(const struct set *set, size_t unit, visit_function *visit, void *context) {
  unit_tag tag = set->tags[unit - set->first * SUPERSLAB_UNITS];
  if (tag == UNIT_TAG_NONE || unit_tag_at(unit) != tag) {
    return true;
  }
  char *start = (char *)(window_base + unit * UNIT_BYTES); // NOLINT(performance-no-int-to-ptr)
  return tag == UNIT_TAG_LARGE ? visit(start, large_bytes(unit), VISIT_LARGE, context)
                               : visit_slab(set, start, unit_tag_class(tag), visit, context);
}

struct samples {
  visit_function *visit;
  void *context;
};

static bool visit_sample(void *block, size_t size, void *context) {
  const struct samples *samples = context;
  return samples->visit(block, size, VISIT_HUGE, samples->context);
}

int visit_live(visit_function *visit, void *context) {
  struct set set = {0};
  if (!make(&set)) {
    return ENOMEM;
  }
  add_magazines(&set);
  each_bound_slab(add_bitmap, &set);
  add_large(&set);
  huge_visit(NULL, add_huge, &set);
  add_magazines(&set);
  bool goes_on = true;
  for (size_t unit = set.first * SUPERSLAB_UNITS; goes_on && unit < set.end * SUPERSLAB_UNITS; unit++) {
    goes_on = visit_unit(&set, unit, visit, context);
  }
  for (size_t i = 0; goes_on && i < set.huge_count; i++) {
    goes_on = visit(set.huge[i].start, set.huge[i].bytes, VISIT_HUGE, context);
  }
  if (goes_on) {
    guarded_each(visit_sample, &(struct samples){visit, context});
  }
  forget(&set);
  return 0;
}
