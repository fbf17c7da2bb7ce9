#include "secure/fill.h"

#include <string.h>

#include "base/base.h"
#include "config/config.h"

size_t fill_span;

void fill_start(void) { fill_span = options.secure_fill != 0 ? 0 : FILL_ENDS_UP_TO - FILL_ENDS_ABOVE; }

/* Small ones are not worth a call of memset. */
void fill_whole(void *block, size_t bytes) {
  if (bytes > FILL_FIRST) {
    memset(block, 0, bytes);
    return;
  }
  const fill_vector none = {0, 0};
  for (size_t i = 0; i < bytes; i += sizeof none) {
    *fill_at(block, i) = none;
  }
}

bool fill_whole_holds(const void *block, size_t bytes) {
  fill_vector seen = {0, 0};
#pragma GCC unroll 8
  for (size_t i = 0; i < bytes; i += sizeof seen) {
    seen |= *fill_at(block, i);
  }
  return (seen[0] | seen[1]) == 0;
}
