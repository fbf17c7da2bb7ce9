#include "warm/census.h"

#include "warm/inside.h"

static bool is_of(const struct thread_heap *heap, const void *block, size_t size_class) {
  unit_tag tag = unit_tag_of(block);
  return unit_tag_owner(tag) == heap->link.owner && unit_tag_class(tag) == size_class;
}

static void check_cached(const struct thread_heap *heap, size_t cached_by, const void *block) {
  unit_tag tag = unit_tag_of(block);
  if (unit_tag_owner(tag) != heap->link.owner) {
    return; /* another heap counts it */
  }
  size_t size_class = unit_tag_class(tag);
  struct place place = place_of(block, size_class);
  bool fits = place.index != PLACE_NONE && !inside_holds(place.slab, place.index) &&
              (size_class == cached_by || inside_parts(place.slab, place.index) > 1);
  if (!fits || atomic_load(&place.slab->heap) != heap || place.slab->size_class != size_class) {
    fatal("census: pointer %p in a magazine is no block of its heap and class", block);
  }
  if ((place.slab->free[place.index / 64] >> place.index % 64 & 1) != 0) {
    fatal("census: pointer %p is in a magazine and free in its slab", block);
  }
}

/* Of a magazine of the class `cached_by`, the blocks of slabs of a class. */
static size_t census_magazine(const struct thread_heap *heap, size_t size_class, size_t cached_by, void **top) {
  size_t blocks = 0;
  for (; *top != NULL; top--) {
    check_cached(heap, cached_by, *top);
    blocks += is_of(heap, *top, size_class);
  }
  return blocks;
}

static void census_slab(struct heap_census *census, const struct slab *slab, bool *coalesced) {
  if (!slab_is_valid(slab) || slab->listed != (slab_recycled(slab) > 0)) {
    fatal("census: slab %p is not valid", (void *)slab_start(slab));
  }
  census->capacity += size_classes[slab->size_class].capacity - (size_t)slab->insides;
  *coalesced |= slab->insides > 0;
  census->free += slab->free_count;
  for (unsigned word = 0; word < size_classes[slab->size_class].words; word++) {
    uint64_t remote = atomic_load(&slab->remote[word]);
    if ((remote & slab->free[word]) != 0) {
      fatal("census: slab %p has blocks that are free twice", (void *)slab_start(slab));
    }
    census->remote += (size_t)__builtin_popcountll(remote);
  }
}

static void census_caches(struct heap_census *census, const struct thread_heap *heap, size_t size_class,
                          size_t cached_by) {
  if (heap->cache != NULL && heap->cache->heap == heap) {
    census->cached += census_magazine(heap, size_class, cached_by, heap->cache->top[cached_by]);
  }
  for (void **magazine = heap->depot.full[cached_by]; magazine != NULL; magazine = magazine[0]) {
    void *link = magazine[0];
    magazine[0] = NULL;
    census->depot += census_magazine(heap, size_class, cached_by, &magazine[MAGAZINE_SLOTS - 1]);
    magazine[0] = link;
  }
}

struct heap_census heap_census(struct thread_heap *heap, size_t size_class) {
  struct heap_census census = {0};
  bool coalesced = false;
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    for (size_t i = 0; i < SUPERSLAB_UNITS; i++) {
      if (is_of(heap, superslab->start + i * UNIT_BYTES, size_class) && superslab->head[i] == i) {
        census_slab(&census, &superslab->slab[i], &coalesced);
      }
    }
  }
  census_caches(&census, heap, size_class, size_class);
  for (size_t larger = size_class + 1; coalesced && larger < SIZE_CLASS_COUNT; larger++) {
    census_caches(&census, heap, size_class, larger);
  }
  return census;
}

#if HAKMEM_VALIDATE
void heap_check(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census census = heap_census(heap, size_class);
    INVARIANT(census.free + census.remote + census.cached + census.depot <= census.capacity);
  }
}
#endif
