/* depot: full magazines behind a thread's cache.
 *
 * A full magazine is exchanged for an empty one in O(1), and the other way round; only past the depot's bound do
 * blocks go back to their slabs. This decides the speed of programs that allocate and free in waves.
 *
 * Owns:     a heap's magazines that no class of its thread's cache has.
 * Promises: magazines are reused; NULL when there is no memory for one. The depot's bytes stay within the bound that
 *           the heap sets; its magazines take a small part of what the heap has, unless they are used again and again.
 *           The lists are whole at every moment, for a child of fork(): a magazine is linked before it is on a list,
 *           and off the list before it is not.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_DEPOT_H
#define HAKMEM_WARM_DEPOT_H

#include <stddef.h>

#include "warm/magazine.h"

struct depot {
  void **full[SIZE_CLASS_COUNT]; /* full magazines of a class, newest first */
  void **empty;                  /* magazines that hold nothing */
  unsigned empties;              /* of them, 63 at most: 64 are a chain */
  unsigned made;                 /* magazines, for this depot */
  unsigned refused;              /* full magazines that went to the slabs, as no empty one was to be made */
  unsigned missed;               /* refills from the slabs instead of these */
  void **chains;                 /* chains of empty magazines; beyond some they go to the stock of all heaps */
  unsigned chain_count;
  unsigned chains_short; /* taken from the stock, as there were none */
  size_t bytes;          /* of blocks in full magazines */
  uint64_t filled;       /* bit c: class c has full magazines */
  size_t cursor;         /* class whose magazine was taken apart last */
};

/* The bottom of an empty magazine that may hold `blocks`; NULL when there is no memory. */
void **depot_take_empty(struct depot *depot, unsigned blocks);

void depot_give_empty(struct depot *depot, void **magazine);

/* The heap need not have as many empty magazines as before: most go to the stock. */
void depot_tidy(struct depot *depot);

/* Puts a full magazine in for an empty one, and returns the bottom of that. NULL, with nothing changed: there is no
 * memory, or magazines have their part of `held`, the bytes of the heap's slabs. */
void **depot_exchange(struct depot *depot, size_t size_class, void **magazine, size_t held);

/* A class has no full magazine, and is refilled from slabs. */
static inline void depot_missed(struct depot *depot) {
  if (depot->refused > 0) {
    depot->refused--;
    depot->missed++;
  }
}

/* Puts a full magazine in, and takes one out (NULL: none). */
void depot_push(struct depot *depot, size_t size_class, void **magazine);
void **depot_pop(struct depot *depot, size_t size_class);

/* Some class that has full magazines, in turn; SIZE_CLASS_COUNT: none has. */
size_t depot_victim(struct depot *depot);

#endif
