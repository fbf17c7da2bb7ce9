#include "cold/prefault.h"

#include "base/base.h"
#include "cold/limit.h"
#include "os/os.h"

bool prefault_is_chosen(void) { return true; }

/* 4 MiB are populated at a time: each second superslab with the one behind it, which may be the arena's last. */
void prefault(void *start, size_t bytes) {
  bool first = (uintptr_t)start / SUPERSLAB_BYTES % 2 == 0;
  if (!limit_is_set() && first) {
    os_populate(start, bytes);
    os_populate((char *)start + SUPERSLAB_BYTES, SUPERSLAB_BYTES);
  }
}
