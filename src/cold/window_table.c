#include "cold/window_table.h"

#include <stdatomic.h>

#include "os/os.h"

enum { AT_ONCE = 64 * 1024 }; /* a multiple of every page size */

size_t window_table_bytes(const struct window_table *table) {
  return os_page_ceil((size_t)table->entries * table->entry_bytes);
}

/* What is opened elsewhere than at an end of the known part is not remembered, and opened again for the next one. */
static void remember(struct window_table *table, uint32_t first, uint32_t count) {
  if (table->from >= table->to) {
    table->from = first;
    atomic_signal_fence(memory_order_seq_cst);
    table->to = first + count;
  } else if (first == table->to) {
    table->to = first + count;
  }
}

bool window_table_open(struct window_table *table, size_t index) {
  if (index >= table->from && index < table->to) {
    return true;
  }
  uint32_t count = AT_ONCE / table->entry_bytes;
  uint32_t first = (uint32_t)index / count * count;
  size_t at = (size_t)first * table->entry_bytes;
  size_t rest = window_table_bytes(table) - at;
  if (!os_permit(table->start + at, rest < AT_ONCE ? rest : AT_ONCE)) {
    return false;
  }
  remember(table, first, count);
  return true;
}
