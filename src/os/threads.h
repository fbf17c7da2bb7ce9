/* threads: what the system says of threads, and how they wait for each other.
 *
 * Owns:     nothing; the system calls for it.
 * Promises: no lock; errno is kept.
 * Callers:  any box below HOT, on any thread.
 */
#ifndef HAKMEM_OS_THREADS_H
#define HAKMEM_OS_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The calling thread; the process, asked of the system each time. */
long os_thread_id(void);
long os_process_id(void);

/* The C library has made no other thread, in this process or since it was forked. False where it does not say. */
bool os_has_one_thread(void);

/* The calling thread, for a message that may come later; os_noted_thread has its number then. Of the process's first
 * thread it needs no system call, and holds in the child of fork() too. Never 0. */
uint32_t os_note_thread(void);
bool os_notes_first_thread(uint32_t note);
long os_noted_thread(uint32_t note);

/* CPUs that the calling thread may run on; 1 where the system does not say, or of more than 1,024. */
size_t os_processors(void);

/* Makes every thread of the process pass a full memory barrier before the second one returns. False: the system has
 * none. */
bool os_barrier_begin(void);
bool os_barrier(void);

/* Abandons the restartable sequence (rseq) of each thread of the process that is in one, and is such a barrier. False:
 * the system cannot. os_restart_is_known: whether it says that it can. os_restart_begin, while the process has one
 * thread, is done at once; where it was left out, the first os_restart_sequences of a process that has had several
 * takes 13 to 28 ms on a machine with 16 CPUs. */
bool os_restart_is_known(void);
void os_restart_begin(void);
bool os_restart_sequences(void);

/* How much of a thread's struct rseq the kernel keeps up to date, in bytes; 0: it is too old to say. */
size_t os_rseq_bytes(void);

/* Starts a detached thread that no signal of the program reaches; false: the system has none for it. `stack_bytes` is
 * 0 for the system's default. It calls the program's malloc. */
bool os_thread_start(void *(*body)(void *), size_t stack_bytes);

/* The name of the calling thread, as ps and top show it; 15 letters at most. */
void os_name_thread(const char *name);

/* Waits while *word is `value`, until os_wake; may return earlier. */
void os_wait(_Atomic uint32_t *word, uint32_t value);

/* The same for at most so long. */
void os_wait_for(_Atomic uint32_t *word, uint32_t value, uint32_t milliseconds);

/* Lets other threads run. */
void os_yield(void);

/* Wakes one thread that waits for *word. */
void os_wake(_Atomic uint32_t *word);

#endif
