#include "fuzz/shadow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hakmem.h"

/* Each of the first 256 bytes bears the pattern; beyond, one word in two KiB, so that large blocks cost little. */
enum { DENSE = 256, SPARSE = 2048 };

static struct shadow_block live[SHADOW_BLOCKS];
static size_t live_count, live_bytes;
static uint64_t next_pattern = UINT64_C(0x9E3779B97F4A7C15);

void shadow_wrong(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)fputs("fuzz: ", stderr);
  (void)vfprintf(stderr, format, arguments);
  (void)fputc('\n', stderr);
  va_end(arguments);
  abort();
}

size_t shadow_count(void) { return live_count; }

bool shadow_has_room(size_t size) { return live_count < SHADOW_BLOCKS && live_bytes + size <= SHADOW_BYTES; }

/* ---- patterns ---- */

static unsigned char pattern_byte(uint64_t pattern, size_t offset) {
  return (unsigned char)((pattern >> offset % 8 * 8) ^ offset / 8);
}

/* The next offset that bears the pattern. */
static size_t next_offset(size_t offset, size_t bytes) {
  size_t next = offset + 1;
  if (next > DENSE && next + 8 < bytes && next % SPARSE >= 8) {
    next = (next / SPARSE + 1) * SPARSE;
    next = next < bytes - 8 ? next : bytes - 8; /* the last bytes in any case */
  }
  return next;
}

static void fill(const struct shadow_block *block) {
  for (size_t offset = 0; offset < block->usable; offset = next_offset(offset, block->usable)) {
    block->at[offset] = pattern_byte(block->pattern, offset);
  }
}

void shadow_look_at(const unsigned char *at, size_t bytes, struct shadow_block filled) {
  for (size_t offset = 0; offset < bytes; offset = next_offset(offset, filled.usable)) {
    SHADOW_CHECK(at[offset] == pattern_byte(filled.pattern, offset), "block %p of %zu bytes has changed at byte %zu",
                 (const void *)at, filled.size, offset);
  }
}

void shadow_look_for_zero(const unsigned char *at, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset = next_offset(offset, bytes)) {
    SHADOW_CHECK(at[offset] == 0, "calloc of %zu bytes: byte %zu is not zero", bytes, offset);
  }
}

/* ---- the live blocks ---- */

/* How many live blocks begin below an address. */
static size_t rank_of(const unsigned char *at) {
  size_t low = 0, high = live_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (live[middle].at < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void shadow_admit(void *at, size_t size, size_t alignment) {
  struct shadow_block block = {at, size, hak_usable_size(at), alignment, next_pattern};
  next_pattern = next_pattern * 5 + 1;
  size_t least = size <= 8 ? 8 : 16;
  size_t wanted = alignment > least ? alignment : least;
  SHADOW_CHECK(((uintptr_t)at & (wanted - 1)) == 0, "block %p of %zu bytes is not aligned to %zu", at, size, wanted);
  SHADOW_CHECK(block.usable >= size, "block %p: %zu bytes asked for, %zu usable", at, size, block.usable);
  size_t rank = rank_of(block.at);
  SHADOW_CHECK(rank == 0 || live[rank - 1].at + live[rank - 1].usable <= block.at,
               "block %p of %zu bytes overlaps the live block %p", at, size, (void *)live[rank - 1].at);
  SHADOW_CHECK(rank == live_count || block.at + block.usable <= live[rank].at,
               "block %p of %zu bytes overlaps the live block %p", at, size, (void *)live[rank].at);
  memmove(&live[rank + 1], &live[rank], (live_count - rank) * sizeof live[0]);
  live[rank] = block;
  live_count++;
  live_bytes += block.usable;
  fill(&block);
}

struct shadow_block shadow_block(size_t index) {
  return live[index];
}

void shadow_look(size_t index) {
  struct shadow_block block = live[index];
  SHADOW_CHECK(hak_usable_size(block.at) == block.usable, "block %p: the usable size has changed", (void *)block.at);
  shadow_look_at(block.at, block.usable, block);
}

struct shadow_block shadow_remove(size_t index) {
  shadow_look(index);
  struct shadow_block block = live[index];
  live_count--;
  live_bytes -= block.usable;
  memmove(&live[index], &live[index + 1], (live_count - index) * sizeof live[0]);
  return block;
}
