/* The heap's figures under the C library's names: malloc_info, malloc_stats, mallinfo, mallinfo2. They count as the C
 * library does: `uordblks` is what the program holds in slabs and large blocks, `hblkhd` what has a mapping of its
 * own. */
#include "hakmem.h"

#ifdef __GLIBC__

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>

#include "report/summary.h"
#include "report/text.h"

static void write_figures(struct text *text) {
  struct memory_in_use memory = memory_in_use();
  hak_heap_summary summary = {.struct_size = sizeof summary};
  summary_fill(&summary);
  text_line(text, "allocator");
  text_word(text, "name", "hakmem");
  text_word(text, "version", HAKMEM_VERSION);
  text_line(text, "superslabs");
  text_number(text, "total", summary.superslabs);
  text_number(text, "open", summary.superslabs_open);
  text_number(text, "draining", summary.superslabs_draining);
  text_number(text, "free", summary.superslabs_free);
  text_line(text, "slabs");
  text_number(text, "bytes", memory.slab_bytes);
  text_number(text, "live_bytes", memory.live_bytes);
  text_line(text, "huge");
  text_number(text, "count", memory.huge_blocks);
  text_number(text, "bytes", memory.huge_bytes);
  text_line(text, "retained");
  text_number(text, "bytes", memory.retained_bytes);
  text_line(text, "peak_committed");
  text_number(text, "bytes", summary.peak_committed_bytes);
}

HAK_API struct mallinfo2 mallinfo2(void) {
  struct memory_in_use memory = memory_in_use();
  size_t arena = memory.slab_bytes + memory.retained_bytes;
  size_t live = memory.live_bytes < arena ? memory.live_bytes : arena;
  return (struct mallinfo2){
      .arena = arena,
      .hblks = memory.huge_blocks,
      .hblkhd = memory.huge_bytes,
      .uordblks = live,
      .fordblks = arena - live,
      .keepcost = memory.retained_bytes,
  };
}

static int saturate(size_t value) { return value > INT_MAX ? INT_MAX : (int)value; }

HAK_API struct mallinfo mallinfo(void) {
  struct mallinfo2 wide = mallinfo2();
  return (struct mallinfo){
      .arena = saturate(wide.arena),
      .hblks = saturate(wide.hblks),
      .hblkhd = saturate(wide.hblkhd),
      .uordblks = saturate(wide.uordblks),
      .fordblks = saturate(wide.fordblks),
      .keepcost = saturate(wide.keepcost),
  };
}

HAK_API int malloc_info(int options, FILE *stream) {
  if (options != 0) {
    errno = EINVAL;
    return -1;
  }
  struct text text;
  text_begin(&text, TEXT_XML, stream);
  write_figures(&text);
  return text_end(&text) ? 0 : -1;
}

HAK_API void malloc_stats(void) {
  struct text text;
  text_begin(&text, TEXT_HUMAN, NULL);
  write_figures(&text);
  text_end(&text);
}

#endif
