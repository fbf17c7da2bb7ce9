#include "cold/prefault.h"

bool prefault_is_chosen(void) { return false; }

/* HAKMEM_SS_PREFAULT does nothing. */
void prefault(void *start, size_t bytes) {
  (void)start;
  (void)bytes;
}
