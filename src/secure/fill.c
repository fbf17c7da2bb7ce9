#include "secure/fill.h"

#include <string.h>

#include "base/base.h"
#include "config/config.h"

struct fill_span fill_span;

void fill_start(void) {
  bool all = options.secure_fill != 0;
  fill_span.sizes = all ? 0 : FILL_ENDS_UP_TO - FILL_ENDS_ABOVE;
  fill_span.classes = all ? 0 : FILL_ENDS_CLASSES;
}

/* Of a block of at most 64 bytes: four vectors that may lie upon each other need no branch, which nobody could
 * foretell. */
static inline size_t second(size_t last) { return last < 16 ? last : 16; }
static inline size_t third(size_t last) { return last < 32 ? last : 32; }

/* Small ones are not worth a call of memset. */
void fill_whole(void *block, size_t bytes) {
  if (bytes > FILL_FIRST) {
    memset(block, 0, bytes);
    return;
  }
  const fill_vector none = {0, 0};
  size_t last = bytes - sizeof none;
  *fill_at(block, 0) = none;
  *fill_at(block, second(last)) = none;
  *fill_at(block, third(last)) = none;
  *fill_at(block, last) = none;
}

static bool small_holds(const void *block, size_t bytes) {
  size_t last = bytes - sizeof(fill_vector);
  fill_vector seen =
      *fill_at(block, 0) | *fill_at(block, second(last)) | *fill_at(block, third(last)) | *fill_at(block, last);
  return (seen[0] | seen[1]) == 0;
}

bool fill_whole_holds(const void *block, size_t bytes) {
  if (bytes <= FILL_FIRST) {
    return small_holds(block, bytes);
  }
  fill_vector seen = {0, 0};
#pragma GCC unroll 8
  for (size_t i = 0; i < bytes; i += sizeof seen) {
    seen |= *fill_at(block, i);
  }
  return (seen[0] | seen[1]) == 0;
}
