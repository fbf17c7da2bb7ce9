#include "cold/prefault.h"

#include "cold/limit.h"
#include "config/config.h"
#include "os/os.h"

enum { PREFAULT_OFF = 0, PREFAULT_POPULATE = 1, PREFAULT_TOUCH = 2 };

bool prefault_is_chosen(void) { return options.ss_prefault != PREFAULT_OFF; }

void prefault(void *start, size_t bytes) {
  long chosen = limit_is_set() ? PREFAULT_OFF : options.ss_prefault;
  switch (chosen) {
  case PREFAULT_POPULATE:
    os_populate(start, bytes);
    break;
  case PREFAULT_TOUCH:
    os_touch(start, bytes);
    break;
  default:
    break;
  }
}
