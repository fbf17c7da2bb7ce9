/* mixed_run: requests of every kind that reach the operating system, each answer checked.
 *
 * Owns:     the blocks of the run and their contents.
 * Promises: every size class, large, huge and aligned blocks, growth and shrinking by realloc, blocks handed from thread to
 *           thread, threads that start and end, hak_collect. With one thread the run is the same every time.
 *           Stops the process with a line when an answer is wrong.
 * Callers:  the sweep, on its first thread.
 */
#ifndef HAKMEM_TESTS_SWEEP_MIXED_RUN_H
#define HAKMEM_TESTS_SWEEP_MIXED_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct mixed_result {
  size_t calls;           /* of the operating system */
  size_t refused;         /* requests that got NULL */
  size_t dearest_refusal; /* calls that one of them made but for those that give back, where one thread runs */
};

/* Runs on so many threads and frees every block; `must_succeed`: no request may be refused. */
struct mixed_result mixed_run(unsigned threads, bool must_succeed);

/* After a run: invariants hold, at most `live` blocks are in use (those of the C library), empty memory has been given
 * back. */
void mixed_check_nothing_lost(size_t live);

/* In a child of fork(): frees the blocks of the threads that it has lost, and runs on. */
void mixed_check_child(unsigned threads, size_t live);

/* Blocks in use in all slabs. */
size_t mixed_live_blocks(void);

#endif
