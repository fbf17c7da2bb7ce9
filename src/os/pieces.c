#include "os/pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int os_pieces_open(const char *path) {
  int saved = errno;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  errno = saved;
  return file;
}

size_t os_pieces_read(int file, void *bytes, size_t count) {
  int saved = errno;
  long had;
  do {
    had = syscall(SYS_read, file, bytes, count);
  } while (had < 0 && errno == EINTR);
  errno = saved;
  return had > 0 ? (size_t)had : 0;
}

void os_pieces_close(int file) {
  int saved = errno;
  syscall(SYS_close, file);
  errno = saved;
}

int os_pieces_write(int file, const char *text, size_t length) {
  while (length > 0) {
    long written = syscall(SYS_write, file, text, length);
    if (written > 0) {
      text += written;
      length -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      return written == 0 ? EIO : errno;
    }
  }
  return 0;
}
