#include "warm/rebuild.h"

#include <string.h>

#include "os/fatal.h"

/* Calls `visit` for every bound slab, with the tag of its first unit. */
static void each_slab(void (*visit)(struct slab *slab, page_tag tag, struct thread_heap *heap),
                      struct thread_heap *heap) {
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    struct superslab *superslab = superslab_at(index);
    for (size_t unit = 0; superslab != NULL && unit < SUPERSLAB_UNITS; unit++) {
      page_tag tag = page_tag_at(index * SUPERSLAB_UNITS + unit);
      if (tag >> PAGE_TAG_CLASS_BITS != 0 && superslab->head[unit] == unit) {
        visit(&superslab->slab[unit], tag, heap);
      }
    }
  }
}

/* ---- tokens ---- */

enum { TOKEN_FREE = 0, TOKEN_TAKEN, TOKEN_LISTED };

static void mark_listed(struct slab *slab) {
  for (; slab != NULL; slab = slab->queue_next) {
    atomic_store(&slab->published, TOKEN_LISTED);
  }
}

static struct thread_heap *heap_of_owner(uint32_t owner, struct thread_heap *likely_one) {
  if (likely_one != NULL && likely_one->link.owner == owner) {
    return likely_one;
  }
  struct heap_link *link = registry_heaps();
  while (link->owner != owner) {
    link = link->next_heap;
  }
  return heap_of_link(link);
}

/* A token that is taken while its slab is on no list was in the hands of a lost thread: the slab goes to its owner's queue,
 * as if that thread had come to the end of publishing it. */
static void restore_token(struct slab *slab, page_tag tag, struct thread_heap *unused) {
  (void)unused;
  uint32_t token = atomic_load(&slab->published);
  if (token == TOKEN_LISTED) {
    atomic_store(&slab->published, TOKEN_TAKEN);
  } else if (token == TOKEN_TAKEN) {
    /* It may have been on its way from one heap to another: the first unit's tag decides. */
    struct thread_heap *owner = heap_of_owner(tag >> PAGE_TAG_CLASS_BITS, atomic_load(&slab->heap));
    page_tag_set(page_unit(slab_start(slab)), slab->units, tag);
    atomic_store(&slab->heap, owner);
    remote_enqueue(&owner->queue, slab);
  }
}

/* ---- in the child ---- */

/* The memory of a dead thread's TLS may be reused by the next thread: only the magazines' addresses are kept. */
static void park(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    if (heap->cache != NULL) {
      heap->parked_top[size_class] = heap->cache->top[size_class];
    } else if (!heap->parked) {
      heap->parked_top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];
    }
  }
  heap->parked = true;
  heap->cache = NULL;
}

static void forget_published(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->lane[size_class].published = NULL;
  }
  heap->published = 0;
}

void rebuild_after_fork(const struct thread_heap *mine) {
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    if (heap != mine && atomic_load(&heap->busy) != 0) {
      heap->torn = true;
      forget_published(heap);
    }
    mark_listed(atomic_load(&heap->queue.first));
    for (size_t size_class = 0; heap->published != 0 && size_class < SIZE_CLASS_COUNT; size_class++) {
      mark_listed(heap->lane[size_class].published);
    }
  }
  each_slab(restore_token, NULL);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    if (heap != mine && !atomic_load(&link->orphan)) {
      if (heap->cache != NULL || heap->torn) {
        park(heap);
      }
      atomic_store(&heap->busy, 0);
      registry_orphan(link);
    }
  }
}

/* ---- a torn heap ---- */

/* Blocks from behind `bottom` to `top`. Some may have been put back already, or lie there twice. */
static void put_back(const struct thread_heap *heap, size_t size_class, void *const *bottom, void *const *top) {
  page_tag mine = (page_tag)(heap->link.owner << PAGE_TAG_CLASS_BITS | size_class);
  for (void *const *slot = bottom + 1; slot <= top; slot++) {
    if (page_tag_of(*slot) != mine) {
      continue;
    }
    struct place place = place_of(*slot, size_class);
    INVARIANT(place.index != PLACE_NONE);
    uint64_t bit = UINT64_C(1) << place.index % 64;
    place.slab->free[place.index / 64] |= bit & ~atomic_load(&place.slab->remote[place.index / 64]);
  }
}

static void put_back_cached(struct thread_heap *heap, size_t size_class) {
  void **top = heap->parked_top[size_class];
  if (magazine_of(top) != (void **)no_magazine) {
    put_back(heap, size_class, magazine_bottom(magazine_of(top), size_class), top);
  }
  void **magazine;
  while ((magazine = heap->depot.full[size_class]) != NULL) {
    put_back(heap, size_class, magazine_bottom(magazine, size_class), &magazine[MAGAZINE_SLOTS - 1]);
    heap->depot.full[size_class] = magazine[0];
    atomic_signal_fence(memory_order_seq_cst);
    depot_keep_spare(&heap->depot, magazine);
  }
}

static bool is_slab_of(const struct thread_heap *heap, page_tag tag) {
  return tag >> PAGE_TAG_CLASS_BITS == heap->link.owner;
}

/* Every free block counts as recycled: which of them lie in fresh memory was in the count that is not to be trusted. */
static void recount(struct slab *slab, page_tag tag, struct thread_heap *heap) {
  if (!is_slab_of(heap, tag)) {
    return;
  }
  const struct size_class *shape = &size_classes[page_tag_class(tag)];
  slab->free_count = 0;
  for (unsigned word = 0; word < shape->words; word++) {
    slab->free_count += (uint32_t)__builtin_popcountll(slab->free[word]);
  }
  slab->first_word = 0;
  slab->carved = shape->capacity;
  slab->listed = false;
  slab->trimmed = 0;
  heap->bound_bytes += (size_t)slab->units << UNIT_SHIFT;
}

static void regain(struct slab *slab, page_tag tag, struct thread_heap *heap) {
  if (is_slab_of(heap, tag)) {
    heap_regain(heap, slab);
  }
}

void heap_rebuild(struct thread_heap *heap) {
  memset(heap->lane, 0, sizeof heap->lane);
  heap->published = 0;
  heap->warm_pool.count = 0;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    put_back_cached(heap, size_class);
    heap->parked_top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];
  }
  heap->depot.bytes = 0;
  heap->depot.filled = 0;
  heap->bound_bytes = 0;
  each_slab(recount, heap);
  each_slab(regain, heap);
  heap->torn = false;
  heap->parked = false;
}
