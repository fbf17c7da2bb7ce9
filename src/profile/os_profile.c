#include "profile/os_profile.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

uint64_t os_wall_clock(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
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
