#include "cold/superslab_table.h"

#include "cold/limit.h"
#include "cold/slab_hooks.h"
#include "os/os.h"

static _Atomic size_t range_first = SIZE_MAX, range_end;
ADDRESS_KNOWN_AS(root_range_first, range_first);
ADDRESS_KNOWN_AS(root_range_end, range_end);

void superslab_range(size_t *first, size_t *end) {
  *first = range_first;
  *end = range_end;
}

void superslab_enter(size_t index, struct superslab *superslab) {
  range_first = index < range_first ? index : range_first;
  range_end = index >= range_end ? index + 1 : range_end;
  atomic_store_explicit(&window_superslabs[index], superslab, memory_order_release);
}

/* ---- what is counted ---- */

/* What each table of the window has for a superslab. */
static const size_t record_bytes[] = {SUPERSLAB_UNITS * sizeof(unit_tag), sizeof(struct superslab *), HOOK_STATES_BYTES,
                                      HOOK_SIZES_BYTES, HOOK_GUARDS_BYTES};

static uint32_t record_pages; /* of the tables, as counted */
static uint32_t counted_to;   /* one more than the index of the superslab whose records were counted last */

/* No superslab has been cut among `count` whose records share a page with those of this one. */
static bool is_first_of(size_t index, size_t count) {
  size_t first = index / count * count;
  size_t next = first > range_first ? first : range_first;
  size_t end = first + count < range_end ? first + count : range_end;
  while (next < end && superslab_at(next) == NULL) {
    next++;
  }
  return next >= end;
}

bool superslab_records_count(size_t index) {
  if (index + 1 == counted_to) {
    return true;
  }
  size_t bytes = 0;
  for (size_t i = 0; i < sizeof record_bytes / sizeof *record_bytes; i++) {
    bytes += record_bytes[i] != 0 && is_first_of(index, os_page_size() / record_bytes[i]) ? os_page_size() : 0;
  }
  bool counted = limit_charge(bytes);
  if (counted) {
    record_pages += (uint32_t)(bytes / os_page_size());
    counted_to = (uint32_t)(index + 1);
  }
  return counted;
}

size_t superslab_records_bytes(void) { return record_pages * os_page_size(); }
