/* file: writes a file that a reader finds whole or not at all; and reads a small one.
 *
 * A regular file is written under another name beside it, and renamed at the end. What is no regular file (a device, a
 * pipe, a link) is written where it is.
 *
 * Owns:     the open draft, in the caller's struct os_file.
 * Promises: no malloc, no stdio, no point at which a thread can be cancelled; errno is kept. No descriptor and no draft
 *           is left behind, unless the process ends on the way. It waits for no reader of a pipe.
 * Callers:  report/, profile/; os/cgroup.c reads. Any thread, also in a signal handler; one has a
 *           struct os_file.
 */
#ifndef HAKMEM_OS_FILE_H
#define HAKMEM_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { OS_PATH_BYTES = 4096 };

struct os_file {
  const char *path;
  long descriptor; /* below 0: not open */
  int error;       /* the first one, as errno has it; 0: none so far */
  bool renames;
  char draft[OS_PATH_BYTES];
};

/* `path` is kept until os_file_end. */
void os_file_begin(struct os_file *file, const char *path);

/* False: it has failed, now or before. */
bool os_file_write(struct os_file *file, const char *part, size_t length);

/* Puts the file in its place. 0, or the number of the first error: then what was there before is still there. */
int os_file_end(struct os_file *file);

/* What an error of os_file_end is, in words. */
const char *os_file_error(int error);

/* A file's text, cut to fit and ended by a zero; empty when it cannot be read. */
void os_file_read(const char *path, char *text, size_t size);

/* Bytes of the process that are resident, as the system counts them; 0: it does not say. */
size_t os_process_resident(void);

/* Stores `pattern` with the number of the process for each %p, and `behind` after it. False: it is longer than
 * OS_PATH_BYTES. */
bool os_path_of_process(char *path, const char *pattern, const char *behind);

/* Stores `path` as one that starts at the root. False: it is longer than OS_PATH_BYTES. */
bool os_path_absolute(char *absolute, const char *path);

#endif
