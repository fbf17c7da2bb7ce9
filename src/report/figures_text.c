#include "report/figures_text.h"

#include <string.h>
#include <time.h>

#include "events/events.h"
#include "os/os.h"

#if HAKMEM_SECURE
#define VARIANT "secure"
#elif HAKMEM_PROFILE
#define VARIANT "profile"
#else
#define VARIANT (OBSERVE_COUNTS ? "observe" : "release")
#endif

enum { FORMAT = 1 };

/* By kind: the end of a metric's name, its type, and the end of its samples' names. */
enum { BYTES, COUNT, BYTES_SO_FAR, COUNT_SO_FAR };

/* Strings one behind the other, and no pointers to them: these would be written at each process's start. */
#define FIGURE(name, kind, value, help) #name "\0"
static const char names[] =
#include "report/figures.def"
    ;
#define FIGURE(name, kind, value, help) help "\0"
static const char helps[] =
#include "report/figures.def"
    ;
#define FIGURE(name, kind, value, help) kind,
static const uint8_t kinds[] = {
#include "report/figures.def"
};
#define OF_CLASS(name, kind, value, help) #name "\0"
static const char class_names[] =
#include "report/figures.def"
    ;
#define OF_CLASS(name, kind, value, help) help "\0"
static const char class_helps[] =
#include "report/figures.def"
    ;
#define OF_CLASS(name, kind, value, help) kind,
static const uint8_t class_kinds[] = {
#include "report/figures.def"
};

enum { FIGURES = sizeof kinds, CLASS_FIGURES = sizeof class_kinds };

static const char *next(const char *string) { return string + strlen(string) + 1; }

static void fill(uint64_t values[FIGURES], const struct heap_figures *f) {
  const uint64_t now[] = {
#define FIGURE(name, kind, value, help) value,
#include "report/figures.def"
  };
  memcpy(values, now, sizeof now);
}

static void fill_class(uint64_t values[CLASS_FIGURES], const struct slab_figures *c) {
  const uint64_t now[] = {
#define OF_CLASS(name, kind, value, help) value,
#include "report/figures.def"
  };
  memcpy(values, now, sizeof now);
}

/* ---- JSON ---- */

static void put_fields(struct text *text, const char *name, const uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++, name = next(name)) {
    text_number(text, name, values[i]);
  }
}

static void write_json(struct text *text, const struct heap_figures *f) {
  struct timespec now = {0};
  uint64_t values[FIGURES];
  uint64_t class_values[CLASS_FIGURES];
  clock_gettime(CLOCK_REALTIME, &now);
  text_line(text, "hakmem");
  text_number(text, "format", FORMAT);
  text_word(text, "version", HAKMEM_VERSION);
  text_word(text, "variant", VARIANT);
  text_number(text, "pid", (uint64_t)os_process_id());
  text_number(text, "time_ms", (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
  text_line(text, "total");
  fill(values, f);
  put_fields(text, names, values, FIGURES);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    if (f->by_class[size_class].slabs > 0) {
      text_row(text, "classes");
      text_number(text, "size", size_classes[size_class].stride);
      text_number(text, "class", size_class);
      fill_class(class_values, &f->by_class[size_class]);
      put_fields(text, class_names, class_values, CLASS_FIGURES);
    }
  }
}

/* ---- OpenMetrics ---- */

static bool is_in_bytes(unsigned kind) { return kind == BYTES || kind == BYTES_SO_FAR; }
static bool is_so_far(unsigned kind) { return kind >= BYTES_SO_FAR; }

static void put_name(struct text *text, const char *before, const char *prefix, const char *name, unsigned kind) {
  text_plain(text, before);
  text_plain(text, prefix);
  text_plain(text, name);
  text_plain(text, is_in_bytes(kind) ? "_bytes" : "");
}

/* "# TYPE hakmem_live_bytes gauge" */
static void put_about(struct text *text, const char *before, const char *prefix, const char *name, unsigned kind,
                      const char *what) {
  put_name(text, before, prefix, name, kind);
  text_plain(text, " ");
  text_plain(text, what);
  text_plain(text, "\n");
}

static void begin_family(struct text *text, const char *prefix, const char *name, unsigned kind, const char *help) {
  put_about(text, "# TYPE ", prefix, name, kind, is_so_far(kind) ? "counter" : "gauge");
  if (is_in_bytes(kind)) {
    put_about(text, "# UNIT ", prefix, name, kind, "bytes");
  }
  put_about(text, "# HELP ", prefix, name, kind, help);
}

static void put_value(struct text *text, uint64_t value) {
  text_plain(text, " ");
  text_plain_number(text, value);
  text_plain(text, "\n");
}

static const char of_heap[] = "hakmem_", of_class[] = "hakmem_class_";

/* One figure of each class. */
static void put_classes(struct text *text, const struct heap_figures *f, size_t figure, const char *name) {
  uint64_t values[CLASS_FIGURES];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    if (f->by_class[size_class].slabs > 0) {
      fill_class(values, &f->by_class[size_class]);
      put_name(text, "", of_class, name, class_kinds[figure]);
      text_plain(text, "{size=\"");
      text_plain_number(text, size_classes[size_class].stride);
      text_plain(text, "\"}");
      put_value(text, values[figure]);
    }
  }
}

static void write_openmetrics(struct text *text, const struct heap_figures *f) {
  uint64_t values[FIGURES];
  const char *name = names;
  const char *help = helps;
  text_plain(text,
             "# TYPE hakmem info\n# HELP hakmem the library\nhakmem_info{version=\"" HAKMEM_VERSION "\",variant=\"");
  text_plain(text, VARIANT);
  text_plain(text, "\"} 1\n");
  fill(values, f);
  for (size_t i = 0; i < FIGURES; i++, name = next(name), help = next(help)) {
    begin_family(text, of_heap, name, kinds[i], help);
    put_name(text, "", of_heap, name, kinds[i]);
    text_plain(text, is_so_far(kinds[i]) ? "_total" : "");
    put_value(text, values[i]);
  }
  name = class_names;
  help = class_helps;
  for (size_t i = 0; i < CLASS_FIGURES; i++, name = next(name), help = next(help)) {
    begin_family(text, of_class, name, class_kinds[i], help);
    put_classes(text, f, i, name);
  }
  text_plain(text, "# EOF\n");
}

bool figures_write(struct heap_figures *figures, enum figures_form form, struct text *text, text_sink *sink,
                   void *context) {
  figures_take(figures);
  text_begin_to(text, form == FIGURES_JSON ? TEXT_JSON : TEXT_PLAIN, sink, context);
  if (form == FIGURES_JSON) {
    write_json(text, figures);
  } else {
    write_openmetrics(text, figures);
  }
  return text_end(text);
}
