/* huge_lock: the lock of the table of live huge blocks, of the ranges retained, and of the pages to come that blocks
 * share.
 *
 * Owns:     LOCK_HUGE.
 * Promises: all are whole under it: the child of a fork() that has lost its holder mends the first two, and finds no
 *           pages to come if these were being replaced.
 * Callers:  cold/huge.c, cold/huge_kept.c and cold/huge_shared.c. Any thread; not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_LOCK_H
#define HAKMEM_COLD_HUGE_LOCK_H

void huge_lock(void);
void huge_unlock(void);

#endif
