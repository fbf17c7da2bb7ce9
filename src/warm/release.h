/* release: free memory goes back to the operating system, because the program asks for it.
 *
 * Owns:     nothing; it says what is asked at each level, and in which order.
 * Promises: each level does what those before it do. RETAINED touches no heap; THREAD empties the calling thread's
 *           caches, and those that light threads share by CPU, collects what others freed to it, and gives back free
 *           pages inside its slabs; ALL does the same to heaps that nobody has.
 * Callers:  api/ (hak_purge, hak_collect, malloc_trim), warm/background.c. Any thread.
 */
#ifndef HAKMEM_WARM_RELEASE_H
#define HAKMEM_WARM_RELEASE_H

#include <stddef.h>
#include <stdint.h>

/* As HAK_PURGE_... in include/hakmem.h. */
enum release_level { RELEASE_RETAINED = 0, RELEASE_THREAD, RELEASE_ALL };

/* Bytes given back. */
size_t release_free_memory(enum release_level level);

/* Of every heap that nobody has: what was freed to it is collected, and free pages of slabs that nobody has taken from
 * for a second go back. */
void release_idle_orphans(void);

/* What CPUs have cached and nobody has used for so many milliseconds, by looks of one thread. */
void release_idle_cpus(uint32_t age);

#endif
