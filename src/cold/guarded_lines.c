#include "cold/guarded_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cold/words.h"

/* What is said. */
struct line {
  const char *what; /* "double free" */
  const void *pointer;
  char where[96]; /* "3 bytes changed from byte 100 on, "; or empty */
  const struct guarded_record *record;
  bool freed;               /* the block has been freed, as its record says */
  const struct stack *here; /* the calls that led to it; NULL: not known */
};

enum { LINE_BYTES = 4096, STACKS = 3, WAIT_MS = 2000 };

/* In static memory: a handler may run on a small stack. */
static RARE_ZEROES struct {
  char text[LINE_BYTES];
  size_t length;
  struct code_place place[STACKS * STACK_DEPTH];
  unsigned places;
} one;

static _Atomic uint32_t telling;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(one.text + one.length, LINE_BYTES - 1 - one.length, format, arguments);
  va_end(arguments);
  size_t length = one.length + (more > 0 ? (size_t)more : 0);
  one.length = length < LINE_BYTES - 2 ? length : LINE_BYTES - 2;
}

static void add_places(const struct stack *stack) {
  for (unsigned i = 0; stack != NULL && i < stack->count; i++) {
    one.place[one.places++].address = stack->call[i];
  }
}

/* Up to the first that is no code: there the frame pointers end. */
static void add_stack(const struct stack *stack, const struct code_place *place) {
  for (unsigned i = 0; i < stack->count && place[i].is_code; i++) {
    if (place[i].file[0] != '\0') {
      add(" %s+0x%zx", place[i].file, place[i].offset);
    } else {
      add(" %p", place[i].address);
    }
  }
}

static RARE void print(const struct line *line) {
  if (atomic_exchange(&telling, 1) != 0) {
    os_wait_for(&telling, 1, WAIT_MS); /* the other thread ends the program */
    return;
  }
  const struct guarded_record *record = line->record;
  const struct stack *freed = line->freed ? &record->freed : NULL;
  add_places(line->here);
  add_places(&record->allocated);
  add_places(freed);
  code_places_find(one.place, one.places);
  const struct code_place *place = one.place;
  add("hakmem: %s: pointer %p, %sa guarded sample of %zu bytes, thread %ld", line->what, line->pointer, line->where,
      record->size, os_thread_id());
  if (line->here != NULL && line->here->count > 0) {
    add(" at");
    add_stack(line->here, place);
    place += line->here->count;
  }
  add("; allocated by thread %ld at", record->allocated_by);
  add_stack(&record->allocated, place);
  if (freed != NULL) {
    add("; freed by thread %ld at", record->freed_by);
    add_stack(freed, place + record->allocated.count);
  }
  one.text[one.length] = '\n';
  os_print(one.text, one.length + 1);
}

static _Noreturn RARE void stop(const struct line *line) {
  print(line);
  abort();
}

/* What an instruction did at an address: where it is itself there, the program tried to run it. */
static const char *words_of_use(const struct line *line, ptrdiff_t byte, const void *address) {
  bool runs = line->here->count > 0 && line->here->call[0] == address;
  bool inside = byte >= 0 && (size_t)byte < line->record->size;
  return line->freed ? "use after free" : inside && runs ? "run as code" : byte < 0 ? "underrun" : "overrun";
}

void guarded_tell(const void *address, const struct stack *here) {
  uint32_t index = guarded_nearest(address);
  if (index == GUARDED_NONE) {
    return;
  }
  const struct guarded_record *record = guarded_record(index);
  ptrdiff_t byte = (const char *)address - record->block;
  struct line line = {.pointer = record->block, .record = record, .freed = !guarded_is_live(record), .here = here};
  line.what = words_of_use(&line, byte, address);
  snprintf(line.where, sizeof line.where, "used at byte %td, ", byte);
  print(&line);
}

void guarded_stop_wrong(const void *pointer, const char *what, const struct stack *here) {
  uint32_t index = guarded_nearest(pointer);
  if (index == GUARDED_NONE) {
    fatal("%s: pointer %p is no live block of hakmem, thread %ld", words_of_wrong(pointer, what, "an invalid").text,
          pointer, os_thread_id());
  }
  const struct guarded_record *record = guarded_record(index);
  bool inside = guarded_distance(record, pointer) == 0;
  struct words words = pointer == record->block ? words_of_freed(what)
                                                : words_of_wrong(pointer, what, inside ? "an interior" : "an invalid");
  struct line line = {
      .what = words.text, .pointer = pointer, .record = record, .freed = !guarded_is_live(record), .here = here};
  if (pointer != record->block) {
    snprintf(line.where, sizeof line.where, "%td bytes from the start of the block %p, ",
             (const char *)pointer - record->block, (void *)record->block);
  }
  stop(&line);
}

void guarded_stop_family(const struct guarded_record *record, enum family family, const struct stack *here) {
  struct words words;
  snprintf(words.text, sizeof words.text, "%s of a block of %s", family_giver(family), family_taker(record->family));
  struct line line = {.what = words.text, .pointer = record->block, .record = record, .here = here};
  stop(&line);
}

void guarded_stop_sized(const struct guarded_record *record, size_t size, const struct stack *here) {
  struct line line = {.what = "free with a wrong size", .pointer = record->block, .record = record, .here = here};
  snprintf(line.where, sizeof line.where, "size %zu, ", size);
  stop(&line);
}

void guarded_stop_damaged(const struct guarded_record *record, struct guarded_damage damage, const struct stack *here) {
  struct line line = {
      .what = damage.from < 0 ? "underrun" : "overrun", .pointer = record->block, .record = record, .here = here};
  snprintf(line.where, sizeof line.where, "%zu bytes changed from byte %td on, ", damage.count, damage.from);
  stop(&line);
}
