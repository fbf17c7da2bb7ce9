#include "warm/warm.h"

#include <errno.h>

#include "cold/huge.h"
#include "cold/large.h"
#include "cold/reclaim.h"
#include "config/options.h"
#include "observe/events.h"
#include "os/fatal.h"
#include "warm/harden.h"
#include "warm/process.h"
#include "warm/thread.h"
#include "warm/trim.h"

#define BORROW_MAX UINT32_MAX
enum { DEPOT_HEAP_SHARE = 64, DEPOT_SPILL_AT_ONCE = 2 };

static void *out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

/* Blocks first, top second: at every moment, for a child of fork(), what lies up to `top` is free. */
static inline void set_top(size_t size_class, void **top) {
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
}

/* ---- refill ---- */

/* One block for a thread that has ended, or that has no memory for a magazine. */
static void *take_one(struct thread_heap *heap, size_t size_class) {
  void *slot[1];
  return heap_take(heap, size_class, slot, 1) == 1 || heap_grow(heap, size_class, slot, 1) == 1 ? slot[0] : NULL;
}

/* Where blocks come from: heap_take or heap_grow. */
typedef unsigned block_source(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* Fills the class's empty magazine by half and pops a block; NULL when the source has none. */
static void *fill(struct thread_heap *heap, size_t size_class, block_source *source) {
  void **magazine = magazine_of(thread_cache.top[size_class]);
  if (magazine == (void **)no_magazine) {
    magazine = depot_spare(&heap->depot, size_class);
    if (magazine == NULL) {
      void *slot[1];
      return source(heap, size_class, slot, 1) == 1 ? slot[0] : NULL;
    }
  }
  unsigned want = (size_classes[size_class].magazine + 1U) / 2;
  void **bottom = magazine_bottom(magazine, size_class);
  void **top = bottom + want;
  unsigned had = source(heap, size_class, top, want);
  for (unsigned i = 1; had < want && i <= had; i++) {
    bottom[i] = top[(int)i - (int)had];
  }
  harden_refilled(heap, bottom + 1, had);
  set_top(size_class, bottom + had);
  observe_refill(had);
  return cache_pop(size_class);
}

/* A block in memory that was used before: from the depot, by exchange, or from the slabs. */
static void *refill_recycled(struct thread_heap *heap, size_t size_class) {
  if (!heap_has_recycled(heap, size_class)) {
    return NULL;
  }
  void **full = depot_pop(&heap->depot, size_class);
  if (full == NULL) {
    return fill(heap, size_class, heap_take);
  }
  void **empty = magazine_of(thread_cache.top[size_class]);
  if (empty != (void **)no_magazine) {
    depot_keep_spare(&heap->depot, empty);
  }
  set_top(size_class, &full[MAGAZINE_SLOTS - 1]);
  observe_depot_refill();
  return cache_pop(size_class);
}

/* A block of the next larger class, if the heap has one to spare: memory that is resident serves before memory that
 * is not. It goes back to its own class when it is freed, by its tag. A class that borrows time and again is better
 * off growing. */
static void *borrow(struct thread_heap *heap, size_t size_class) {
  struct lane *lane = &heap->lane[size_class];
  if (size_class + 1 == SIZE_CLASS_COUNT || lane->borrowed == BORROW_MAX) {
    return NULL;
  }
  lane->borrowed++;
  void *block = cache_pop(size_class + 1);
  if (block == NULL) {
    block = refill_recycled(heap, size_class + 1);
  }
  observe_borrow();
  return block;
}

static void *refill_heap(struct thread_heap *heap, size_t size_class, bool may_borrow) {
  void *block = refill_recycled(heap, size_class);
  if (block == NULL && may_borrow) {
    block = borrow(heap, size_class);
  }
  if (block == NULL) {
    heap->lane[size_class].borrowed = 0;
    block = fill(heap, size_class, heap_grow);
  }
  return block;
}

static void *refill_class(size_t size_class, bool may_borrow) {
  struct thread_heap *heap = thread_heap();
  void *block = NULL;
  if (likely(heap != NULL)) {
    heap_enter(heap);
    block = refill_heap(heap, size_class, may_borrow);
    heap_leave(heap);
  } else if ((heap = thread_borrow()) != NULL) {
    block = take_one(heap, size_class);
    heap_hand_back(heap);
  }
  return likely(block != NULL) ? block : out_of_memory();
}

NOINLINE void *refill(size_t size_class) { return refill_class(size_class, true); }

NOINLINE void *refill_exact(size_t size_class) { return refill_class(size_class, false); }

/* ---- spill ---- */

static size_t depot_limit(const struct thread_heap *heap) {
  size_t share = heap->bound_bytes / DEPOT_HEAP_SHARE;
  size_t least = (size_t)options.depot_kib * KIB;
  return share < least ? least : share;
}

/* Makes room in the depot for one more magazine; classes pay in turn, and two magazines at most go at a time, so that
 * the depot follows a heap that shrinks. False: there is no room. */
static bool make_room(struct thread_heap *heap, size_t size_class) {
  size_t wanted = magazine_block_bytes(size_class);
  size_t limit = depot_limit(heap);
  for (int i = 0; i < DEPOT_SPILL_AT_ONCE && heap->depot.bytes + wanted > limit; i++) {
    size_t victim = depot_victim(&heap->depot);
    if (victim == SIZE_CLASS_COUNT) {
      return false;
    }
    heap_put_full(heap, victim, depot_pop(&heap->depot, victim));
  }
  return heap->depot.bytes + wanted <= limit;
}

/* Gives the older half of a full magazine back to its slabs; returns the new top. */
static void **spill_half(struct thread_heap *heap, size_t size_class, void **magazine) {
  void **bottom = magazine_bottom(magazine, size_class);
  unsigned all = size_classes[size_class].magazine;
  unsigned half = (all + 1) / 2;
  heap_put(heap, size_class, bottom + 1, half);
  observe_spill(half);
  for (unsigned i = half + 1; i <= all; i++) {
    bottom[i - half] = bottom[i];
  }
  return bottom + (all - half);
}

static void spill_heap(struct thread_heap *heap, size_t size_class, void *block) {
  void **magazine = magazine_of(thread_cache.top[size_class]);
  bool none = magazine == (void **)no_magazine;
  void **top = NULL;
  enum free_path path = FREE_SPILL;
  if (none || make_room(heap, size_class)) {
    void **empty = depot_spare(&heap->depot, size_class);
    if (empty != NULL) {
      path = none ? FREE_CACHE : FREE_DEPOT;
      if (!none) {
        depot_push(&heap->depot, size_class, magazine);
      }
      top = magazine_bottom(empty, size_class);
    }
  }
  observe_free(block, size_classes[size_class].stride, path);
  if (top == NULL) {
    if (none) {
      heap_put(heap, size_class, &block, 1);
      return;
    }
    top = spill_half(heap, size_class, magazine);
  }
  top[1] = block;
  set_top(size_class, top + 1);
}

NOINLINE void spill(size_t size_class, void *block) {
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  spill_heap(heap, size_class, block);
  heap_leave(heap);
}

/* ---- other threads' blocks ---- */

static bool tag_is_slab(page_tag tag) { return tag >> PAGE_TAG_CLASS_BITS != 0; }
static bool tag_is_large(page_tag tag) { return tag == PAGE_TAG_LARGE || tag == PAGE_TAG_INSIDE; }

static _Noreturn COLD void fatal_foreign(const void *block, const char *what) {
  const void *around = huge_around(block);
  if (around != NULL) {
    fatal("%s of an interior pointer: pointer %p lies inside the huge block %p, thread %ld", what, block, around,
          os_thread_id());
  }
  fatal("%s of an invalid pointer: pointer %p is no live block of hakmem, thread %ld", what, block, os_thread_id());
}

/* What is no other thread's block, or is freed by a thread that has no heap. */
static NOINLINE void free_rare(void *block) {
  page_tag tag = page_tag_of(block);
  if (tag_is_slab(tag)) {
    struct place place = place_of(block, page_tag_class(tag));
    if (place.index == PLACE_NONE) {
      fatal_interior(block, page_tag_class(tag), "free");
    }
    observe_free(block, size_classes[page_tag_class(tag)].stride, FREE_REMOTE);
    heap_post_bits(NULL, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
  } else if (tag_is_large(tag)) {
    large_free(block);
    observe_free_large();
  } else if (block == NULL) {
    observe_free_null();
  } else if (huge_free(block)) {
    observe_free_huge();
  } else {
    observe_free_foreign();
    fatal_foreign(block, "free");
  }
}

/* Begins to gather the word of a first block; what the entry held is posted. */
static NOINLINE void gather_word(struct thread_heap *heap, struct remote_word *entry, struct slab *slab,
                                 unsigned index) {
  heap_enter(heap);
  if (entry->slab != NULL) {
    heap_post_word(heap, entry);
  }
  unsigned blocks = REMOTE_WORD_BYTES / size_classes[slab->size_class].stride;
  entry->left = blocks <= 1 ? 0 : blocks < 64 ? blocks - 1 : 63;
  entry->word = index / 64;
  entry->bits = UINT64_C(1) << index % 64;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a whole entry, or none */
  entry->slab = slab;
  if (entry->left == 0) {
    heap_post_word(heap, entry);
  }
  heap_leave(heap);
}

static NOINLINE void post_word(struct thread_heap *heap, struct remote_word *entry) {
  heap_enter(heap);
  heap_post_word(heap, entry);
  heap_leave(heap);
}

/* Calls stand only at the end of a path, so that the common one saves no register. */
NOINLINE void free_remote(void *block) {
  struct thread_heap *heap = thread_cache.heap;
  page_tag tag = page_tag_of(block);
  if (unlikely(!tag_is_slab(tag) || heap == NULL)) {
    free_rare(block);
    return;
  }
  struct place place = place_of(block, page_tag_class(tag));
  if (unlikely(place.index == PLACE_NONE)) {
    fatal_interior(block, page_tag_class(tag), "free");
  }
  observe_free(block, size_classes[page_tag_class(tag)].stride, FREE_REMOTE);
  struct remote_word *entry = remote_word_of(&heap->words, place);
  if (entry->slab != place.slab || entry->word != place.index / 64) {
    gather_word(heap, entry, place.slab, place.index);
    return;
  }
  uint64_t bit = UINT64_C(1) << place.index % 64;
  if (unlikely((entry->bits & bit) != 0)) {
    fatal_double_free(place.slab, place.index);
  }
  entry->bits |= bit;
  if (--entry->left == 0) {
    post_word(heap, entry);
  }
}

COLD void fatal_wrong_size(const void *block, size_t usable, size_t size) {
  uintptr_t unit = (uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1);
  const char *what = usable <= SIZE_CLASS_MAX ? "class" : "block";
  fatal("free with a wrong size: pointer %p, size %zu, %s of %zu bytes, slab %p, thread %ld", block, size, what, usable,
        (void *)unit, os_thread_id()); // NOLINT(performance-no-int-to-ptr)
}

/* ---- large blocks ---- */

static void *large_or_huge(size_t size, size_t alignment, bool *zeroed) {
  *zeroed = false;
  bool fits = size <= LARGE_MAX && alignment <= LARGE_ALIGNMENT;
  void *block = fits ? large_allocate(size, zeroed) : huge_allocate(size, alignment, zeroed);
  if (fits) {
    observe_malloc_large(block);
  } else {
    observe_malloc_huge(block);
  }
  return block;
}

void *allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  void *block = NULL;
  *zeroed = false;
  if (size <= PTRDIFF_MAX && process_start()) {
    size = size == 0 ? 1 : size;
    block = large_or_huge(size, alignment, zeroed);
    if (unlikely(block == NULL) && reclaim() > 0) {
      block = large_or_huge(size, alignment, zeroed);
    }
  }
  observe_malloc_failed(block == NULL);
  return block != NULL ? block : out_of_memory();
}

NOINLINE void *allocate_large(size_t size) {
  bool zeroed;
  return allocate_aligned(size, SIZE_CLASS_GRAIN, &zeroed);
}

size_t block_usable_size(const void *block, const char *what) {
  page_tag tag = page_tag_of(block);
  if (likely(tag_is_slab(tag))) {
    size_t size_class = page_tag_class(tag);
    if (unlikely(place_of(block, size_class).index == PLACE_NONE)) {
      fatal_interior(block, size_class, what);
    }
    return size_classes[size_class].stride;
  }
  if (tag_is_large(tag)) {
    return large_usable_size(block, what);
  }
  size_t bytes = huge_usable_size(block);
  if (bytes == 0) {
    fatal_foreign(block, what);
  }
  return bytes;
}

size_t size_usable(size_t size) {
  if (size <= SIZE_CLASS_MAX) {
    return size_classes[size_class_of(size)].stride;
  }
  if (size <= LARGE_MAX) {
    return (size + UNIT_BYTES - 1) & ~(size_t)(UNIT_BYTES - 1);
  }
  return size <= PTRDIFF_MAX ? os_page_ceil(size) : 0;
}

void *resize_large(void *block, size_t size) {
  page_tag tag = page_tag_of(block);
  if (tag_is_large(tag)) {
    return size > SIZE_CLASS_MAX && size <= LARGE_MAX && large_resize(block, size) ? block : NULL;
  }
  if (tag_is_slab(tag) || size <= LARGE_MAX || size > PTRDIFF_MAX) {
    return NULL;
  }
  void *moved = huge_resize(block, size);
  return moved == NULL && reclaim() > 0 ? huge_resize(block, size) : moved;
}

/* ---- collect ---- */

/* Every orphan once: the line of orphans is walked by taking the first and giving it back as the last. */
static void collect_orphans(void) {
  size_t heaps = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    heaps++;
  }
  struct heap_link *link;
  for (; heaps > 0 && (link = registry_adopt()) != NULL; heaps--) {
    struct thread_heap *orphan = heap_take_over(link);
    heap_drain(orphan);
    trim_all(orphan);
    heap_hand_back(orphan);
  }
}

size_t collect(void) {
  size_t purged_before = os_counts().purged_bytes;
  struct thread_heap *heap = thread_heap();
  if (heap != NULL) {
    heap_enter(heap);
    thread_drain(heap);
    trim_all(heap);
    heap_check(heap);
    heap_leave(heap);
  }
  collect_orphans();
  pool_purge(0);
  harden_collect();
  size_t unmapped = huge_purge();
  INVARIANT(pool_is_valid());
  return os_counts().purged_bytes - purged_before + unmapped;
}
