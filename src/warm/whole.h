/* whole: a slab's blocks where some of them may be coalesced (warm/inside.h).
 *
 * Owns:     nothing: the slab's bitmaps are warm/slab.h's and warm/inside.h's.
 * Promises: a coalesced block becomes free with its inside. At every moment, for a child of fork(), each block is free,
 *           inside, or handed out; or free and inside, while it is about to be one of them (warm/rebuild.h).
 * Callers:  WARM, on the thread that has the heap; slab_whole_bytes: any thread.
 */
#ifndef HAKMEM_WARM_WHOLE_H
#define HAKMEM_WARM_WHOLE_H

#include "warm/inside.h"
#include "warm/slab.h"

/* Free blocks of one word, `parts` (2 to 63) from the one at `index` on, become one. False: no memory for the
 * bitmap. */
bool slab_coalesce(struct slab *slab, unsigned index, unsigned parts);

/* Takes back a block that may be a coalesced one; returns how many of the slab's class are free again. */
unsigned slab_put_whole(struct slab *slab, unsigned index);

/* Bytes of a live block in a unit whose tag says coalesced; stops the program when none begins here. `what` names the
 * caller. */
size_t slab_whole_bytes(const void *block, size_t size_class, const char *what);

#endif
