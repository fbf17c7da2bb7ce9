/* heap: what one thread owns: its lanes (the slabs of each class), depot, warm pool, and what it exchanges with other
 * threads.
 *
 * Owns:     struct thread_heap. Who has it, and when that changes: cold/registry.h's table of states.
 * Promises: INVARIANT, for every slab: capacity = live + in magazines + free bits + remote bits (posted and gathered)
 *           + insides (a coalesced block is one of these and its inside: warm/inside.h).
 *           Between heap_enter and heap_leave the heap is CHANGING: a child of fork() then knows that it must rebuild
 *           it; and nobody but its thread touches it. While it is OWNED another may borrow it for a moment
 *           (warm/lend.h).
 * Callers:  WARM's boxes, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_HEAP_H
#define HAKMEM_WARM_HEAP_H

#include "os/os.h"
#include "warm/depot.h"
#include "warm/home.h"
#include "warm/remote.h"
#include "warm/runs.h"
#include "warm/thread_cache.h"
#include "warm/warm_pool.h"

/* A class's slabs that have recycled blocks: refilled from the first, newly freed ones join last. `carving` is the
 * one whose memory is still fresh in part: it is used when no recycled block is left, so that what is resident serves
 * before what is not. `queued` are those that came through the queue and keep their token until the lane is empty,
 * so that freeing threads need not publish them again meanwhile. */
struct lane {
  struct slab *first, *last;
  struct slab *carving;
  unsigned borrowed;   /* blocks of the next class that served since this one grew, or the thread was drained, last */
  struct slab *queued; /* linked by queue_next */
  struct {
    uint8_t parts, times, skips; /* runs of so many blocks, how often, and how often they are not looked for */
  } vain;                        /* looked for in its slabs: warm/coalesce.h */
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what other threads write has a cache line of its own
struct thread_heap {
  struct heap_link link;      /* first: the registry knows heaps by it */
  struct thread_cache *cache; /* of the thread that has the heap; NULL while it has none */
  _Atomic uint32_t lent;      /* enum lent */
  _Atomic uint32_t uses;      /* of heap_enter; written by the thread that has the heap */
  size_t bound_bytes;         /* of the slabs bound now */
  size_t used_bytes;          /* of the blocks that its slabs have handed out: live, or cached */
  size_t share;               /* bytes that it may cache: warm/share.h */
  unsigned ticks;             /* slow paths since residency was settled: warm/spot_check.h */
  unsigned rounds;            /* how often it was */
  uint32_t sample_in;         /* rounds until a block is a guarded sample; 0: the next that can be */
  uint32_t sample_random;     /* for the distance between samples; 0: none was chosen yet */
  size_t checked;             /* class whose cached blocks were checked last */
  bool fresh;                 /* what refilled last came from memory that was never used */
  bool trim_waits;            /* its slabs have free pages that were not given back when it declined */
  bool has_small_magazines;   /* or may have: its share was too small once */
  uint16_t pressure;          /* of cold/limit.h, as far as warm/relief.h has seen to it */
  size_t keep;                /* bytes of slabs and runs that it may keep empty */
  size_t kept_told;           /* bytes of them that cold/residency.h knows of */
  size_t drained_used;        /* used_bytes when its caches were emptied last */
  size_t idle_in_vain;        /* in its slabs, since its caches were emptied last: warm/growth.h */
  size_t trim_below;          /* warm/trim.h looks through the lanes when less than that is used */
  uint64_t now;               /* milliseconds, read when the heap grows */
  uint64_t trimmed_at;        /* when it last looked at slabs of an age */
  struct lane lane[SIZE_CLASS_COUNT];
  uint64_t queued;  /* bit c: lane c has queued slabs */
  uint64_t carving; /* bit c: lane c has a slab that it carves */
  struct {
    struct slab *oldest, *newest;
    size_t bytes;
  } kept; /* slabs that are empty and still bound: warm/lane.h */
  struct depot depot;
  struct warm_pool warm_pool;
  struct runs runs;
  _Atomic unsigned medium_count; /* blocks of medium sizes in runs and ranges: warm/medium_count.h */
  struct home_entry home[HOME_ENTRIES];
  unsigned begun;                    /* magazines begun in these, less vain looks at them: warm/gather.h */
  struct heap_link *steals_from;     /* whose magazines it looks for next; NULL: the first heap's: warm/gather.h */
  _Atomic size_t publications;       /* to other heaps, by this heap's threads; written by them alone */
  void **lost_top[SIZE_CLASS_COUNT]; /* the magazines of a thread that the child of fork() does not have */

  /* On a cache line of their own: other threads write them. */
  _Alignas(64) struct remote_queue queue;
  struct home_stack returned;

  struct {
    uint32_t uses, done; /* the heap's when it looked, and when it had put the heap in order */
    uint64_t since;      /* milliseconds: it has been so since then */
  } borrower;            /* whoever borrows the heap: warm/lend.h */
};

static inline struct thread_heap *heap_of_link(struct heap_link *link) { return (struct thread_heap *)(void *)link; }

/* Whether another thread may have the heap, and whether its own waits for it to come back. */
enum lent { HEAP_LENT_NOT = 0, HEAP_LENT, HEAP_LENT_AWAITED };

/* The heap is CHANGING, and lent: waits until it has come back. */
void heap_await(struct thread_heap *heap);

/* In the child of fork(), which does not have who borrowed it: makes a heap that is lent whole. */
extern HIDDEN void (*heap_borrower_lost)(struct thread_heap *heap);

/* The process of whoever borrows heaps. */
extern HIDDEN long heap_borrower;

/* No barrier between the store of the state and the load of `lent`: who lends sees to it (warm/lend.c). */
static inline void heap_enter(struct thread_heap *heap) {
  critical_enter();
  heap_state_set(&heap->link, HEAP_CHANGING);
  atomic_signal_fence(memory_order_seq_cst);
  uint32_t uses = atomic_load_explicit(&heap->uses, memory_order_relaxed);
  atomic_store_explicit(&heap->uses, uses + 1, memory_order_relaxed);
  if (unlikely(atomic_load_explicit(&heap->lent, memory_order_acquire) != HEAP_LENT_NOT)) {
    heap_await(heap);
  }
}

static inline void heap_leave(struct thread_heap *heap) {
  atomic_signal_fence(memory_order_seq_cst);
  heap_state_set(&heap->link, HEAP_OWNED);
  critical_leave();
}

/* A new heap, the caller's and changing; NULL when there is no memory. The second with a reserved owner number
 * (cold/registry.h): its slabs have a tag of their own, and no thread ever claims it of itself. */
struct thread_heap *heap_new(void);
struct thread_heap *heap_new_reserved(void);

/* Bytes of the blocks that are live or in a magazine of the cache. The depot may also have blocks of other heaps, more
 * bytes of them than this one uses. */
static inline size_t heap_live_bytes(const struct thread_heap *heap) {
  size_t used = heap->used_bytes;
  size_t depot = heap->depot.bytes;
  return used > depot ? used - depot : 0;
}

/* Posts bits of a slab, and publishes it to its owner if need be. The caller is in a critical section. True: it was
 * published. */
static inline bool heap_send_bits(struct slab *slab, unsigned word, uint64_t bits) {
  bool published = remote_post(slab, word, bits);
  if (published) {
    remote_enqueue(&atomic_load(&slab->heap)->queue, slab);
  }
  return published;
}

#endif
