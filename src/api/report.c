#include "api/report.h"

#include "cold/huge.h"
#include "cold/retain.h"
#include "hakmem.h"
#include "observe/exit_line.h"
#include "os/fatal.h"

struct report report_now(void) {
  size_t active = active_bytes();
  size_t huge = huge_live_bytes();
  return (struct report){
      .slab_bytes = active > huge ? active - huge : 0,
      .retained_bytes = retained_bytes(),
      .huge_blocks = huge_live_count(),
      .huge_bytes = huge,
  };
}

int report_xml(FILE *stream) {
  struct report report = report_now();
  hak_heap_summary summary = {.struct_size = sizeof summary};
  heap_summary_fill(&summary);
  int written = fprintf(stream,
                        "<malloc version=\"1\">\n"
                        "  <allocator name=\"hakmem\" version=\"%s\"/>\n"
                        "  <superslabs total=\"%zu\" hot=\"%zu\" draining=\"%zu\" free=\"%zu\"/>\n"
                        "  <slabs bytes=\"%zu\"/>\n"
                        "  <huge count=\"%zu\" bytes=\"%zu\"/>\n"
                        "  <retained bytes=\"%zu\"/>\n"
                        "  <peak_committed bytes=\"%zu\"/>\n"
                        "</malloc>\n",
                        HAKMEM_VERSION, summary.superslabs, summary.superslabs_hot, summary.superslabs_draining,
                        summary.superslabs_free, report.slab_bytes, report.huge_blocks, report.huge_bytes,
                        report.retained_bytes, summary.peak_committed_bytes);
  return written < 0 ? -1 : 0;
}

void report_print(void) {
  struct report report = report_now();
  hak_heap_summary summary = {.struct_size = sizeof summary};
  heap_summary_fill(&summary);
  notice("hakmem %s\n"
         "superslabs     = %zu (hot %zu, draining %zu, free %zu)\n"
         "slab bytes     = %zu\n"
         "huge blocks    = %zu (%zu bytes)\n"
         "retained bytes = %zu\n"
         "peak committed = %zu",
         HAKMEM_VERSION, summary.superslabs, summary.superslabs_hot, summary.superslabs_draining,
         summary.superslabs_free, report.slab_bytes, report.huge_blocks, report.huge_bytes, report.retained_bytes,
         summary.peak_committed_bytes);
}
