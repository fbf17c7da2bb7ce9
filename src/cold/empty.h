/* empty: blocks of zero bytes, in memory that nobody can read or write.
 *
 * malloc(0) has to return an address of its own. Nothing may be read or written there, so that any use of it is an
 * error of the program; here it is a fault. It costs nothing: the size has an entry of its own in the index of
 * classes, whose magazine is always empty, so that only a request of zero bytes takes another path than before; and it
 * saves the eight bytes.
 *
 * Owns:     a range of addresses without access, and a bitmap of those that are handed out.
 * Promises: no address is handed out twice; a block freed twice stops the program at once; no lock, no state that a
 *           child of fork() could find torn. When 2^20 of them live, or the system refuses, it has none to give.
 * Callers:  WARM. Any thread.
 */
#ifndef HAKMEM_COLD_EMPTY_H
#define HAKMEM_COLD_EMPTY_H

#include <stdbool.h>
#include <stddef.h>

/* NULL: there is none. */
void *empty_allocate(void);

/* False: the address is none of these. */
bool empty_free(const void *block);

/* Whether the address is a live one; stops the program, naming `what` was tried, when it was freed or lies between
 * two. */
bool empty_is_live(const void *block, const char *what);

#endif
