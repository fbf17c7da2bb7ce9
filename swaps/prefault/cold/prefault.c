#include "cold/prefault.h"

#include "cold/limit.h"
#include "os/os.h"

bool prefault_is_chosen(void) { return true; }

/* Each superslab is populated when it is cut. */
void prefault(void *start, size_t bytes) {
  if (!limit_is_set()) {
    os_populate(start, bytes);
  }
}
