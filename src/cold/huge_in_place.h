/* huge_in_place: a huge block becomes shorter or longer where it lies, without a system call.
 *
 * Owns:     nothing.
 * Promises: what a block leaves is retained as if it had been a block and was freed; what is retained behind it is
 *           taken. What is given back by that is what cold/residency.h asks for.
 * Callers:  WARM. Any thread; LOCK_HUGE inside, not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_IN_PLACE_H
#define HAKMEM_COLD_HUGE_IN_PLACE_H

#include <stddef.h>

/* `size` is at most PTRDIFF_MAX. Usable bytes of the block from now on: less than `size` where it is as it was, as
 * nothing is retained behind it, or not enough; 0 where no live huge block starts at `block`. */
size_t huge_resize_in_place(void *block, size_t size);

#endif
