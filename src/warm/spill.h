/* spill: a place for a block whose magazine is full.
 *
 * Owns:     the bound of the depot, and what goes back to the slabs past it.
 * Promises: a full magazine goes to the depot in exchange for an empty one; past the bound, magazines of the classes in
 *           turn go back to their slabs. Where no empty one may be made (warm/depot.h), half of the blocks do. A block
 *           that lies on top of its magazine already was freed twice in a row, and stops the program.
 * Callers:  HOT and the gates, on the thread itself.
 */
#ifndef HAKMEM_WARM_SPILL_H
#define HAKMEM_WARM_SPILL_H

#include <stddef.h>

/* Takes `block`, which the calling thread's heap owns and its cache did not take. */
void spill(size_t size_class, void *block);

#endif
