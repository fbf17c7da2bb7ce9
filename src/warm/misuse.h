/* misuse: the last line of a program that has misused a block of a slab.
 *
 * Owns:     the wording: what was done, pointer, class, slab, thread; and the thread that has the slab, or had it last,
 *           where that is another one and known.
 * Promises: one line, then abort. Nothing is kept for it that a malloc or free would have to write: a heap notes its
 *           thread when it binds its first slab for it.
 * Callers:  WARM's boxes, the gates. Any thread, holding no lock.
 */
#ifndef HAKMEM_WARM_MISUSE_H
#define HAKMEM_WARM_MISUSE_H

#include "cold/cold.h"

/* ", owner thread N" of that thread; nothing where it is the calling one, or not known. */
RARE struct words misuse_owner(const struct slab *slab);

_Noreturn RARE void fatal_double_free(const struct slab *slab, unsigned index);
_Noreturn RARE void fatal_released(const void *block, size_t size_class); /* its slab is no more */
_Noreturn RARE void fatal_freed(const void *block, size_t size_class, const char *what);
_Noreturn RARE void fatal_interior(const void *block, size_t size_class, const char *what);

#endif
