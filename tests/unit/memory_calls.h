/* memory_calls: how many system calls for memory the library has made. */
#ifndef HAKMEM_TESTS_UNIT_MEMORY_CALLS_H
#define HAKMEM_TESTS_UNIT_MEMORY_CALLS_H

#include "os/system.h"

static inline size_t memory_calls(void) {
  struct os_counts counts = os_counts();
  return counts.map_calls + counts.unmap_calls + counts.purge_calls + counts.remap_calls;
}

#endif
