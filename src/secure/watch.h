/* watch: a thread that checks all blocks now and then, where HAKMEM_SECURE_CHECK asks for it.
 *
 * Owns:     the thread, which is named "hakmem-check".
 * Promises: it blocks every signal and sleeps between its looks. It ends with the main thread, as far as that had a
 *           heap; a child of fork() has none. Where the system has no thread for it there is none, with one warning.
 * Callers:  secure/heap_hooks_secure.c.
 */
#ifndef HAKMEM_SECURE_WATCH_H
#define HAKMEM_SECURE_WATCH_H

/* The process has been loaded. */
void watch_start(void);

/* The calling thread ends. */
void watch_thread_ended(void);

#endif
