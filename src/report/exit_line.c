#include "report/exit_line.h"

#include "os/os.h"
#include "report/summary.h"
#include "report/text.h"

void exit_line_print(void) {
  hak_heap_summary s = {.struct_size = sizeof s};
  struct text text;
  summary_fill(&s);
  text_begin(&text, TEXT_HUMAN, NULL);
  text_line(&text, "hakmem");
  text_word(&text, "version", HAKMEM_VERSION);
  text_number(&text, "pid", (uint64_t)os_process_id());
  text_number(&text, "arenas", s.arenas);
  text_number(&text, "superslabs", s.superslabs);
  text_number(&text, "slabs_bound", s.slabs_bound);
  text_number(&text, "slabs_recycled", s.slabs_recycled);
  text_number(&text, "remote_batches", s.remote_batches);
  text_number(&text, "orphans_adopted", s.orphans_adopted);
  text_number(&text, "large", s.large);
  text_number(&text, "huge", s.huge);
  text_number(&text, "mmap", s.mmap_calls);
  text_number(&text, "munmap", s.munmap_calls);
  text_number(&text, "purge_kib", s.purged_bytes / KIB);
  text_number(&text, "retained_kib", s.retained_bytes / KIB);
  text_number(&text, "peak_committed_kib", s.peak_committed_bytes / KIB);
  text_end(&text);
}
