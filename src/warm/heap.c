#include "warm/heap.h"

#include "cold/reclaim.h"
#include "cold/shared_pool.h"
#include "observe/events.h"
#include "os/fatal.h"
#include "warm/harden.h"
#include "warm/rebuild.h"
#include "warm/trim.h"

enum { PREFILL_FROM_SLABS = 16, ORPHAN_COLLECT_EVERY = 16 };

static _Atomic size_t heapless_published;

struct thread_heap *heap_new(void) {
  struct thread_heap *heap = pool_meta_alloc(sizeof *heap + HEAP_EXTRA_BYTES, _Alignof(struct thread_heap));
  if (heap == NULL && reclaim() > 0) {
    heap = pool_meta_alloc(sizeof *heap + HEAP_EXTRA_BYTES, _Alignof(struct thread_heap));
  }
  if (heap == NULL || !registry_enroll(&heap->link)) {
    return NULL;
  }
  harden_heap(heap);
  return heap;
}

/* ---- lanes ---- */

static void lane_link(struct thread_heap *heap, struct slab *slab) {
  struct lane *lane = &heap->lane[slab->size_class];
  INVARIANT(!slab->listed && slab_recycled(slab) > 0);
  slab->listed = true;
  slab->next = NULL;
  slab->previous = lane->last;
  if (lane->last != NULL) {
    lane->last->next = slab;
  } else {
    lane->first = slab;
  }
  lane->last = slab;
}

static void lane_unlink(struct thread_heap *heap, struct slab *slab) {
  struct lane *lane = &heap->lane[slab->size_class];
  INVARIANT(slab->listed);
  slab->listed = false;
  if (slab->previous != NULL) {
    slab->previous->next = slab->next;
  } else {
    lane->first = slab->next;
  }
  if (slab->next != NULL) {
    slab->next->previous = slab->previous;
  } else {
    lane->last = slab->previous;
  }
}

/* The slab is about to be released or to go to another heap. */
static void lane_leave(struct thread_heap *heap, struct slab *slab) {
  if (slab->listed) {
    lane_unlink(heap, slab);
  }
  if (heap->lane[slab->size_class].carving == slab) {
    heap->lane[slab->size_class].carving = NULL;
  }
}

static size_t slab_bytes(const struct slab *slab) { return (size_t)slab->units << UNIT_SHIFT; }

/* Releases an empty slab. Whoever publishes it at this moment holds its token; then it comes again through the
 * queue. */
static void release(struct thread_heap *heap, struct slab *slab) {
  if (!remote_token_take(slab)) {
    return;
  }
  lane_leave(heap, slab);
  heap->bound_bytes -= slab_bytes(slab);
  slab_unbind(slab);
  observe_slab_released();
  if (slab->units == 1) {
    warm_pool_give(&heap->warm_pool, slab);
  } else {
    pool_give(slab);
  }
}

static void gained(struct thread_heap *heap, struct slab *slab) {
  if (!slab->listed && slab_recycled(slab) > 0) {
    lane_link(heap, slab);
  }
  if (slab_is_empty(slab)) {
    release(heap, slab);
  }
}

void heap_regain(struct thread_heap *heap, struct slab *slab) { gained(heap, slab); }

/* ---- what other threads freed ---- */

/* Sorts the queue by class; the slabs' tokens stay taken. */
static void sort_queue(struct thread_heap *heap) {
  struct slab *slab = remote_queue_take(&heap->queue);
  while (slab != NULL) {
    struct slab *next = slab->queue_next;
    INVARIANT(atomic_load(&slab->heap) == heap);
    slab->queue_next = heap->lane[slab->size_class].published;
    heap->lane[slab->size_class].published = slab;
    heap->published |= UINT64_C(1) << slab->size_class;
    slab = next;
  }
}

static void collect_lane(struct thread_heap *heap, size_t size_class) {
  struct slab *slab = heap->lane[size_class].published;
  heap->lane[size_class].published = NULL;
  heap->published &= ~(UINT64_C(1) << size_class);
  while (slab != NULL) {
    struct slab *next = slab->queue_next;
    remote_token_give(slab);
    slab_collect(slab);
    gained(heap, slab);
    slab = next;
  }
}

void heap_collect(struct thread_heap *heap) {
  sort_queue(heap);
  while (heap->published != 0) {
    collect_lane(heap, (size_t)__builtin_ctzll(heap->published));
  }
}

/* ---- binding ---- */

/* Moves a slab from an orphan, which the caller has borrowed, to `heap`. The caller holds its token. */
static void adopt_slab(struct thread_heap *heap, struct thread_heap *orphan, struct slab *slab) {
  lane_leave(orphan, slab);
  slab->carved = size_classes[slab->size_class].capacity; /* its new owner carves another slab */
  orphan->bound_bytes -= slab_bytes(slab);
  heap->bound_bytes += slab_bytes(slab);
  page_tag_set(page_unit(slab_start(slab)), slab->units,
               (page_tag)(heap->link.owner << PAGE_TAG_CLASS_BITS | slab->size_class));
  atomic_store(&slab->heap, heap);
  remote_token_give(slab);
  slab_collect(slab);
  gained(heap, slab);
  registry_count_adoption();
  observe_slab_adopted();
}

