/* holes: pages of a slab that have been given back to the system while other blocks of it live.
 *
 * Owns:     `absent` and `has_holes` of struct slab (cold/superslab.h) while the slab is bound.
 * Promises: a page becomes a hole only while every block that lies in it is free; it is one, and not counted, until
 *           such a block is taken. Blocks outside holes are taken first. Ranges of several slabs are given back by one
 *           system call.
 * Callers:  warm/slab.c, warm/coalesce.c and warm/trim.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_HOLES_H
#define HAKMEM_WARM_HOLES_H

#include "cold/cold.h"
#include "os/os.h"

/* Pages on their way to the system. */
struct holes {
  struct os_range range[OS_RANGES_MAX];
  unsigned count;
  size_t given_back; /* bytes so far */
};

/* Finds the pages of a slab that can be holes. They are given back when `holes` is full, and by holes_flush, before a
 * block is taken. */
void holes_find(struct holes *holes, struct slab *slab);
void holes_flush(struct holes *holes);

/* Takes up to `want` recycled blocks of a slab that has holes and stores them from `slot` downwards; returns how many.
 * Fewer than there are: the limit keeps the holes. */
unsigned holes_take(struct slab *slab, void **slot, unsigned want);

/* The pages from one offset to another, of a slab that is being carved at once, were never used: they are holes. */
void holes_leave(struct slab *slab, size_t from, size_t to);

/* Free blocks of a word of the bitmap that were handed out before and lie outside holes. */
uint64_t holes_outside(const struct slab *slab, unsigned word);

/* Bytes of a slab's holes. */
size_t holes_bytes(const struct slab *slab);

#endif
