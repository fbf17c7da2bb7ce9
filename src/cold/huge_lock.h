/* huge_lock: the lock of the table of live huge blocks and of the ranges retained.
 *
 * Owns:     LOCK_HUGE.
 * Promises: both are whole under it: the child of a fork() that has lost its holder mends both.
 * Callers:  cold/huge.c and cold/huge_kept.c. Any thread; not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_LOCK_H
#define HAKMEM_COLD_HUGE_LOCK_H

void huge_lock(void);
void huge_unlock(void);

#endif