/* Before the process grows: one orphan is collected, which may empty slabs of any class, and its slabs of this class
 * are adopted until one has room. */
static void adopt_from_orphan(struct thread_heap *heap, size_t size_class) {
  struct heap_link *link = registry_adopt();
  if (link == NULL) {
    return;
  }
  struct thread_heap *orphan = heap_take_over(link);
  heap_collect(orphan);
  warm_pool_flush(&orphan->warm_pool);
  struct slab *slab = orphan->lane[size_class].first;
  while (slab != NULL && heap->lane[size_class].first == NULL) {
    struct slab *next = slab->next;
    if (remote_token_take(slab)) {
      adopt_slab(heap, orphan, slab);
    }
    slab = next;
  }
  heap_hand_back(orphan);
}

static struct slab *fresh_units(struct thread_heap *heap, size_t size_class) {
  if (size_classes[size_class].units > 1) {
    return pool_take(size_classes[size_class].units);
  }
  bool growing = heap->bound_bytes >= (size_t)PREFILL_FROM_SLABS * UNIT_BYTES;
  return warm_pool_take(&heap->warm_pool, growing ? WARM_POOL_MAX : 1);
}

/* Fresh units bound to a class; NULL: no memory for them or for their bitmaps. */
static struct slab *fresh_slab(struct thread_heap *heap, size_t size_class) {
  struct slab *slab = fresh_units(heap, size_class);
  if (slab != NULL && !slab_bind(slab, size_class, heap, heap->link.owner)) {
    pool_give(slab);
    slab = NULL;
  }
  return slab;
}

static bool bind(struct thread_heap *heap, size_t size_class) {
  heap->now = os_milliseconds();
  heap_collect(heap);
  adopt_from_orphan(heap, size_class);
  if (heap->lane[size_class].first != NULL) {
    return true;
  }
  INVARIANT(heap->lane[size_class].carving == NULL);
  struct slab *slab = fresh_slab(heap, size_class);
  if (slab == NULL && reclaim() > 0) {
    slab = fresh_slab(heap, size_class);
  }
  if (slab == NULL) {
    return false;
  }
  observe_slab_bound(!slab->zero);
  heap->bound_bytes += slab_bytes(slab);
  if (slab_is_carved(slab)) {
    lane_link(heap, slab);
  } else {
    heap->lane[size_class].carving = slab;
  }
  return true;
}

/* ---- blocks ---- */

static void took(struct thread_heap *heap, struct slab *slab) {
  slab->taken_at = heap->now;
  slab->trimmed = 0;
}

unsigned heap_take(struct thread_heap *heap, size_t size_class, void **slot, unsigned want) {
  struct lane *lane = &heap->lane[size_class];
  if (lane->first == NULL) {
    sort_queue(heap);
    collect_lane(heap, size_class);
  }
  unsigned taken = 0;
  for (struct slab *slab; taken < want && (slab = lane->first) != NULL;) {
    taken += slab_take(slab, slot - taken, want - taken);
    took(heap, slab);
    if (slab_recycled(slab) == 0) {
      lane_unlink(heap, slab);
      observe_slab_full();
    }
  }
  observe_blocks_taken(taken);
  return taken;
}

unsigned heap_grow(struct thread_heap *heap, size_t size_class, void **slot, unsigned want) {
  struct lane *lane = &heap->lane[size_class];
  if (lane->carving == NULL && !bind(heap, size_class)) {
    return 0;
  }
  struct slab *slab = lane->carving;
  if (slab == NULL) {
    return heap_take(heap, size_class, slot, want);
  }
  unsigned taken = slab_carve(slab, slot, want);
  observe_blocks_carved(taken);
  took(heap, slab);
  if (slab_is_carved(slab)) {
    lane->carving = NULL;
  }
  return taken;
}

/* Blocks come in runs: the slab is looked up once a run, and a bitmap word is written once. */
void heap_put(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count) {
  observe_blocks_put(count);
  const struct size_class shape = size_classes[size_class];
  void *const *const end = blocks + count;
  while (blocks < end) {
    struct place place = place_of(*blocks, size_class);
    if (unlikely(place.index == PLACE_NONE)) {
      fatal_interior(*blocks, size_class, "free");
    }
    struct slab *slab = place.slab;
    uintptr_t start = (uintptr_t)slab_start(slab);
    size_t bytes = (size_t)shape.capacity * shape.stride;
    INVARIANT(atomic_load(&slab->heap) == heap && slab->size_class == size_class);
    size_t word = 0;
    uint64_t bits = 0;
    void *const *first = blocks; /* of those in `bits` */
    for (size_t offset; blocks < end && (offset = (uintptr_t)*blocks - start) < bytes; blocks++) {
      size_t index = offset * shape.reciprocal >> 40;
      uint64_t bit = UINT64_C(1) << index % 64;
      if (unlikely(index * shape.stride != offset)) {
        fatal_interior(*blocks, size_class, "free");
      }
      if (index / 64 != word || (bits & bit) != 0) {
        slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
        word = index / 64;
        bits = 0;
        first = blocks;
      }
      bits |= bit;
    }
    slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
    gained(heap, slab);
  }
}

