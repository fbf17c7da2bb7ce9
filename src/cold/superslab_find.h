/* superslab_find: which superslab units are taken from, and when another one is cut.
 *
 * Owns:     the order of the choice.
 * Promises: no fresh memory while a superslab of any part retains a run that fits, and no further superslab while one
 *           has room. At most one part's lock is held at once.
 * Callers:  cold/shared_pool.c, under the lock of the part.
 */
#ifndef HAKMEM_COLD_SUPERSLAB_FIND_H
#define HAKMEM_COLD_SUPERSLAB_FIND_H

#include "cold/superslab_lists.h"

/* How the units will be used. */
enum use {
  USE_WHOLE, /* soon, all of them */
  USE_PARTS, /* bit by bit, and perhaps never all */
  USE_SMALL, /* the same, and not in huge pages: to see what is used */
};

/* A superslab, on its lists; NULL: no memory. `comes_huge`: its first touch takes a huge page from the system. */
struct superslab_found {
  struct superslab *superslab;
  bool comes_huge;
};

/* The superslab to take `units` adjacent units from: an OPEN one with retained units, an OPEN one by best fit, a
 * DRAINING, a FREE; one of another part, in the same order, which moves to this one; one that is mapped again, a new
 * one; a dense one rather than another, or the other way round, by use. The part's lock may be dropped and taken again
 * meanwhile. */
struct superslab_found find_superslab(unsigned part, unsigned units, enum use use);

#endif
