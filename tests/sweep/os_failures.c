#include "sweep/os_failures.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

static atomic_bool known;
static _Atomic enum os_failures mode;
static _Atomic size_t point;
static _Atomic size_t calls, failed, giving_back, mapped;
static _Thread_local size_t number; /* of the call that the thread makes */

void (*_Atomic os_failures_pause)(void);

enum os_failures os_failures_mode(const char *name) {
  static const char *const names[] = {"none", "once", "onward", "every", "limit", "fork", "fork_unmaps"};
  for (size_t i = 1; i < sizeof names / sizeof names[0]; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(name, names[i], length) == 0 && (name[length] == '\0' || name[length] == ':')) {
      return (enum os_failures)i;
    }
  }
  return OS_FAIL_NONE;
}

static void read_environment(void) {
  const char *value = getenv("HAKMEM_TEST_FAIL");
  if (value != NULL && strchr(value, ':') != NULL) {
    point = strtoul(strchr(value, ':') + 1, NULL, 10);
    mode = os_failures_mode(value);
  }
  known = true;
}

/* Before the thread's call, and after it. */
static void pause_at_point(void) {
  void (*pause)(void) = os_failures_pause;
  if (mode >= OS_FORK && number == point && pause != NULL) {
    int error = errno;
    pause();
    errno = error;
  }
}

/* Counts a call that maps `more` bytes; true: it is to fail. */
static bool is_to_fail(bool unmaps, size_t more) {
  if (!known) {
    read_environment();
  }
  if (mode == OS_FORK_UNMAPS && !unmaps) {
    number = SIZE_MAX;
    return false;
  }
  number = atomic_fetch_add(&calls, 1) + 1;
  bool fails = false;
  enum os_failures now = mode;
  switch (now) {
  case OS_FAIL_NONE:
    break;
  case OS_FAIL_ONCE:
    fails = number == point;
    break;
  case OS_FAIL_ONWARD:
    fails = number >= point;
    break;
  case OS_FAIL_EVERY:
    fails = number % point == 0;
    break;
  case OS_FAIL_LIMIT:
    fails = more > 0 && atomic_load(&mapped) + more > point << 20;
    break;
  case OS_FORK:
  case OS_FORK_UNMAPS:
    pause_at_point();
    break;
  }
  if (fails) {
    atomic_fetch_add(&failed, 1);
  }
  return fails;
}

void os_failures_end(void) { mode = OS_FAIL_NONE; }
size_t os_calls(void) { return calls; }
size_t os_calls_failed(void) { return failed; }
size_t os_calls_giving_back(void) { return giving_back; }

/* The names that the linker gives to a wrapped function and to the one behind it. */
void *__real_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset); // NOLINT
int __real_munmap(void *start, size_t bytes);                                                    // NOLINT
int __real_madvise(void *start, size_t bytes, int advice);                                       // NOLINT
void *__real_mremap(void *start, size_t old_bytes, size_t new_bytes, int flags, ...);            // NOLINT

int __real_mprotect(void *start, size_t bytes, int access);          // NOLINT
int __real_mincore(void *start, size_t bytes, unsigned char *pages); // NOLINT
long __real_syscall(long name, ...);                                 // NOLINT

void *__wrap_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset); // NOLINT
int __wrap_munmap(void *start, size_t bytes);                                                    // NOLINT
int __wrap_madvise(void *start, size_t bytes, int advice);                                       // NOLINT
void *__wrap_mremap(void *start, size_t old_bytes, size_t new_bytes, int flags, ...);            // NOLINT
int __wrap_mprotect(void *start, size_t bytes, int access);                                      // NOLINT
int __wrap_mincore(void *start, size_t bytes, unsigned char *pages);                             // NOLINT
long __wrap_syscall(long name, ...);                                                             // NOLINT

void *__wrap_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset) { // NOLINT
  if (is_to_fail(false, bytes)) {
    errno = EAGAIN;
    return MAP_FAILED;
  }
  void *result = __real_mmap(start, bytes, protection, flags, file, offset);
  pause_at_point();
  if (result != MAP_FAILED) {
    atomic_fetch_add(&mapped, bytes);
  }
  return result;
}

int __wrap_munmap(void *start, size_t bytes) { // NOLINT
  if (is_to_fail(true, 0)) {
    errno = EINVAL;
    return -1;
  }
  int result = __real_munmap(start, bytes);
  pause_at_point();
  if (result == 0) {
    atomic_fetch_add(&giving_back, 1);
    atomic_fetch_sub(&mapped, bytes);
  }
  return result;
}

int __wrap_madvise(void *start, size_t bytes, int advice) { // NOLINT
  if (is_to_fail(false, 0)) {
    errno = EAGAIN;
    return -1;
  }
  int result = __real_madvise(start, bytes, advice);
  pause_at_point();
  if (result == 0 && advice == MADV_DONTNEED) {
    atomic_fetch_add(&giving_back, 1);
  }
  return result;
}

void *__wrap_mremap(void *start, size_t old_bytes, size_t new_bytes, int flags, ...) { // NOLINT
  va_list more;
  va_start(more, flags);
  void *to = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void *) : NULL;
  va_end(more);
  if (is_to_fail(false, new_bytes > old_bytes ? new_bytes - old_bytes : 0)) {
    errno = EAGAIN;
    return MAP_FAILED;
  }
  void *result = __real_mremap(start, old_bytes, new_bytes, flags, to);
  pause_at_point();
  if (result != MAP_FAILED) {
    atomic_fetch_add(&mapped, new_bytes - old_bytes);
  }
  return result;
}

int __wrap_mprotect(void *start, size_t bytes, int access) { // NOLINT
  if (is_to_fail(false, 0)) {
    errno = EAGAIN;
    return -1;
  }
  int result = __real_mprotect(start, bytes, access);
  pause_at_point();
  return result;
}

int __wrap_mincore(void *start, size_t bytes, unsigned char *pages) { // NOLINT
  if (is_to_fail(false, 0)) {
    errno = EAGAIN;
    return -1;
  }
  int result = __real_mincore(start, bytes, pages);
  pause_at_point();
  return result;
}

enum { PROCESS_MADVISE = 440 };

/* The other calls that are made so, of a lock or a number, do not fail. */
long __wrap_syscall(long name, ...) { // NOLINT
  long arguments[6];
  va_list more;
  va_start(more, name);
  for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
    arguments[i] = va_arg(more, long);
  }
  va_end(more);
  if (name == PROCESS_MADVISE && is_to_fail(false, 0)) {
    errno = EPERM;
    return -1;
  }
  long result =
      __real_syscall(name, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (name == PROCESS_MADVISE) {
    pause_at_point();
    atomic_fetch_add(&giving_back, result > 0);
  }
  return result;
}
