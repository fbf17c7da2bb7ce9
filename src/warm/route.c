#include "warm/route.h"

#include <errno.h>
#include <string.h>

#include "events/events.h"
#include "warm/drain.h"
#include "warm/growth.h"
#include "warm/heap.h"
#include "warm/medium.h"
#include "warm/medium_count.h"
#include "warm/process.h"
#include "warm/relief.h"
#include "warm/sample.h"
#include "warm/slab.h"
#include "warm/spot_check.h"
#include "warm/thread.h"
#include "warm/whole.h"

/* ---- messages ---- */

RARE void fatal_foreign(const void *block, const char *what) {
  const void *around = huge_around(block);
  if (around != NULL) {
    fatal("%s: pointer %p lies inside the huge block %p, thread %ld", words_of_wrong(block, what, "an interior").text,
          block, around, os_thread_id());
  }
  if ((uintptr_t)block % os_page_size() == 0 && huge_is_retained(block)) {
    fatal("%s: pointer %p, a huge block that is no more, thread %ld", words_of_freed(what).text, block, os_thread_id());
  }
  fatal("%s: pointer %p is no live block of hakmem, thread %ld", words_of_wrong(block, what, "an invalid").text, block,
        os_thread_id());
}

RARE void stop_wrong_size(const void *block, size_t usable, size_t size) {
  if (guarded_holds(block)) {
    struct stack here;
    stack_take(&here, STACK_FRAME());
    guarded_stop_size(block, size, &here);
  }
  uintptr_t unit = (uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1);
  const char *what = usable <= SIZE_CLASS_MAX ? "class" : "block";
  fatal("free with a wrong size: pointer %p, size %zu, %s of %zu bytes, slab %p, thread %ld", block, size, what, usable,
        (void *)unit, os_thread_id()); // NOLINT(performance-no-int-to-ptr)
}

/* ---- large blocks ---- */

static void count_reused(struct runs *runs) {
  size_t reused = atomic_load_explicit(&runs->reused, memory_order_relaxed);
  atomic_store_explicit(&runs->reused, reused + 1, memory_order_relaxed);
}

size_t large_blocks_reused(void) {
  size_t reused = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    reused += atomic_load_explicit(&heap_of_link(link)->runs.reused, memory_order_relaxed);
  }
  return reused;
}

/* From what the thread has freed; NULL: none of that does. */
static void *allocate_run(struct thread_heap *heap, size_t size) {
  if (heap == NULL) {
    return NULL;
  }
  runs_asked(&heap->runs, size);
  if (runs_count(&heap->runs) == 0) {
    return NULL;
  }
  void *block = NULL;
  heap_enter(heap);
  struct slab *run = runs_take(&heap->runs, large_units(size));
  if (run != NULL) {
    count_reused(&heap->runs);
    block = large_use(run);
  }
  heap_leave(heap);
  return block;
}

static void *allocate_units(size_t size, bool *zeroed) {
  growth_by_large(size);
  void *block = large_allocate(size, zeroed);
  observe_malloc_large(block);
  return block;
}

static NOINLINE void *allocate_huge(size_t size, size_t alignment, bool *zeroed) {
  growth_by_huge(0, size);
  void *block = huge_allocate(size, alignment, zeroed);
  observe_malloc_huge(block);
  return block;
}

static void *allocate_range(size_t size, size_t alignment) {
  void *block = huge_allocate_retained(size, alignment);
  observe_malloc_huge(block);
  return block;
}

/* What a block leaves of its units is touched by the next one that has them, if that is longer: where sizes are many, a
 * range holds less. Each may be an area of the system's by itself, of the 65,530 that a process may have. */
enum { RANGES_MOST = 16384 };

static bool is_large(const struct thread_heap *heap, size_t size) {
  bool repeats = heap == NULL || !runs_are_mixed(&heap->runs);
  return size <= LARGE_FRESH_MAX && (repeats || huge_live_count() >= RANGES_MOST);
}

/* What one of them retains serves before fresh memory of either. */
static void *allocate_either(const struct thread_heap *heap, size_t size, size_t alignment, bool *zeroed) {
  bool large_is_first = is_large(heap, size);
  if (likely(!large_is_divided()) && !(large_is_first && large_is_retained(size))) {
    void *block = allocate_range(size, alignment);
    if (block == NULL && !large_is_first && !large_is_retained(size)) {
      block = allocate_huge(size, alignment, zeroed);
    }
    if (block != NULL) {
      return block;
    }
  }
  return allocate_units(size, zeroed);
}

