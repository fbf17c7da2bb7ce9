/* guard: the last page of every slab's unit is out of bounds, and so is that of the unit before it.
 *
 * A unit keeps its guard as long as its superslab is mapped, whatever slabs are made of it. Where the system can mark
 * pages without an area of their own (MADV_GUARD_INSTALL, Linux 6.13) that costs one call for each unit that is used
 * for the first time, and nothing else. Elsewhere each guard takes two of the process's mappings, of which there are
 * 65,530 by default: then GUARDS_MAX units have one, a gigabyte of slabs, and what is used after them goes without.
 *
 * Owns:     which units have a guard.
 * Promises: no failure: what cannot be guarded is used all the same. Pages must be of 4 KiB, or there are no guards.
 * Callers:  secure/slab_hooks_secure.c, when a superslab is cut and when a slab is bound. Any thread, no lock.
 */
#ifndef HAKMEM_SECURE_GUARD_H
#define HAKMEM_SECURE_GUARD_H

#include "cold/cold.h"

enum { GUARDS_MAX = 16000 };

/* A superslab was mapped: no unit of it has a guard. */
void guard_none(const char *superslab_start);

void guard_slab(const char *slab_start);

#endif
