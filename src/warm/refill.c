#include "warm/refill.h"

#include <errno.h>
#include <string.h>

#include "events/events.h"
#include "warm/claim.h"
#include "warm/coalesce.h"
#include "warm/collect.h"
#include "warm/gather.h"
#include "warm/heap_hooks.h"
#include "warm/light.h"
#include "warm/put.h"
#include "warm/relief.h"
#include "warm/sample.h"
#include "warm/share.h"
#include "warm/spot_check.h"
#include "warm/take.h"
#include "warm/thread.h"

enum { BORROW_MAX = 64, SMALL_HEAP = 8 * MIB, FAR_APART = 4096 };

/* Where blocks come from: heap_take or heap_grow. */
typedef unsigned block_source(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* Takes the block at `top`; NULL: there is none. */
static void *pop_from(size_t size_class, void **top) {
  void *block = *top;
  cache_set_top(size_class, block == NULL ? top : top - 1);
  return block;
}

static void *take_one(struct thread_heap *heap, size_t size_class, block_source *source) {
  void *slot[1];
  return source(heap, size_class, slot, 1) == 1 ? slot[0] : NULL;
}

/* Fills the class's empty magazine by half and takes a block; NULL when the source has none. */
static void *fill(struct thread_heap *heap, size_t size_class, block_source *source) {
  unsigned all = share_of_class(heap, size_class);
  void **magazine = magazine_of(thread_cache.top[size_class]);
  void **bottom = magazine_bottom(magazine, all);
  if (magazine_is_none(magazine)) {
    bottom = depot_take_empty(&heap->depot, all);
    if (bottom == NULL) {
      return take_one(heap, size_class, source);
    }
  }
  *bottom = NULL;
  unsigned want = (all + 1) / 2;
  void **top = bottom + want;
  unsigned had = source(heap, size_class, top, want);
  for (unsigned i = 1; had < want && i <= had; i++) {
    bottom[i] = top[(int)i - (int)had];
  }
  hook_refilled(heap, bottom + 1, had);
  observe_refill(had);
  return pop_from(size_class, bottom + had);
}

/* Blocks that were freed in no order, in a heap that a core's own cache does not hold, are fetched all at once: the
 * program would else wait for one after another as it writes them first. */
static inline void fetch_far(const struct thread_heap *heap, void *const *top) {
  if (heap->bound_bytes < SMALL_HEAP || ((uintptr_t)top[0] ^ (uintptr_t)top[-1]) < FAR_APART) {
    return;
  }
  for (; *top != NULL; top--) {
    __builtin_prefetch(*top, 1);
  }
}

/* Takes a block from this magazine, which the class has instead of its empty one from now on. */
static void *use_magazine(struct thread_heap *heap, size_t size_class, void **top) {
  void **empty = magazine_of(thread_cache.top[size_class]);
  if (!magazine_is_none(empty)) {
    depot_give_empty(&heap->depot, empty);
  }
  return pop_from(size_class, top);
}

/* A block in memory that was used before: from the depot, by exchange, or from the slabs. */
static void *refill_recycled(struct thread_heap *heap, size_t size_class) {
  if (!heap_has_recycled(heap, size_class)) {
    return NULL;
  }
  if (heap->depot.full[size_class] == NULL && !home_stack_is_empty(&heap->returned)) {
    heap_take_returned(heap);
  }
  void **full = depot_pop(&heap->depot, size_class);
  if (full == NULL) {
    depot_missed(&heap->depot);
    return fill(heap, size_class, heap_take);
  }
  observe_depot_refill();
  void **top = magazine_full_top(full);
  fetch_far(heap, top);
  return use_magazine(heap, size_class, top);
}

/* One that the thread has freed, of another's. */
static NOINLINE void *refill_gathered(struct thread_heap *heap, size_t size_class) {
  void **top = gather_take(heap, size_class);
  return top == NULL ? NULL : use_magazine(heap, size_class, top);
}

/* Whether a class may lend blocks to the one below it. Beyond a small heap, what it has only carved for itself is its
 * own: two classes that grow would else both grow by the larger one's blocks. Half a magazine is carved at a time; in
 * a fuller one are blocks that were freed. */
static bool lends(struct thread_heap *heap, size_t size_class) {
  if (heap->bound_bytes < SMALL_HEAP || heap_has_recycled(heap, size_class)) {
    return true;
  }
  void **top = thread_cache.top[size_class];
  void **magazine = magazine_of(top);
  return !magazine_is_none(magazine) && magazine_full_top(magazine) - top < (int)share_of_class(heap, size_class) / 2;
}

/* A block of the next larger class, if that lends one: memory that is resident serves before memory that is not. It
 * goes back to its own class when it is freed, by its tag. A class that has borrowed BORROW_MAX blocks grows instead:
 * by then they have cost about as much time as the page by which it does. Medium classes lend to their like only. */
static void *borrow(struct thread_heap *heap, size_t size_class) {
  struct lane *lane = &heap->lane[size_class];
  // NOLINTNEXTLINE(misc-redundant-expression): the secure library has no medium classes
  bool is_last = size_class + 1 == SIZE_CLASS_SMALL_COUNT || size_class + 1 == SIZE_CLASS_COUNT;
  if (is_last || lane->borrowed == BORROW_MAX || !lends(heap, size_class + 1)) {
    return NULL;
  }
  lane->borrowed++;
  void *block = pop_from(size_class + 1, thread_cache.top[size_class + 1]);
  if (block == NULL) {
    block = refill_recycled(heap, size_class + 1);
  }
  observe_borrow();
  return block;
}

static void *refill_heap(struct thread_heap *heap, size_t size_class, bool borrows) {
  void *block = refill_recycled(heap, size_class);
  if (block == NULL && gather_may_serve(heap)) {
    block = refill_gathered(heap, size_class);
  }
  if (block == NULL && borrows) {
    block = borrow(heap, size_class);
  }
  if (block == NULL && borrows && coalesce_may_serve(heap)) {
    block = fill(heap, size_class, heap_coalesce);
  }
  if (block == NULL) {
    heap->lane[size_class].borrowed = 0;
    block = fill(heap, size_class, heap_grow);
  }
  return block;
}

void *refill_from(struct thread_heap *heap, size_t size_class) {
  void *block = heap_take_one(heap, size_class);
  heap_put_depot(heap); /* what came home; an orphan holds no block outside its slabs */
  return block;
}

/* For a thread that has ended, or is light. */
static NOINLINE void *refill_ended(size_t size_class) {
  void *block = light_refill(size_class);
  if (block != NULL || thread_cache.cpu != NULL) {
    return block;
  }
  struct thread_heap *heap = light_claim();
  if (heap == NULL) {
    return NULL;
  }
  block = refill_from(heap, size_class);
  heap_give(heap);
  return block;
}

/* How a class is refilled. */
enum { MAY_BORROW = 1, AGAIN = 2 };

static void *refill_class(struct thread_heap *heap, size_t size_class, unsigned how);

/* Once more, if the limit is why it failed and memory has gone back. */
// NOLINTNEXTLINE(misc-no-recursion): once
static NOINLINE void *refill_again(struct thread_heap *heap, size_t size_class, unsigned how) {
  if ((how & AGAIN) == 0 && relief_for(size_classes[size_class].stride)) {
    return refill_class(heap, size_class, how | AGAIN);
  }
  errno = ENOMEM;
  return NULL;
}

/* A request of no bytes; where there is no such block, one of the smallest serves. */
// NOLINTNEXTLINE(misc-no-recursion): once
static RARE void *refill_empty(struct thread_heap *heap, unsigned how) {
  void *block = empty_allocate();
  if (block == NULL) {
    return refill_class(heap, 0, how);
  }
  observe_take_path(MALLOC_EMPTY);
  return block;
}

// NOLINTNEXTLINE(misc-no-recursion): once
static NOINLINE void *refill_class(struct thread_heap *heap, size_t size_class, unsigned how) {
  if (unlikely(size_class == SIZE_CLASS_EMPTY)) {
    return refill_empty(heap, how);
  }
  void *block = NULL;
  if (unlikely(heap == NULL)) {
    block = light_pop(size_class);
    if (block != NULL) {
      return block;
    }
    heap = thread_start();
  }
  if (likely(heap != NULL)) {
    heap_enter(heap);
    heap->fresh = false;
    block = refill_heap(heap, size_class, (how & MAY_BORROW) != 0);
    heap_leave(heap);
  } else {
    block = refill_ended(size_class);
  }
  return likely(block != NULL) ? block : refill_again(heap, size_class, how);
}

/* Once in a round; and where each block is a sample, for a thread that has no heap. */
static NOINLINE RARE void *refill_rare(size_t size, size_t size_class, unsigned how) {
  bool started = thread_cache.heap != NULL;
  struct thread_heap *heap = thread_heap();
  if (heap != NULL && (started || sample_each())) {
    spot_check_round(heap);
  }
  void *block = sample_take(heap, size, size_class, (how & MAY_BORROW) == 0, STACK_FRAME());
  if (block == NULL) {
    return refill_class(heap, size_class, how);
  }
  if (heap != NULL) {
    heap->fresh = true; /* it is zero */
  }
  observe_take_path(MALLOC_GUARDED);
  return block;
}

/* A tail of malloc's common path, and of this one: what samples are given then finds the caller's frame. */
static inline void *refill_for(size_t size, size_t size_class, unsigned how) {
  struct thread_heap *heap = thread_cache.heap;
  if (likely(heap != NULL) ? heap_tick(heap) : sample_each()) {
    return refill_rare(size, size_class, how);
  }
  return refill_class(heap, size_class, how);
}

NOINLINE void *refill(size_t size, size_t size_class) { return refill_for(size, size_class, MAY_BORROW); }

NOINLINE void *refill_zero(size_t size, size_t size_class) {
  STACK_KEEPS_FRAME();
  void *block = refill_for(size, size_class, MAY_BORROW);
  observe_malloc_served(block, size);
  struct thread_heap *heap = thread_cache.heap;
  bool fresh = heap != NULL && heap->fresh;
  return block == NULL || fresh ? block : memset(block, 0, size);
}

static inline bool is_of_class(const void *block, size_t size_class) {
  unit_tag tag = unit_tag_of(block);
  return route_of(tag) != ROUTE_SLAB || unit_tag_class(tag) == size_class;
}

// NOLINTNEXTLINE(misc-no-recursion): once
NOINLINE void *refill_exact(size_t size, size_t size_class) {
  STACK_KEEPS_FRAME();
  void *block = refill_for(size, size_class, 0);
  return likely(is_of_class(block, size_class)) ? block : refill_placed(block, size, size_class);
}

/* Only a thread that has a heap has such a block cached. */
// NOLINTNEXTLINE(misc-no-recursion): once
NOINLINE void *refill_placed(void *coalesced, size_t size, size_t size_class) {
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  heap_put(heap, size_class, &coalesced, 1);
  heap_put_class(heap, size_class);
  heap_leave(heap);
  return refill_exact(size, size_class);
}
