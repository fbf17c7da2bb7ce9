/* inside: which blocks of a slab are one with the block before them.
 *
 * Adjacent blocks may be one coalesced block, which serves a larger class (warm/coalesce.h). The first of them stands
 * for all: its address is what the program has, and its bit is what is posted. The others, its inside, are neither free
 * nor handed out, and have a bit here.
 *
 * Owns:     `inside` and `insides` of struct slab (cold/superslab.h) while the slab is bound, and the flag
 *           UNIT_TAG_COALESCED of its tag.
 * Promises: a coalesced block lies in one word of the bitmaps. The tag has the flag exactly while the slab has such a
 *           block, so that nobody looks here for others.
 * Callers:  WARM. What changes a slab: on the thread that has its heap. inside_of and inside_parts: any thread, as
 *           figures if the block is not its own.
 */
#ifndef HAKMEM_WARM_INSIDE_H
#define HAKMEM_WARM_INSIDE_H

#include "cold/cold.h"

/* Some blocks of it are coalesced, or were. */
static inline bool inside_has_bitmap(const struct slab *slab) {
  return atomic_load_explicit(&slab->inside, memory_order_relaxed) != NULL;
}

/* The insides in a word. Another thread's may change meanwhile, and its slab be unbound: then there are none. Who sees
 * a bitmap sees it zeroed. */
static inline uint64_t inside_of(const struct slab *slab, unsigned word) {
  const _Atomic uint64_t *inside = atomic_load_explicit(&slab->inside, memory_order_acquire);
  return inside == NULL ? 0 : atomic_load_explicit(&inside[word], memory_order_relaxed);
}

/* Blocks, as bits of a word, with their insides: a sum carries through each run of bits. */
static inline uint64_t inside_with(uint64_t blocks, uint64_t inside) {
  return blocks | (inside & ~(inside + (blocks << 1 & inside)));
}

/* Of how many blocks of the slab's class the block consists that begins here. */
static inline unsigned inside_parts(const struct slab *slab, unsigned index) {
  return 1 + (unsigned)__builtin_ctzll(~(inside_of(slab, index / 64) >> index % 64 >> 1));
}

static inline bool inside_holds(const struct slab *slab, unsigned index) {
  return (inside_of(slab, index / 64) >> index % 64 & 1) != 0;
}

/* These blocks of a word, so many, are inside the one before them, or are no longer. False: no memory for the
 * bitmap. */
bool inside_add(struct slab *slab, unsigned word, uint64_t blocks, unsigned count);
void inside_remove(struct slab *slab, unsigned word, uint64_t blocks, unsigned count);

/* In a child of fork() that may have lost a thread in the midst of these: counts them anew. */
void inside_recount(struct slab *slab);

/* The slab's binding ends, which has a bitmap. */
void inside_end(struct slab *slab);

bool inside_is_valid(const struct slab *slab);

#endif
