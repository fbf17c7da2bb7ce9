/* The public functions of include/hakmem.h that return figures. */
#include <string.h>

#include "hakmem.h"
#include "report/stats.h"
#include "report/summary.h"

bool hak_heap_summarize(hak_heap_summary *summary) {
  if (summary == NULL || summary->struct_size == 0) {
    return false;
  }
  hak_heap_summary full = {0};
  summary_fill(&full);
  size_t size = summary->struct_size < sizeof full ? summary->struct_size : sizeof full;
  full.struct_size = size;
  memcpy(summary, &full, size);
  return true;
}

bool hak_stats_print(void) { return stats_print(); }
