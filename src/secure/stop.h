/* stop: the last line of a program whose misuse was found.
 *
 * Owns:     the wording: what was done, pointer, class, slab, thread.
 * Promises: one line, then abort; what release says too is said in the same words.
 * Callers:  src/secure. Any thread.
 */
#ifndef HAKMEM_SECURE_STOP_H
#define HAKMEM_SECURE_STOP_H

#include <stddef.h>

#include "base/base.h"

/* "<what>: pointer ..., class of ... bytes, slab ..., thread ..." of a block in a slab. */
_Noreturn RARE void stop_slab(const char *what, const void *block, size_t size_class);

/* "<what> of a freed block: ...", of any use but free, which is a double free. */
_Noreturn RARE void stop_freed(const char *what, const void *block, size_t size_class);

/* "<what>: pointer ..., <kind>, thread ..." of a block that no slab holds. */
_Noreturn RARE void stop_big(const char *what, const void *block, size_t usable);

_Noreturn RARE void stop_big_freed(const char *what, const void *block, size_t usable);

#endif
