/* warm: the one boundary below HOT.
 *
 * Owns:     nothing; it names what HOT may ask of WARM.
 * Promises: every call works on a thread that has not started (it starts it) and on one that has ended (it borrows a
 *           heap for the call); a failure is NULL with ENOMEM; a success leaves errno alone.
 * Callers:  hot/gate.h and api/. Any thread.
 */
#ifndef HAKMEM_WARM_WARM_H
#define HAKMEM_WARM_WARM_H

#include <stdbool.h>
#include <stddef.h>

/* The class's magazine is empty: exchanges or fills it, and returns one block, of this class or of the next larger
 * one. */
void *refill(size_t size_class);

/* The same, of this very class: for callers that need its alignment. */
void *refill_exact(size_t size_class);

/* The class's magazine is full: exchanges or empties it, and takes `block`, which the calling thread's heap owns. */
void spill(size_t size_class, void *block);

/* Frees what is not the calling thread's own: another thread's block, a large or huge one, NULL; stops on anything
 * else. */
void free_remote(void *block);

/* Stops the program: `block`, of `usable` bytes, was freed as one of `size` bytes. */
_Noreturn void fatal_wrong_size(const void *block, size_t usable, size_t size);

/* A block above SIZE_CLASS_MAX. */
void *allocate_large(size_t size);

/* As allocate_large for any size, aligned to a power of two; *zeroed says whether its bytes are known to be zero. */
void *allocate_aligned(size_t size, size_t alignment, bool *zeroed);

/* Bytes usable in a live block; stops the program when the pointer is none of ours. `what` names the caller in that
 * line. */
size_t block_usable_size(const void *block, const char *what);

/* Bytes that a request of `size` would be given. */
size_t size_usable(size_t size);

/* Resizes a large or huge block without copying by hand. NULL: not possible, the block is as it was. */
void *resize_large(void *block, size_t size);

/* Empties the calling thread's cache and depot, collects what others freed to it and to ended threads, and gives
 * empty memory back to the operating system. Bytes given back. */
size_t collect(void);

#endif
