/* turns: threads that take turns, so that a run with several of them is as repeatable as one with a single thread.
 *
 * Owns:     the threads, each in a slot; a slot's thread begins at its first turn.
 * Promises: one body runs at a time, on the thread of its slot, and has ended on return.
 * Callers:  the fuzzer's thread.
 */
#ifndef HAKMEM_TESTS_FUZZ_TURNS_H
#define HAKMEM_TESTS_FUZZ_TURNS_H

enum { TURN_SLOTS = 4 }; /* slot 0 is the caller's own thread */

/* Runs body(argument) on the thread of a slot. */
void turn_run(unsigned slot, void (*body)(void *), void *argument);

/* Ends a slot's thread, if it has begun; the next turn begins another. */
void turn_end(unsigned slot);

#endif
