/* huge_places: the table of the address ranges that are retained, found by where they begin or end, and by length.
 *
 * Owns:     RANGES_MAX places for ranges; lists of them by length, eight to a doubling, and by where they begin and
 *           end.
 * Promises: a range is found, added or dropped in about as many steps as its lists have ranges. It is in the table or
 *           not, whole, at every moment: a child of fork() loses one at worst, and mends what finds the others.
 * Callers:  cold/huge_ranges.c and cold/huge_lock.c, under its lock (LOCK_HUGE).
 */
#ifndef HAKMEM_COLD_HUGE_PLACES_H
#define HAKMEM_COLD_HUGE_PLACES_H

#include <stddef.h>
#include <stdint.h>

/* Where blocks come and go at random there are about half as many ranges as blocks. Those up to the most there have
 * been are resident: 36 bytes each. */
enum { RANGES_MAX = 4096 };

/* A range of addresses; `start` is NULL where there is none. */
struct huge_range {
  char *start;
  size_t bytes;
  uint64_t freed; /* when, in milliseconds */
};

/* A range's place; NULL: all are taken. */
struct huge_range *places_add(struct huge_range range);

/* The range at this place is another one, with no third between the two. */
void places_change(struct huge_range *place, struct huge_range range);
void places_drop(struct huge_range *place);

/* The ranges that end and begin where one begins and ends that is in no place; NULL: none does. */
struct neighbours {
  struct huge_range *before, *behind;
};

struct neighbours places_beside(struct huge_range range);

/* The shortest that has `bytes` from an aligned address on; NULL: none has. */
struct huge_range *places_best(size_t bytes, size_t alignment);

/* How many places are taken, for who has no lock as a figure; the ranges, from 0 on, in no order. */
unsigned places_count(void);
struct huge_range *places_at(unsigned i);

/* Finds the ranges anew by what is in the places. */
void places_mend(void);

#endif
