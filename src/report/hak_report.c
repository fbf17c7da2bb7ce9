/* The public functions of include/hakmem.h that return figures. */
#include <errno.h>
#include <string.h>

#include "hakmem.h"
#include "report/figures_text.h"
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

/* ---- figures as text ---- */

struct place_for_text {
  char *buffer;
  size_t bytes, length; /* length: of all that was written, whether it fitted or not */
};

static bool to_buffer(void *context, const char *part, size_t length) {
  struct place_for_text *place = context;
  if (place->length < place->bytes) {
    size_t room = place->bytes - place->length;
    memcpy(place->buffer + place->length, part, length < room ? length : room);
  }
  place->length += length;
  return true;
}

static size_t write_text(char *buffer, size_t bytes, enum figures_form form) {
  struct place_for_text place = {buffer, bytes, 0};
  struct heap_figures figures;
  struct text text;
  int saved = errno;
  process_start();
  figures_write(&figures, form, &text, to_buffer, &place);
  if (bytes > 0) {
    buffer[place.length < bytes ? place.length : bytes - 1] = '\0';
  }
  errno = saved;
  return place.length;
}

size_t hak_stats_json(char *buffer, size_t bytes) { return write_text(buffer, bytes, FIGURES_JSON); }
size_t hak_stats_openmetrics(char *buffer, size_t bytes) { return write_text(buffer, bytes, FIGURES_OPENMETRICS); }

/* ---- blocks ---- */

int hak_heap_visit(hak_visit_function *visit, void *context) {
  _Static_assert(HAK_CLASS_LARGE == (int)VISIT_LARGE && HAK_CLASS_HUGE == (int)VISIT_HUGE,
                 "the public names are WARM's");
  int saved = errno;
  if (visit == NULL) {
    return EINVAL;
  }
  process_start();
  int error = visit_live(visit, context);
  errno = saved;
  return error;
}
