/* heap: what one thread owns: its lanes (the slabs of each class), depot, warm pool, and what it exchanges with other
 * threads.
 *
 * Owns:     struct thread_heap. One thread uses it at a time: its own, or after that has ended (an orphan) whoever
 *           adopted or borrowed it from cold/registry.h. It is never unmapped.
 * Promises: INVARIANT, for every slab: capacity = live + in magazines + free bits + remote bits (posted and gathered).
 *           `busy` is set while the heap is between two consistent states, so that a child of fork() knows which
 *           heaps it must rebuild (warm/rebuild.h).
 * Callers:  warm/warm.c and warm/thread.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_HEAP_H
#define HAKMEM_WARM_HEAP_H

#include "cold/registry.h"
#include "hot/cache.h"
#include "warm/depot.h"
#include "warm/remote.h"
#include "warm/warm_pool.h"

/* A class's slabs that have recycled blocks: refilled from the first, newly freed ones join last. `carving` is the
 * one whose memory is still fresh in part: it is used when no recycled block is left, so that what is resident serves
 * before what is not. `published` are those that came through the queue and keep their token until the lane runs dry,
 * so that freeing threads need not publish them again meanwhile. */
struct lane {
  struct slab *first, *last;
  struct slab *carving;
  unsigned borrowed;      /* blocks of the next class that served since this one grew last */
  struct slab *published; /* linked by queue_next */
};

struct thread_heap {
  struct heap_link link;      /* first: the registry knows heaps by it */
  struct thread_cache *cache; /* of the thread that has the heap; NULL while it has none */
  _Atomic uint32_t busy;
  bool parked;         /* `parked_top` holds what a thread lost by fork() had cached */
  bool torn;           /* that thread was changing the heap at the moment of fork() */
  size_t bound_bytes;  /* of the slabs bound now */
  uint64_t now;        /* milliseconds, read when the heap grows */
  uint64_t trimmed_at; /* when warm/trim.h last looked through the lanes */
  struct lane lane[SIZE_CLASS_COUNT];
  uint64_t published; /* bit c: lane c has published slabs */
  struct depot depot;
  struct warm_pool warm_pool;
  struct remote_words words;
  void **parked_top[SIZE_CLASS_COUNT];
  struct remote_queue queue;
};

static inline struct thread_heap *heap_of_link(struct heap_link *link) { return (struct thread_heap *)(void *)link; }

/* The heap is changing until heap_leave; only the thread itself and a child of fork() look. */
static inline void heap_enter(struct thread_heap *heap) {
  atomic_store_explicit(&heap->busy, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
}

static inline void heap_leave(struct thread_heap *heap) {
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&heap->busy, 0, memory_order_relaxed);
}

/* A new heap without a thread; NULL when there is no memory. */
struct thread_heap *heap_new(void);

/* False: neither the depot nor a slab nor another thread has a recycled block of this class for the heap. */
static inline bool heap_has_recycled(struct thread_heap *heap, size_t size_class) {
  const struct lane *lane = &heap->lane[size_class];
  return heap->depot.full[size_class] != NULL || lane->first != NULL || lane->published != NULL ||
         !remote_queue_is_empty(&heap->queue);
}

/* Stores up to `want` recycled blocks of a class from `slot` downwards, lowest address first of each slab. Returns
 * how many, 0 when there are none. */
unsigned heap_take(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* The same when heap_take has found none: from fresh memory, a page at a time, after whatever may be had of other
 * threads and of orphans. Returns how many; 0: no memory. */
unsigned heap_grow(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* Takes back blocks of slabs of this heap; emptied slabs are released. */
void heap_put(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count);

/* The same for a full magazine, or for one from `top` down to its NULL; the magazine is spare then. */
void heap_put_full(struct thread_heap *heap, size_t size_class, void **magazine);
void heap_put_magazine(struct thread_heap *heap, size_t size_class, void **top);

/* Posts what this heap's thread has gathered of others' blocks. */
void heap_post(struct thread_heap *heap);
void heap_post_word(struct thread_heap *heap, struct remote_word *entry);

/* Posts bits of a slab for a thread that may have no heap (NULL), and sees that its owner learns of it. */
void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits);

/* Publications of slabs by all threads so far. */
size_t heap_published(void);

/* Collects what other threads freed to this heap. */
void heap_collect(struct thread_heap *heap);

/* Gives depot, spares' blocks, warm pool and gathered words back, after the thread's own magazines have been. */
void heap_drain(struct thread_heap *heap);

/* What to do first with a heap that was an orphan: gives back to its slabs what a thread lost by fork() had cached. */
void heap_settle(struct thread_heap *heap);

/* A slab of this heap has gained free blocks: it serves again, and is released when it is empty. */
void heap_regain(struct thread_heap *heap, struct slab *slab);

/* An orphan that the registry has just given to the caller: the heap, settled, and changing until heap_leave or
 * heap_hand_back. */
struct thread_heap *heap_take_over(struct heap_link *link);

/* The end of the caller's use of a heap that is changing: it is an orphan again. */
void heap_hand_back(struct thread_heap *heap);

/* Blocks of a class, for the invariant above; live is what the program holds, blocks gathered for other owners
 * included. */
struct heap_census {
  size_t capacity, free, remote, cached, depot;
};

/* Counts by walking; stops the program when a list, bitmap or magazine is not as it must be. Slow. */
struct heap_census heap_census(struct thread_heap *heap, size_t size_class);

/* The census of every class, at the transitions of a heap: what is not free or cached is live, and cannot be less
 * than nothing. */
#if HAKMEM_VALIDATE
void heap_check(struct thread_heap *heap);
#else
static inline void heap_check(struct thread_heap *heap) { (void)heap; }
#endif

#endif
