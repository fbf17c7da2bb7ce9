/* roots: where the records of COLD begin, for a reader in another process or of a core file.
 *
 * Owns:     nothing. Each name is the address of a variable that its box keeps to itself (ADDRESS_KNOWN_AS).
 * Promises: addresses alone: nothing here can be read or written by these names.
 * Callers:  report/layout.c.
 */
#ifndef HAKMEM_COLD_ROOTS_H
#define HAKMEM_COLD_ROOTS_H

#include "base/base.h"

extern HIDDEN const char root_heaps[];                         /* cold/registry.c: the first of all heaps */
extern HIDDEN const char root_range_first[], root_range_end[]; /* cold/superslab_table.c: superslabs cut so far */
extern HIDDEN const char root_huge_table[], root_huge_gone[];  /* cold/huge_table.c: live huge blocks */
extern HIDDEN const char root_huge_ranges[];                   /* cold/huge_ranges.c: what is retained of them */

#endif
