/* stop: the last line of a program whose misuse was found.
 *
 * Owns:     the wording: what was done, pointer, damage, class, slab, thread.
 * Promises: one line, then abort; what release says too is said in the same words.
 * Callers:  src/secure. Any thread.
 */
#ifndef HAKMEM_SECURE_STOP_H
#define HAKMEM_SECURE_STOP_H

#include <stddef.h>

#include "base/base.h"

/* Bytes that are not what they were: how many, from which byte of the block on. It is negative before the block. */
struct damage {
  ptrdiff_t from;
  size_t count;
};

/* "<what>: pointer ..., class of ... bytes, slab ..., thread ..." of a block in a slab. */
_Noreturn RARE void stop_slab(const char *what, const void *block, size_t size_class);

/* The same with ", ... bytes changed from byte ... on" behind the pointer. */
_Noreturn RARE void stop_damaged(const char *what, const void *block, size_t size_class, struct damage damage);

/* "<what>: pointer ..., <kind>, thread ..." of a block that no slab holds. */
_Noreturn RARE void stop_big(const char *what, const void *block, size_t size);
_Noreturn RARE void stop_big_damaged(const char *what, const void *block, size_t size, struct damage damage);

/* "<what> of a freed block: ...", of any use but free, which is a double free. */
_Noreturn RARE void stop_big_freed(const char *what, const void *block, size_t size);

#endif
