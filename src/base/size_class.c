#include "base/size_class.h"

#define HOLDS(units, stride) (((units)*UNIT_BYTES - SLAB_GUARD_BYTES) / (stride) >= SLAB_BLOCKS_MIN)
#define SLAB_UNITS(stride) (HOLDS(1, stride) ? 1 : HOLDS(2, stride) ? 2 : SLAB_UNITS_MAX)
#define CAPACITY(stride) ((SLAB_UNITS(stride) * UNIT_BYTES - SLAB_GUARD_BYTES) / (stride))
#define AT_LEAST(low, value) ((value) < (low) ? (low) : (value))
#define AT_MOST(high, value) ((value) > (high) ? (high) : (value))

const struct size_class size_classes[SIZE_CLASS_COUNT] = {
#define SIZE_CLASS(index, before, bytes)                                                                               \
  [index] = {.stride = (bytes),                                                                                        \
             .units = SLAB_UNITS(bytes),                                                                               \
             .capacity = CAPACITY(bytes),                                                                              \
             .magazine = AT_LEAST(2, AT_MOST(MAGAZINE_SLOTS - 1, MAGAZINE_BLOCK_BYTES / (bytes))),                     \
             .words = (CAPACITY(bytes) + 63) / 64,                                                                     \
             .reciprocal = ((UINT64_C(1) << 40) + (bytes)-1) / (bytes)},
#include "base/size_class.def"
};

const struct size_range size_ranges[SIZE_CLASS_COUNT] = {
#define SIZE_CLASS(index, before, bytes) [index] = {.stride = (bytes), .slack = SLACK_MAX(bytes)},
#include "base/size_class.def"
};

const uint8_t size_class_index[SIZE_CLASS_MAX / SIZE_CLASS_GRAIN + 1] = {
    [0] = SIZE_CLASS_EMPTY,
#define SIZE_CLASS(index, before, bytes) [(before) / SIZE_CLASS_GRAIN + 1 ...(bytes) / SIZE_CLASS_GRAIN] = (index),
#include "base/size_class.def"
};

#define SIZE_CLASS(index, before, bytes)                                                                               \
  _Static_assert((before) < (bytes) && ((bytes) % 16 == 0 || (bytes) == 8), "row " #index " of size_class.def");
#include "base/size_class.def"
_Static_assert(HOLDS(SLAB_UNITS_MAX, SIZE_CLASS_MAX), "the largest slab has room for as many");
_Static_assert(sizeof(struct size_class) == 24, "a row of the table");
