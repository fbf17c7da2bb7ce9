/* occasions: when a profile is written, and to which file.
 *
 * At exit, to HAKMEM_PROFILE_FILE (hakmem.%p.profile in the working directory, where %p is the process; if it is set to
 * nothing, none is written). A process that was never sampled writes none. At a signal
 * and every so many seconds, to that name with .1, .2 and so on behind it; at a new peak of what lives, to that name
 * with .peak behind it. The seconds and the peak are looked at when a sample is taken: a process that allocates nothing
 * writes nothing. A peak is new when it is a sixteenth above the last one written.
 *
 * Owns:     the names, the handler of the signal, and who writes at the moment.
 * Promises: one thread writes at a time; another's occasion is left out meanwhile, but for the exit's. A failure is one
 *           line on standard error for the first, and no harm. The child of fork() writes its own file. A program with
 *           raised privileges writes none.
 * Callers:  profile/sample_hooks_profile.c; the C library at exit.
 */
#ifndef HAKMEM_PROFILE_OCCASIONS_H
#define HAKMEM_PROFILE_OCCASIONS_H

/* The process has started: options are known. */
void occasions_start(void);

#endif
