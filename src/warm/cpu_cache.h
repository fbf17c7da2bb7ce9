/* cpu_cache: a magazine per class for each CPU, which all threads that have no heap share.
 *
 * A row holds the tops of one CPU's magazines; blocks are taken and given by restartable sequences
 * (warm/cpu_section.h). Who does more with a magazine takes it out of its row meanwhile. There are two sets of rows:
 * who empties the one in use makes the other the one in use, and has the kernel abandon all sequences that are under
 * way (membarrier). From then on nobody works on the former.
 *
 * There are none where the C library has not registered rseq (glibc does since 2.35; not under valgrind or qemu), nor
 * where the system has no such barrier.
 *
 * Owns:     the rows.
 * Promises: a block in a row counts as handed out by its slab; a row's magazine may hold blocks of many heaps. Every
 *           moment shows whole rows, for a child of fork(), which loses at most what each lost thread had taken out: a
 *           magazine. A row is found by a number below 256; a CPU beyond has none.
 * Callers:  warm/light.c: cpu_join (warm/light_work.c and warm/thread.c, too), and the functions that need a thread
 *           that has joined. Emptying: warm/post.c. Figures: warm/cached.c, report/. cpu_begin, cpu_forked:
 *           warm/process.c.
 */
#ifndef HAKMEM_WARM_CPU_CACHE_H
#define HAKMEM_WARM_CPU_CACHE_H

#include "warm/cpu_section.h"
#include "warm/thread_cache.h"

/* At the start of the process, before it has a second thread. */
void cpu_begin(void);

/* The calling thread may use its CPU's row: thread_cache.cpu is set. False: there are no rows. */
bool cpu_join(void);

/* A block of the row's magazine; NULL: none, or the CPU was lost. */
void *cpu_pop(size_t size_class);

/* False: there is no magazine, it is full, or has the block on top; or the CPU was lost. */
bool cpu_push(size_t size_class, void *block);

/* The row's magazine, by its top, is the caller's; NULL: it has none, or the CPU was lost. */
void **cpu_take(size_t size_class);

/* The other way round. False: the row has another one meanwhile, or the CPU was lost. */
bool cpu_give(size_t size_class, void **top);

/* Empties all rows. `visit` is told what each magazine held, from `top` down to its NULL; the magazine stays with its
 * row. Does nothing while another thread does it, or where the system refuses. In a critical section. */
void cpu_empty(void (*visit)(size_t size_class, void *const *top));

/* In the child of fork(), outside critical sections. */
void cpu_forked(void);

/* Calls `visit` for each block in a row; and their bytes. Exact while no other thread works. */
void cpu_each(void (*visit)(void *block, void *context), void *context);
size_t cpu_cached_bytes(void);

/* A number that changes when what the rows hold does. */
uint64_t cpu_mark(void);

#if HAKMEM_CPU_CACHES
enum { CPU_ROWS_IN_ALL = 2 * CPU_ROWS };
extern HIDDEN struct cpu_row cpu_rows[CPU_ROWS_IN_ALL]; /* for report/layout.def */
#define CPU_ROWS_ADDRESS cpu_rows
#else
enum { CPU_ROWS_IN_ALL = 0 };
#define CPU_ROWS_ADDRESS NULL
#endif

#endif
