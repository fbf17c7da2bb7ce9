/* check: looks at all blocks of the process, live and free.
 *
 * Owns:     nothing.
 * Promises: a damaged block stops the program, with no lock held. Other threads may go on: what they are about to
 *           change is left alone, and what looks damaged is looked at again. Of the pool's lock one superslab's worth
 *           at a time.
 * Callers:  secure/heap_hooks_secure.c, on any thread outside critical sections; check_ended: the thread that unbinds
 *           the slab; check_free: the owner of the block's slab.
 */
#ifndef HAKMEM_SECURE_CHECK_H
#define HAKMEM_SECURE_CHECK_H

#include "cold/cold.h"

/* How many blocks there are. */
size_t check_all(void);

/* A slab whose blocks are all free. */
void check_ended(const struct slab *slab);

/* A free block. */
void check_free(const void *block, size_t size_class);

#endif
