/* release: everything that is free goes back to the operating system, because the program asks for it.
 *
 * Owns:     nothing; it says what is asked, and in which order.
 * Promises: the calling thread's caches are emptied, what others freed to it and to ended threads is collected, and free pages
 *           inside partly used slabs go back too.
 * Callers:  api/ (hak_collect, malloc_trim). Any thread.
 */
#ifndef HAKMEM_WARM_RELEASE_H
#define HAKMEM_WARM_RELEASE_H

#include <stddef.h>

/* Bytes given back. */
size_t release_free_memory(void);

#endif
