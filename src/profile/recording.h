/* recording: what has been sampled, written to a file.
 *
 * The file is for tools/hakmem_profile, which makes of it what others read; here nothing is named, sorted or packed.
 * All numbers are the machine's own, 8 bytes each; addresses are as in the process. It consists of parts; each begins
 * with four letters and the bytes that follow them.
 *
 *   HEAD  version, process, wall clock in ns, bytes between samples, samples missed, stacks lost, parts of a block
 *   STCK  number, samples, blocks, bytes (allocated, weighed), and the addresses of its calls, the innermost first
 *   LIVE  number of the stack, size, address: of each sampled block that lives
 *   MAPS  /proc/self/maps
 *   ARGS  /proc/self/cmdline
 *   DONE  nothing: the file is whole
 *
 * Owns:     the form of the file.
 * Promises: the file appears under its name when it is whole, and not at all when a system call fails. Nothing is
 *           allocated but one mapping, which is given back. No lock is held during system calls.
 * Callers:  profile/occasions.c, one thread at a time, outside critical sections.
 */
#ifndef HAKMEM_PROFILE_RECORDING_H
#define HAKMEM_PROFILE_RECORDING_H

#include <stdbool.h>

enum { RECORDING_VERSION = 1 };

/* False: nothing was written. */
bool recording_write(const char *path);

#endif
