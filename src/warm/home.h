/* home: magazines of another thread's blocks, on their way to it.
 *
 * A thread that frees another's blocks gathers them by owner and class. A full magazine goes onto the owner's stack by
 * one atomic operation, and the owner uses it as it is: no slab, no bitmap on either side. What is mixed, late or left
 * over goes as bits (warm/remote.h).
 *
 * Owns:     the magazines that a thread gathers, and the stack of those that have come home to a heap.
 * Promises: a thread gathers for at most 128 pairs of owner and class. Whoever is given a magazine may use it, also
 *           when a block's slab has gone to another heap since: its tag says where it belongs when it is freed. A
 *           block that is freed twice in a row stops the program. Every moment shows a whole magazine, or none, for a
 *           child of fork(), which loses what was between two stacks.
 * Callers:  WARM. Gathering: the thread that has the heap; the stack: any thread pushes, or steals, and the heap's own
 *           takes.
 */
#ifndef HAKMEM_WARM_HOME_H
#define HAKMEM_WARM_HOME_H

#include "warm/magazine.h"
#include "warm/slab.h"

enum { HOME_ENTRIES = 128 };

/* A magazine being gathered. */
struct home_entry {
  void **top;
  unit_tag tag; /* of its blocks: owner and class; 0: no magazine */
  bool small;   /* it may hold fewer blocks than a full one */
};

/* The one entry that gathers blocks of this tag: by the upper bits of a product, so that an owner's classes, one after
 * the other, have entries of their own, and the same class of several owners lies 37 entries apart. */
static inline struct home_entry *home_entry_of(struct home_entry *entries, unit_tag tag) {
  enum { ENTRY_SHIFT = 25 };
  const uint32_t spread = (UINT32_C(1) << ENTRY_SHIFT) + (UINT32_C(37) << (ENTRY_SHIFT - UNIT_TAG_CLASS_BITS));
  return &entries[tag * spread >> ENTRY_SHIFT];
}

/* Takes a block into a magazine that it belongs to. False: it is full, or the block lies on top of it already. */
static inline bool home_push(struct home_entry *entry, void *block) {
  void **top = entry->top + 1;
  if (unlikely(((uintptr_t)top & (MAGAZINE_BYTES - 1)) == 0 || top[-1] == block)) {
    return false;
  }
  *top = block;
  atomic_signal_fence(memory_order_seq_cst);
  entry->top = top;
  return true;
}

/* The magazine leaves its entry. The entry first: a child of fork() finds the magazine in one place, or loses it. */
static inline void **home_leave(struct home_entry *entry) {
  entry->tag = 0;
  atomic_signal_fence(memory_order_seq_cst);
  return entry->top;
}

/* Full magazines that have come home, linked by their slot 0. */
struct home_stack {
  _Atomic(void **) first;
  _Atomic uint32_t waiting; /* about how many: of threads that push at once one may count for all */
  _Atomic uint32_t steals;  /* twice as many as there were; odd: some thread looks through them */
  _Atomic(void **) held;    /* those that it has still to give back; of no use but to a child of fork() */
};

/* Of more that wait the blocks are better posted: these magazines fill half of a core's own cache, a bit is smaller
 * than a slot by far, and blocks that were posted come back in the order of their addresses. */
enum { HOME_WAITING_MOST = 512 };

void home_stack_push(struct home_stack *stack, void **magazine);

/* All of them; NULL: none. */
void **home_stack_take(struct home_stack *stack);

/* For another thread than the heap's: a magazine of this class, if one of the last that have come is; the others stay.
 * NULL: none is, or somebody else looks through them. */
void **home_stack_steal(struct home_stack *stack, size_t size_class);

/* In the child of fork(): what a lost thread was looking through is there again. */
void home_stack_mend(struct home_stack *stack);

/* HOME_WAITING_MOST wait, or about so many. */
bool home_stack_is_full(struct home_stack *stack);

static inline bool home_stack_is_empty(struct home_stack *stack) {
  return atomic_load_explicit(&stack->first, memory_order_relaxed) == NULL;
}

#endif
