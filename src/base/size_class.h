/* size_class: request size -> class, class -> shape of its slabs.
 *
 * Owns:     the four constant tables made from size_class.def.
 * Promises: stride >= size; stride is a multiple of 16, or 8 for class 0; no table is written after link time.
 * Callers:  any box. Any thread.
 */
#ifndef HAKMEM_BASE_SIZE_CLASS_H
#define HAKMEM_BASE_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/size_class.def"

enum {
  SIZE_CLASS_SMALL_COUNT = 57, /* the others are medium */
#if HAKMEM_SECURE
  SIZE_CLASS_COUNT = SIZE_CLASS_SMALL_COUNT,
#else
  SIZE_CLASS_COUNT = 62,
#endif
  SIZE_CLASS_EMPTY = SIZE_CLASS_COUNT, /* of a request of no bytes: it has no slabs (cold/empty.h) */
  SIZE_CLASS_MAX = 32 * 1024,          /* largest size that a class always serves, in bytes */
  SIZE_CLASS_MEDIUM_MAX = SIZE_CLASS_COUNT == SIZE_CLASS_SMALL_COUNT ? SIZE_CLASS_MAX : 128 * 1024,
  SIZE_CLASS_GRAIN = 8, /* sizes that differ by less share an entry of the index */
#if HAKMEM_SECURE
  SLAB_BLOCKS_MIN = 1, /* a slab is one unit */
  SLAB_UNITS_MAX = 1,
  SLAB_GUARD_BYTES = 4 * 1024, /* at the end of a slab no block lies: secure/guard.h */
#else
  SLAB_BLOCKS_MIN = 8, /* a slab is as few units, 1, 2 or 4, as have room for so many blocks; 4 for medium ones */
  SLAB_UNITS_MAX = 4,
  SLAB_GUARD_BYTES = 0,
#endif
  UNIT_SHIFT = 16, /* memory is cut into units of 64 KiB */
  UNIT_BYTES = 1 << UNIT_SHIFT,
  SUPERSLAB_SHIFT = 21, /* and units are taken from superslabs of 2 MiB */
  SUPERSLAB_BYTES = 1 << SUPERSLAB_SHIFT,
  SUPERSLAB_UNITS = SUPERSLAB_BYTES >> UNIT_SHIFT,
  MAGAZINE_SLOTS = 64, /* pointers in a magazine; one of them is the NULL at the bottom */
  MAGAZINE_BYTES = MAGAZINE_SLOTS * (int)sizeof(void *),
  MAGAZINE_BLOCK_BYTES = 64 * 1024 /* blocks of one magazine hold at most this much, but two at least */
};

/* Units and blocks of a slab, by the stride of its class. */
#define SLAB_HOLDS(units, stride) (((units)*UNIT_BYTES - SLAB_GUARD_BYTES) / (stride) >= SLAB_BLOCKS_MIN)
#define SIZE_CLASS_UNITS(stride) (SLAB_HOLDS(1, stride) ? 1 : SLAB_HOLDS(2, stride) ? 2 : SLAB_UNITS_MAX)
#define SIZE_CLASS_CAPACITY(stride) ((SIZE_CLASS_UNITS(stride) * UNIT_BYTES - SLAB_GUARD_BYTES) / (stride))

struct size_class {
  uint32_t stride;     /* bytes from one block to the next; all of them are usable */
  uint16_t units;      /* units of a slab */
  uint16_t capacity;   /* blocks of a slab */
  uint16_t magazine;   /* blocks of a full magazine, 2 to 63 */
  uint16_t words;      /* 64-bit words of a bitmap */
  uint64_t reciprocal; /* ceil(2^40 / stride) */
};

/* The index of the block that a byte `offset` bytes behind the start of a slab lies in; exact in a slab. */
static inline size_t block_index_at(const struct size_class *shape, size_t offset) {
  return offset * shape->reciprocal >> 40;
}

/* Which sizes a block serves: stride - slack to stride. Less than half of it is unused, but any part of a small one:
 * realloc in place and refill from the next larger class keep to this, so that a sized free of less is a mistake. */
#define SLACK_MAX(usable) ((usable) <= 64 ? (usable) : ((usable)-1) / 2)

/* Where the blocks of a slab of one unit begin. An offset below `bytes` is a multiple of the stride exactly when its
 * product with `inverse`, which is ceil(2^64 / stride), is smaller than `inverse` (modulo 2^64). `mask` gives an
 * address's offset; it and `bytes` are 0 where a slab has more units. */
struct block_grid {
  uint64_t inverse;
  uint32_t mask, bytes;
};

struct size_range {
  uint32_t stride, slack;
};

extern HIDDEN const struct size_class size_classes[SIZE_CLASS_COUNT];
extern HIDDEN const struct size_range size_ranges[SIZE_CLASS_COUNT];
extern HIDDEN const struct block_grid block_grids[SIZE_CLASS_COUNT];
extern HIDDEN const uint8_t size_class_index[SIZE_CLASS_MAX / SIZE_CLASS_GRAIN + 1];

/* Whether a block that offers `usable` bytes may serve `size`. */
static inline bool size_fits(size_t usable, size_t size) { return usable - size <= SLACK_MAX(usable); }

/* Whether a block of the class begins here, in a slab of one unit. False where slabs have more, too. */
static inline bool block_is_exact(const void *block, size_t size_class) {
  const struct block_grid *grid = &block_grids[size_class];
  uint64_t offset = (uintptr_t)block & grid->mask;
  return offset < grid->bytes && offset * grid->inverse < grid->inverse;
}

/* The same by class. `loose`: it may be larger. */
static inline bool size_class_serves(size_t size_class, size_t size, bool loose) {
  const struct size_range *range = &size_ranges[size_class];
  return range->stride - size <= (loose ? range->stride : range->slack);
}

/* The class of a size of at most SIZE_CLASS_MAX; SIZE_CLASS_EMPTY for none. */
static inline size_t size_class_of(size_t size) {
  return size_class_index[(size + SIZE_CLASS_GRAIN - 1) / SIZE_CLASS_GRAIN];
}

/* The class of one of SIZE_CLASS_MAX to SIZE_CLASS_MEDIUM_MAX. */
static inline size_t size_class_of_medium(size_t size) {
  size_t size_class = SIZE_CLASS_SMALL_COUNT;
  while (size_classes[size_class].stride < size) {
    size_class++;
  }
  return size_class;
}

#endif
