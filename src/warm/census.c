#include "warm/census.h"

static size_t census_magazine(size_t size_class, void **top, const struct thread_heap *heap) {
  size_t blocks = 0;
  for (; *top != NULL; top--, blocks++) {
    struct place place = place_of(*top, size_class);
    if (unit_tag_of(*top) != unit_tag_for(heap->link.owner, size_class)) {
      blocks--; /* its slab has gone to another heap */
      continue;
    }
    if (place.index == PLACE_NONE || atomic_load(&place.slab->heap) != heap || place.slab->size_class != size_class) {
      fatal("census: pointer %p in a magazine is no block of its heap and class", *top);
    }
    if ((place.slab->free[place.index / 64] >> place.index % 64 & 1) != 0) {
      fatal("census: pointer %p is in a magazine and free in its slab", *top);
    }
  }
  return blocks;
}

static void census_slab(struct heap_census *census, const struct slab *slab) {
  if (!slab_is_valid(slab) || slab->listed != (slab_recycled(slab) > 0)) {
    fatal("census: slab %p is not valid", (void *)slab_start(slab));
  }
  census->capacity += size_classes[slab->size_class].capacity;
  census->free += slab->free_count;
  for (unsigned word = 0; word < size_classes[slab->size_class].words; word++) {
    uint64_t remote = atomic_load(&slab->remote[word]);
    if ((remote & slab->free[word]) != 0) {
      fatal("census: slab %p has blocks that are free twice", (void *)slab_start(slab));
    }
    census->remote += (size_t)__builtin_popcountll(remote);
  }
}

struct heap_census heap_census(struct thread_heap *heap, size_t size_class) {
  struct heap_census census = {0};
  unit_tag mine = unit_tag_for(heap->link.owner, size_class);
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    for (size_t i = 0; i < SUPERSLAB_UNITS; i++) {
      if (unit_tag_at(window_unit(superslab->start) + i) == mine && superslab->head[i] == i) {
        census_slab(&census, &superslab->slab[i]);
      }
    }
  }
  if (heap->cache != NULL && heap->cache->heap == heap) {
    census.cached = census_magazine(size_class, heap->cache->top[size_class], heap);
  }
  for (void **magazine = heap->depot.full[size_class]; magazine != NULL; magazine = magazine[0]) {
    void *link = magazine[0];
    magazine[0] = NULL;
    census.depot += census_magazine(size_class, &magazine[MAGAZINE_SLOTS - 1], heap);
    magazine[0] = link;
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