static void *large_or_huge(size_t size, size_t alignment, bool *zeroed) {
  *zeroed = false;
  if (size > LARGE_MAX || alignment > LARGE_ALIGNMENT) {
    return allocate_huge(size, alignment, zeroed);
  }
  struct thread_heap *heap = thread_heap();
  medium_begins(heap, size);
  void *block = allocate_run(heap, size);
  if (block != NULL) {
    observe_malloc_large(block);
    return block;
  }
  return allocate_either(heap, size, alignment, zeroed);
}

/* Empty slabs that the thread's own heap keeps bound go to the pool, which may unmap them. False: there are none. */
static bool release_own(void) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL) {
    return false;
  }
  heap_enter(heap);
  size_t bound = heap->bound_bytes;
  heap_drain(heap);
  bool released = heap->bound_bytes < bound;
  heap_leave(heap);
  return released;
}

bool make_way_for(size_t size) {
  if (size > os_writable_limit() || !limit_has_room_for(size)) {
    return false;
  }
  bool released = relief_for(size) || release_own();
  return reclaim() > 0 || released;
}

/* A guarded sample, if one is due at this slow path. */
static NOINLINE RARE void *allocate_sample(size_t size, size_t alignment, const void *frame) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap != NULL ? !heap_tick(heap) : !sample_each()) {
    return NULL;
  }
  if (heap != NULL) {
    spot_check_round(heap);
  }
  void *block = sample_take_large(heap, size, alignment, frame);
  observe_malloc_guarded(block);
  return block;
}

static NOINLINE void *allocate(size_t size, size_t alignment, bool *zeroed, const void *frame) {
  void *block = NULL;
  if (size < OS_ADDRESSABLE && alignment < OS_ADDRESSABLE && process_start()) {
    size = size == 0 ? 1 : size;
    if (sample_may_be() && (block = allocate_sample(size, alignment, frame)) != NULL) {
      *zeroed = true;
      return block;
    }
    block = large_or_huge(size, alignment, zeroed);
    if (unlikely(block == NULL) && make_way_for(size)) {
      block = large_or_huge(size, alignment, zeroed);
    }
  }
  observe_malloc_failed(block == NULL);
  if (unlikely(block == NULL)) {
    errno = ENOMEM;
  }
  return block;
}

void *allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  return allocate(size, alignment, zeroed, STACK_FRAME());
}

NOINLINE void *allocate_large_aligned(size_t size, size_t alignment) {
  bool zeroed;
  bool is_medium = size <= SIZE_CLASS_MEDIUM_MAX && alignment <= MEDIUM_ALIGNMENT && medium_are_many(thread_cache.heap);
  return is_medium ? medium_allocate(size) : allocate(size, alignment, &zeroed, STACK_FRAME());
}

NOINLINE void *allocate_large(size_t size) { return allocate_large_aligned(size, SIZE_CLASS_GRAIN); }

static NOINLINE size_t usable_size_of_rare(const void *block, enum route route, const char *what) {
  if (route == ROUTE_LARGE) {
    return large_usable_size(block, what);
  }
  if (unlikely(empty_is_live(block, what))) {
    return 0;
  }
  size_t bytes = guarded_usable_size(block, what);
  if (bytes != GUARDED_FOREIGN) {
    return bytes;
  }
  bytes = huge_usable_size(block);
  if (bytes == 0) {
    fatal_foreign(block, what);
  }
  return bytes;
}

size_t block_usable_size(const void *block, const char *what) {
  unit_tag tag = unit_tag_of(block);
  size_t size_class = unit_tag_class(tag);
  enum route route = route_of(tag);
  if (unlikely(route != ROUTE_SLAB)) {
    return usable_size_of_rare(block, route, what);
  }
  if (unlikely(unit_tag_is_coalesced(tag))) {
    return slab_whole_bytes(block, size_class, what);
  }
  if (unlikely(!block_is_exact(block, size_class)) && place_of(block, size_class).index == PLACE_NONE) {
    fatal_interior(block, size_class, what);
  }
  if (unlikely(*thread_cache.top[size_class] == block)) { /* what the thread freed last; more would be a search */
    fatal_freed(block, size_class, what);
  }
  return size_classes[size_class].stride;
}

size_t size_usable(size_t size) {
  if (size == 0 || (size <= PTRDIFF_MAX && sample_may_be())) {
    return size;
  }
  if (size <= SIZE_CLASS_MAX) {
    return size_classes[size_class_of(size)].stride;
  }
  size_t pages = size <= PTRDIFF_MAX ? os_page_ceil(size) : 0;
  size_t most = size <= SIZE_CLASS_MEDIUM_MAX ? size_classes[size_class_of_medium(size)].stride : pages;
  return pages < most ? pages : most; /* whoever serves it */
}

bool is_exact(const void *block) { return HOOK_HAS_SAMPLES && guarded_holds(block); }

void settle_sample(void *block, size_t size) {
  if (is_exact(block)) {
    guarded_settle(block, size);
  }
}