void heap_put_full(struct thread_heap *heap, size_t size_class, void **magazine) {
  heap_put(heap, size_class, magazine_bottom(magazine, size_class) + 1, size_classes[size_class].magazine);
  observe_depot_taken_apart();
  depot_keep_spare(&heap->depot, magazine);
}

void heap_put_magazine(struct thread_heap *heap, size_t size_class, void **top) {
  unsigned count = 0;
  while (top[-(int)count] != NULL) {
    count++;
  }
  heap_put(heap, size_class, top - count + 1, count);
  depot_keep_spare(&heap->depot, magazine_of(top));
}

/* ---- other threads ---- */

/* An orphan collects nothing by itself: now and then a thread that publishes to it does, so that what it has empty
 * returns. */
static void collect_for_orphan(struct thread_heap *orphan) {
  if (!registry_borrow(&orphan->link)) {
    return;
  }
  heap_take_over(&orphan->link);
  heap_collect(orphan);
  warm_pool_flush(&orphan->warm_pool);
  heap_hand_back(orphan);
}

/* One more publication by this thread, or by all that have no heap; their number so far. */
static size_t count_published(struct thread_heap *heap) {
  if (heap == NULL) {
    return atomic_fetch_add_explicit(&heapless_published, 1, memory_order_relaxed) + 1;
  }
  size_t published = atomic_load_explicit(&heap->words.published, memory_order_relaxed) + 1;
  atomic_store_explicit(&heap->words.published, published, memory_order_relaxed);
  return published;
}

void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits) {
  observe_remote_post(bits);
  if (!remote_post(slab, word, bits)) {
    return;
  }
  observe_remote_publication();
  struct thread_heap *owner = atomic_load(&slab->heap);
  remote_enqueue(&owner->queue, slab);
  if (count_published(heap) % ORPHAN_COLLECT_EVERY == 0 && atomic_load(&owner->link.orphan)) {
    collect_for_orphan(owner);
  }
}

void heap_post_word(struct thread_heap *heap, struct remote_word *entry) {
  struct remote_word gathered = *entry;
  entry->slab = NULL;
  heap_post_bits(heap, gathered.slab, gathered.word, gathered.bits);
}

void heap_post(struct thread_heap *heap) {
  for (unsigned i = 0; i < REMOTE_WORDS; i++) {
    if (heap->words.entry[i].slab != NULL) {
      heap_post_word(heap, &heap->words.entry[i]);
    }
  }
}

size_t heap_published(void) {
  size_t published = atomic_load_explicit(&heapless_published, memory_order_relaxed);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    published += atomic_load_explicit(&heap_of_link(link)->words.published, memory_order_relaxed);
  }
  return published;
}

/* ---- the heap as a whole ---- */

/* Takes the depot's magazines apart. */
static void drain_depot(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **magazine;
    while ((magazine = depot_pop(&heap->depot, size_class)) != NULL) {
      heap_put_full(heap, size_class, magazine);
    }
  }
}

void heap_drain(struct thread_heap *heap) {
  drain_depot(heap);
  heap_post(heap);
  heap_collect(heap);
  warm_pool_flush(&heap->warm_pool);
}

void heap_settle(struct thread_heap *heap) {
  if (!heap->parked) {
    return;
  }
  if (heap->torn) {
    heap_rebuild(heap);
    harden_drain(heap);
    return;
  }
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = heap->parked_top[size_class];
    if (magazine_of(top) != (void **)no_magazine) {
      heap_put_magazine(heap, size_class, top);
      heap->parked_top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];
    }
  }
  harden_drain(heap);
  heap->parked = false;
  /* An orphan holds no block of its own outside its slabs: these may now move to other heaps. */
  drain_depot(heap);
}

struct thread_heap *heap_take_over(struct heap_link *link) {
  struct thread_heap *heap = heap_of_link(link);
  heap_enter(heap);
  heap_settle(heap);
  return heap;
}

void heap_hand_back(struct thread_heap *heap) {
  heap_leave(heap);
  registry_orphan(&heap->link);
}

/* ---- validators ---- */

static size_t census_magazine(size_t size_class, void **top, const struct thread_heap *heap) {
  size_t blocks = 0;
  for (; *top != NULL; top--, blocks++) {
    struct place place = place_of(*top, size_class);
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
  page_tag mine = (page_tag)(heap->link.owner << PAGE_TAG_CLASS_BITS | size_class);
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    const struct superslab *superslab = superslab_at(index);
    for (size_t i = 0; superslab != NULL && i < SUPERSLAB_UNITS; i++) {
      if (page_tag_at(index * SUPERSLAB_UNITS + i) == mine && superslab->head[i] == i) {
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
