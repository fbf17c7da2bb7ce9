#include "profile/os_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

static int open_file(const char *path, int flags) {
  int saved = errno;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  errno = saved;
  return file;
}

int os_file_create(const char *path) { return open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW); }
int os_file_open(const char *path) { return open_file(path, O_RDONLY); }

bool os_file_write(int file, const void *bytes, size_t count) {
  int saved = errno;
  const char *from = bytes;
  while (count > 0) {
    long written = syscall(SYS_write, file, from, count);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      break;
    }
    from += written;
    count -= (size_t)written;
  }
  errno = saved;
  return count == 0;
}

size_t os_file_read(int file, void *bytes, size_t count) {
  int saved = errno;
  long had;
  do {
    had = syscall(SYS_read, file, bytes, count);
  } while (had < 0 && errno == EINTR);
  errno = saved;
  return had > 0 ? (size_t)had : 0;
}

bool os_file_close(int file) {
  int saved = errno;
  bool done = syscall(SYS_close, file) == 0;
  errno = saved;
  return done;
}

bool os_file_rename(const char *from, const char *to) {
  int saved = errno;
  bool done = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0) == 0;
  errno = saved;
  return done;
}

void os_file_remove(const char *path) {
  int saved = errno;
  syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  errno = saved;
}

uint64_t os_wall_clock(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

bool os_signal_handle(int number, void (*handler)(int number)) {
  int saved = errno;
  struct sigaction before;
  bool done = false;
  if (sigaction(number, NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL) {
    struct sigaction ours = {.sa_flags = SA_RESTART};
    ours.sa_handler = handler;
    done = sigaction(number, &ours, NULL) == 0;
  }
  errno = saved;
  return done;
}

bool os_page_is_there(uintptr_t address) {
  size_t page = os_page_size();
  uintptr_t start = address & ~(uintptr_t)(page - 1);
  return os_resident((const void *)start, page) == page; // NOLINT(performance-no-int-to-ptr)
}

void os_sleep_a_little(void) {
  int saved = errno;
  struct timespec time = {.tv_nsec = 1000000};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
  errno = saved;
}
