/* slab: one class's blocks in one run of units, with a bitmap of the free ones out of line.
 *
 * Owns:     the first cache line of struct slab (cold/superslab.h) and both bitmaps while the slab is bound.
 * Promises: blocks are handed out lowest address first, those in memory that was used before (recycled) apart from
 *           those in fresh memory; no block is read or written; a bit that is set already is a double free and stops
 *           the program.
 * Callers:  WARM, on the thread that owns the heap. Any thread may compute place_of.
 */
#ifndef HAKMEM_WARM_SLAB_H
#define HAKMEM_WARM_SLAB_H

#include "cold/cold.h"
#include "os/os.h"
#include "warm/misuse.h"

/* Where a block lies. */
struct place {
  struct slab *slab;
  unsigned index;
};

/* The first unit in its superslab of the slab that a block lies in, where slabs have so many. */
static inline unsigned slab_unit(const struct superslab *superslab, const void *block, unsigned units) {
  size_t unit = ((uintptr_t)block & (SUPERSLAB_BYTES - 1)) >> UNIT_SHIFT;
  return units > 1 ? superslab->head[unit] : (unsigned)unit;
}

/* The place of a block in a unit tagged with `size_class`, without touching the slab. Its index is PLACE_NONE when the
 * address lies between blocks or past the last one. */
enum { PLACE_NONE = UINT32_MAX };

static inline struct place place_of(const void *block, size_t size_class) {
  const struct size_class *shape = &size_classes[size_class];
  struct superslab *superslab = superslab_of(block);
  unsigned unit = slab_unit(superslab, block, shape->units);
  size_t offset = ((uintptr_t)block & (SUPERSLAB_BYTES - 1)) - ((size_t)unit << UNIT_SHIFT);
  size_t index = block_index_at(shape, offset);
  bool exact = index * shape->stride == offset && index < shape->capacity;
  return (struct place){&superslab->slab[unit], likely(exact) ? (unsigned)index : PLACE_NONE};
}

/* Binds fresh units to a class and an owner: every block free. False when there is no memory for the bitmaps. The token
 * (warm/remote.h) is given free last, so that the slab is whole when another thread may meet it. */
bool slab_bind(struct slab *slab, size_t size_class, struct thread_heap *heap, uint32_t owner);

/* Ends a binding: every block is free and the caller holds the token. */
void slab_unbind(struct slab *slab);

/* Free blocks in memory that was used before. */
static inline unsigned slab_recycled(const struct slab *slab) {
  return slab->free_count - (size_classes[slab->size_class].capacity - (unsigned)slab->carved);
}

static inline bool slab_is_carved(const struct slab *slab) {
  return slab->carved == size_classes[slab->size_class].capacity;
}

/* Takes up to `want` recycled blocks and stores them from `slot` downwards, lowest address first, those in holes last,
 * and only as far as the limit allows; returns how many. */
unsigned slab_take(struct slab *slab, void **slot, unsigned want);

/* The same from fresh memory, one page at a time, of a slab that has no recycled blocks and is not yet carved to its
 * end. 0: the limit. */
unsigned slab_carve(struct slab *slab, void **slot, unsigned want);

/* From here on its blocks in fresh memory count as recycled; its fresh pages are holes. */
void slab_carve_all(struct slab *slab);

/* Bytes of its blocks in fresh memory. */
size_t slab_fresh_bytes(const struct slab *slab);

/* Bytes of it that are counted (cold/limit.h); and that would be if it had no holes. */
size_t slab_counted_bytes(const struct slab *slab);
size_t slab_reach_bytes(const struct slab *slab);

/* Takes back `count` blocks, given as bits of one bitmap word. */
static inline void slab_put(struct slab *slab, unsigned word, uint64_t bits, unsigned count) {
  uint64_t twice = slab->free[word] & bits;
  if (unlikely(twice != 0)) {
    fatal_double_free(slab, word * 64 + (unsigned)__builtin_ctzll(twice));
  }
  slab->free[word] |= bits;
  slab->free_count += count;
  if (word < slab->first_word) {
    slab->first_word = (uint16_t)word;
  }
}

static inline bool slab_is_empty(const struct slab *slab) {
  return slab->free_count == size_classes[slab->size_class].capacity;
}

/* Blocks of a bound slab that are not free; those in caches are among them. For any thread, as a figure. */
unsigned slab_live_count(const struct slab *slab, size_t size_class);

/* What the bytes of a bound slab are. INVARIANT bound == live + free + holes + fresh + rest. */
struct slab_use {
  size_t bound;
  size_t live;  /* of blocks that are not free; those in caches are among them */
  size_t free;  /* of free blocks that were handed out before, outside holes: resident */
  size_t holes; /* given back to the system */
  size_t fresh; /* of blocks that were never handed out */
  size_t rest;  /* beyond the last block */
};

/* For any thread, as a figure. */
struct slab_use slab_use(const struct slab *slab, size_t size_class);

/* Calls `visit` for every bound slab of the process, with the tag of its first unit. */
void each_bound_slab(void (*visit)(struct slab *slab, unit_tag tag, void *context), void *context);

bool slab_is_valid(const struct slab *slab);

#endif
