#include "profile/recording.h"

#include <errno.h>
#include <string.h>

#include "os/os.h"
#include "profile/call_stacks.h"
#include "profile/os_profile.h"
#include "profile/sampler.h"
#include "profile/samples.h"

enum { BUFFER = 16 * 1024, PIECE = 4096 };

/* In a mapping of its own: the stack of the thread may be small. */
struct writer {
  struct os_file file;
  bool failed;
  size_t used;
  char buffer[BUFFER], piece[PIECE];
};

static void flush(struct writer *writer) {
  writer->failed = writer->failed || !os_file_write(&writer->file, writer->buffer, writer->used);
  writer->used = 0;
}

static void put(struct writer *writer, const void *bytes, size_t count) {
  if (writer->used + count > BUFFER) {
    flush(writer);
  }
  if (count > BUFFER) {
    writer->failed = writer->failed || !os_file_write(&writer->file, bytes, count);
    return;
  }
  memcpy(writer->buffer + writer->used, bytes, count);
  writer->used += count;
}

static void put_number(struct writer *writer, uint64_t number) { put(writer, &number, sizeof number); }

static void put_part(struct writer *writer, const char *name, size_t bytes) {
  put(writer, name, 4);
  put(writer, &(uint32_t){0}, sizeof(uint32_t));
  put_number(writer, bytes);
}

/* ---- the parts ---- */

static void put_head(struct writer *writer) {
  const uint64_t numbers[] = {
      RECORDING_VERSION, (uint64_t)os_process_id(), os_wall_clock(), sampler_every(),
      sampler_missed(),  call_stacks_lost(),        WEIGHT_ONE,
  };
  put_part(writer, "HEAD", sizeof numbers);
  put(writer, numbers, sizeof numbers);
}

static bool put_stack(const struct call_stack *stack, void *to) {
  struct writer *writer = to;
  uint64_t samples = atomic_load_explicit(&stack->samples, memory_order_relaxed);
  if (samples == 0) {
    return true;
  }
  put_part(writer, "STCK", 4 * sizeof(uint64_t) + stack->depth * sizeof *stack->frame);
  put_number(writer, stack->number);
  put_number(writer, samples);
  put_number(writer, atomic_load_explicit(&stack->blocks, memory_order_relaxed));
  put_number(writer, atomic_load_explicit(&stack->bytes, memory_order_relaxed));
  put(writer, stack->frame, stack->depth * sizeof *stack->frame);
  return !writer->failed;
}

static void put_live(struct writer *writer) {
  enum { MORE = 4096 };
  size_t room = samples_count() + MORE;
  struct sample *samples = os_map(NULL, os_page_ceil(room * sizeof *samples));
  if (samples == NULL) {
    writer->failed = true;
    return;
  }
  size_t found = samples_copy(samples, room);
  size_t count = found < room ? found : room; /* what other threads have added meanwhile may be left out */
  put_part(writer, "LIVE", count * 3 * sizeof(uint64_t));
  for (size_t i = 0; i < count; i++) {
    put_number(writer, samples[i].stack->number);
    put_number(writer, samples[i].size);
    put_number(writer, (uintptr_t)samples[i].block);
  }
  os_unmap(samples, os_page_ceil(room * sizeof *samples));
}

/* A file of the system's: its length is known only when it has been read, so it comes in several parts. */
static void put_file(struct writer *writer, const char *name, const char *path) {
  int file = os_pieces_open(path);
  if (file < 0) {
    writer->failed = true;
    return;
  }
  for (size_t had; (had = os_pieces_read(file, writer->piece, PIECE)) > 0;) {
    put_part(writer, name, had);
    put(writer, writer->piece, had);
  }
  os_pieces_close(file);
}

static bool write_all(struct writer *writer) {
  put_head(writer);
  /* Who lives first: a stack that is interned meanwhile is written, too. */
  put_live(writer);
  call_stacks_each(put_stack, writer);
  put_file(writer, "MAPS", "/proc/self/maps");
  put_file(writer, "ARGS", "/proc/self/cmdline");
  put_part(writer, "DONE", 0);
  flush(writer);
  return !writer->failed;
}

bool recording_write(const char *path) {
  struct writer *writer = os_map(NULL, os_page_ceil(sizeof *writer));
  if (writer == NULL) {
    return false;
  }
  os_file_begin(&writer->file, path);
  if (!write_all(writer) && writer->file.error == 0) {
    writer->file.error = EIO; /* no part of a profile is one */
  }
  bool written = os_file_end(&writer->file) == 0;
  os_unmap(writer, os_page_ceil(sizeof *writer));
  return written;
}
