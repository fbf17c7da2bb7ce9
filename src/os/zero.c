#include "os/zero.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "os/machine.h"
#include "os/system.h"

static bool is_hardly_resident(const char *part, size_t bytes) {
  bool whole_pages = (((uintptr_t)part | bytes) & (os_page_size() - 1)) == 0;
  return whole_pages && os_resident(part, bytes) < bytes / 2;
}

void os_clear(void *start, size_t bytes) {
  if (!os_purge(start, bytes)) {
    memset(start, 0, bytes);
  }
}

void os_zero(void *start, size_t bytes) {
  char *part = start;
  char *end = part + bytes;
  while (part < end) {
    size_t to_next = OS_HUGE_PAGE - ((uintptr_t)part & (OS_HUGE_PAGE - 1));
    size_t length = (size_t)(end - part) < to_next ? (size_t)(end - part) : to_next;
    if (is_hardly_resident(part, length)) {
      os_clear(part, length);
    } else {
      memset(part, 0, length);
    }
    part += length;
  }
}
