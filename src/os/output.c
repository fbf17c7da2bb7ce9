#include "os/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/critical.h"
#include "os/pieces.h"

enum {
  HIGH = 1000, /* beyond what a program counts on, below the usual limit of 1024 */
  LOWER = 4,
  FILE_MODE = 0666,
  PATH_BYTES = 1024,
  BUFFER_BYTES = 32 << 10
};

static RARE_ZEROES struct {
  int descriptor; /* 0: none */
  dev_t device;
  ino_t file;
  char path[PATH_BYTES]; /* empty: it is standard error, or a file whose name is too long to open it again */
} kept;

static _Atomic uintptr_t collector; /* the thread between output_begin and output_end */
static size_t collected;
static char *buffer; /* mapped when something is kept; NULL: nothing is collected */

/* ---- what is kept ---- */

static bool is_kept(int descriptor) {
  struct stat now;
  return descriptor > 0 && fstat(descriptor, &now) == 0 && now.st_dev == kept.device && now.st_ino == kept.file;
}

static bool keep(int descriptor) {
  struct stat now;
  int high = -1;
  for (int least = HIGH; high < 0 && least > STDERR_FILENO; least /= LOWER) {
    high = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
  }
  if (high < 0 || fstat(high, &now) != 0) {
    return false;
  }
  char *room = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  buffer = room != MAP_FAILED ? room : NULL;
  kept.descriptor = high;
  kept.device = now.st_dev;
  kept.file = now.st_ino;
  return true;
}

void output_keep(void) {
  int saved = errno;
  keep(STDERR_FILENO);
  errno = saved;
}

static int open_file(const char *path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, FILE_MODE);
}

int output_keep_file(const char *path) {
  int saved = errno, error = 0;
  int file = open_file(path);
  if (file < 0 || !keep(file)) {
    error = errno;
  } else {
    size_t length = strlen(path);
    memcpy(kept.path, path, length < PATH_BYTES ? length : 0);
  }
  if (file >= 0) {
    syscall(SYS_close, file);
  }
  errno = saved;
  return error;
}

/* Writes to what was kept; where the program has closed that, to the same file opened once more. */
static void put_kept(const char *text, size_t length) {
  if (is_kept(kept.descriptor)) {
    os_pieces_write(kept.descriptor, text, length);
  } else if (kept.path[0] != '\0') {
    int again = open_file(kept.path);
    if (again >= 0) {
      os_pieces_write(again, text, length);
      syscall(SYS_close, again);
    }
  } else if (kept.descriptor == 0 || is_kept(STDERR_FILENO)) {
    os_pieces_write(STDERR_FILENO, text, length);
  }
}

/* ---- printing ---- */

static void flush(void) {
  put_kept(buffer, collected);
  collected = 0;
}

static void collect(const char *text, size_t length) {
  if (length > BUFFER_BYTES - collected) {
    flush();
  }
  if (buffer == NULL || length > BUFFER_BYTES) {
    put_kept(text, length);
    return;
  }
  memcpy(buffer + collected, text, length);
  collected += length;
}

/* By an address that each thread has for itself: its number would be a system call at the end of every process. */
static uintptr_t this_thread(void) { return (uintptr_t)&critical_depth; }

void os_print(const char *text, size_t length) {
  int saved = errno;
  if (atomic_load_explicit(&collector, memory_order_relaxed) == this_thread()) {
    collect(text, length);
  } else {
    os_pieces_write(STDERR_FILENO, text, length);
  }
  errno = saved;
}

void output_begin(void) { atomic_store_explicit(&collector, this_thread(), memory_order_relaxed); }

void output_end(void) {
  int saved = errno;
  atomic_store_explicit(&collector, 0, memory_order_relaxed);
  if (collected > 0) {
    flush();
  }
  errno = saved;
}
