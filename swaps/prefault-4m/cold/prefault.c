#include "cold/prefault.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/base.h"
#include "cold/limit.h"
#include "os/os.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

bool prefault_is_chosen(void) { return true; }

/* 4 MiB are populated at a time: each second superslab with the one behind it. Where that is not the arena's any more,
 * the system refuses, and one superslab is populated. */
void prefault(void *start, size_t bytes) {
  bool first = (uintptr_t)start / SUPERSLAB_BYTES % 2 == 0;
  int saved = errno;
  if (!limit_is_set() && first && madvise(start, 2 * (size_t)SUPERSLAB_BYTES, MADV_POPULATE_WRITE) != 0) {
    os_populate(start, bytes);
  }
  errno = saved;
}
