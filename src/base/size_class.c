#include "base/size_class.h"

#define AT_LEAST(low, value) ((value) < (low) ? (low) : (value))
#define AT_MOST(high, value) ((value) > (high) ? (high) : (value))

#define SHAPE(index, before, bytes)                                                                                    \
  [index] = {.stride = (bytes),                                                                                        \
             .units = SIZE_CLASS_UNITS(bytes),                                                                         \
             .capacity = SIZE_CLASS_CAPACITY(bytes),                                                                   \
             .magazine = AT_LEAST(2, AT_MOST(MAGAZINE_SLOTS - 1, MAGAZINE_BLOCK_BYTES / (bytes))),                     \
             .words = (SIZE_CLASS_CAPACITY(bytes) + 63) / 64,                                                          \
             .reciprocal = ((UINT64_C(1) << 40) + (bytes)-1) / (bytes)},
const struct size_class size_classes[SIZE_CLASS_COUNT] = {SIZE_CLASSES(SHAPE)};

#define RANGE(index, before, bytes) [index] = {.stride = (bytes), .slack = SLACK_MAX(bytes)},
const struct size_range size_ranges[SIZE_CLASS_COUNT] = {SIZE_CLASSES(RANGE)};

#define GRID(index, before, stride)                                                                                    \
  [index] = {.inverse = UINT64_MAX / (stride) + 1,                                                                     \
             .mask = SIZE_CLASS_UNITS(stride) == 1 ? UNIT_BYTES - 1 : 0,                                               \
             .bytes = SIZE_CLASS_UNITS(stride) == 1 ? SIZE_CLASS_CAPACITY(stride) * (stride) : 0},
const struct block_grid block_grids[SIZE_CLASS_COUNT] = {SIZE_CLASSES(GRID)};

#define INDEX(index, before, bytes) [(before) / SIZE_CLASS_GRAIN + 1 ...(bytes) / SIZE_CLASS_GRAIN] = (index),
const uint8_t size_class_index[SIZE_CLASS_MAX / SIZE_CLASS_GRAIN + 1] = {[0] = SIZE_CLASS_EMPTY, SMALL_CLASSES(INDEX)};

#define CHECK(index, before, bytes)                                                                                    \
  _Static_assert((before) < (bytes) && ((bytes) % 16 == 0 || (bytes) == 8), "row " #index " of size_class.def");
SIZE_CLASSES(CHECK)
_Static_assert(SLAB_HOLDS(SLAB_UNITS_MAX, SIZE_CLASS_MAX), "the largest slab has room for as many");
_Static_assert(SIZE_CLASS_MEDIUM_MAX * 2 <= SLAB_UNITS_MAX * UNIT_BYTES || SLAB_UNITS_MAX == 1, "two blocks at least");
_Static_assert(sizeof(struct size_class) == 24, "a row of the table");
