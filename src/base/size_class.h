/* size_class: request size -> class, class -> shape of its slabs.
 *
 * Owns:     the three constant tables made from size_class.def.
 * Promises: stride >= size; stride is a multiple of 16, or 8 for class 0; no table is written after link time.
 * Callers:  any box. Any thread.
 */
#ifndef HAKMEM_BASE_SIZE_CLASS_H
#define HAKMEM_BASE_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

enum {
  SIZE_CLASS_COUNT = 61,
  SIZE_CLASS_MAX = 32 * 1024,   /* largest size served by a class, in bytes */
  SIZE_CLASS_GRAIN = 8,         /* sizes that differ by less share an entry of the index */
  SLAB_BLOCKS_MIN = 8,          /* a slab is as few units, 1, 2 or 4, as have room for so many blocks */
  SLAB_UNITS_MAX = 4,
  UNIT_SHIFT = 16,              /* memory is cut into units of 64 KiB */
  UNIT_BYTES = 1 << UNIT_SHIFT,
  SUPERSLAB_SHIFT = 21, /* and units are taken from superslabs of 2 MiB */
  SUPERSLAB_BYTES = 1 << SUPERSLAB_SHIFT,
  MAGAZINE_SLOTS = 64, /* pointers in a magazine; one of them is the NULL at the bottom */
  MAGAZINE_BYTES = MAGAZINE_SLOTS * (int)sizeof(void *),
  MAGAZINE_BLOCK_BYTES = 64 * 1024 /* blocks of one magazine hold at most this much, but two at least */
};

struct size_class {
  uint32_t stride;     /* bytes from one block to the next; all of them are usable */
  uint16_t units;      /* units of a slab */
  uint16_t capacity;   /* blocks of a slab */
  uint16_t magazine;   /* blocks of a full magazine, 2 to 63 */
  uint16_t words;      /* 64-bit words of a bitmap */
  uint64_t reciprocal; /* ceil(2^40 / stride): offset * reciprocal >> 40 is the block's index, exact in a slab */
};

/* Which sizes a block serves: stride - slack to stride. Less than half of it is unused, but any part of a small one:
 * realloc in place and refill from the next larger class keep to this, so that a sized free of less is a mistake. */
#define SLACK_MAX(usable) ((usable) <= 64 ? (usable) : ((usable)-1) / 2)

struct size_range {
  uint32_t stride, slack;
};

extern HIDDEN const struct size_class size_classes[SIZE_CLASS_COUNT];
extern HIDDEN const struct size_range size_ranges[SIZE_CLASS_COUNT];
extern HIDDEN const uint8_t size_class_index[SIZE_CLASS_MAX / SIZE_CLASS_GRAIN + 1];

/* Whether a block that offers `usable` bytes may serve `size`. */
static inline bool size_fits(size_t usable, size_t size) { return usable - size <= SLACK_MAX(usable); }

/* The same by class. `loose`: it may be larger. */
static inline bool size_class_serves(size_t size_class, size_t size, bool loose) {
  const struct size_range *range = &size_ranges[size_class];
  return range->stride - size <= (loose ? range->stride : range->slack);
}

/* The class of a size of at most SIZE_CLASS_MAX. */
static inline size_t size_class_of(size_t size) {
  return size_class_index[(size + SIZE_CLASS_GRAIN - 1) / SIZE_CLASS_GRAIN];
}

#endif
