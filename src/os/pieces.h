/* pieces: a file that is read or written piece by piece, whatever interrupts it.
 *
 * Owns:     nothing; the descriptor is the caller's.
 * Promises: no malloc, no stdio, no point at which a thread can be cancelled. A call that a signal interrupts goes on.
 *           os_pieces_open, _read and _close keep errno.
 * Callers:  os/file.c, os/output.c, os/code_place.c, profile/recording.c. Any thread, also in a signal handler.
 */
#ifndef HAKMEM_OS_PIECES_H
#define HAKMEM_OS_PIECES_H

#include <stddef.h>

/* Opens a file to be read; its descriptor, below 0: it cannot be read. */
int os_pieces_open(const char *path);

/* Bytes read, perhaps fewer than `count`; 0: the end, or an error. */
size_t os_pieces_read(int file, void *bytes, size_t count);

void os_pieces_close(int file);

/* Writes all of `text`. 0, or the number of the error. */
int os_pieces_write(int file, const char *text, size_t length);

#endif
