#include "os/machine.h"

#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <time.h>

size_t os_physical_memory(void) {
  /* Not sysconf: some C libraries read /proc for it, through stdio and malloc. */
  struct sysinfo info;
  return sysinfo(&info) == 0 ? (size_t)info.totalram * info.mem_unit : GIB;
}

/* `most`, or what getrlimit has answered, where that is less; no limit is the largest number. */
static size_t least(int failed, const struct rlimit *limit, size_t most) {
  return failed == 0 && limit->rlim_cur < most ? (size_t)limit->rlim_cur : most;
}

size_t os_address_limit(void) {
  struct rlimit limit;
  return least(getrlimit(RLIMIT_AS, &limit), &limit, OS_ADDRESSABLE);
}

size_t os_writable_limit(void) {
  struct rlimit limit;
  return least(getrlimit(RLIMIT_DATA, &limit), &limit, os_address_limit());
}

uint64_t os_random(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t seed = (uint64_t)now.tv_nsec * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)now.tv_sec;
  const unsigned char *kernel_bytes = (const unsigned char *)getauxval(AT_RANDOM); // NOLINT(performance-no-int-to-ptr)
  for (size_t i = 0; kernel_bytes != NULL && i < sizeof seed; i++) {
    seed ^= (uint64_t)kernel_bytes[i] << (8 * i);
  }
  return seed;
}

uint64_t os_nanoseconds(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t os_milliseconds(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
