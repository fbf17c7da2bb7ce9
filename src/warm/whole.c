#include "warm/whole.h"

enum { WORD_BITS = 64 };

static uint64_t run_of(unsigned first, unsigned parts) { return ~UINT64_C(0) >> (WORD_BITS - parts) << first; }

bool slab_coalesce(struct slab *slab, unsigned index, unsigned parts) {
  unsigned word = index / WORD_BITS;
  uint64_t blocks = run_of(index % WORD_BITS, parts);
  if (!inside_add(slab, word, blocks & (blocks - 1), parts - 1)) {
    return false;
  }
  atomic_signal_fence(memory_order_seq_cst); /* inside before they are no longer free: for a child of fork() */
  slab->free[word] &= ~blocks;
  slab->free_count -= parts;
  return true;
}

unsigned slab_put_whole(struct slab *slab, unsigned index) {
  if (unlikely(inside_holds(slab, index))) {
    fatal_interior(slab_start(slab) + (size_t)index * size_classes[slab->size_class].stride, slab->size_class, "free");
  }
  unsigned parts = inside_parts(slab, index);
  unsigned word = index / WORD_BITS;
  uint64_t blocks = run_of(index % WORD_BITS, parts);
  slab_put(slab, word, blocks, parts);
  if (parts > 1) {
    atomic_signal_fence(memory_order_seq_cst); /* free before they are no longer inside */
    inside_remove(slab, word, blocks & (blocks - 1), parts - 1);
  }
  return parts;
}

size_t slab_whole_bytes(const void *block, size_t size_class, const char *what) {
  struct place place = place_of(block, size_class);
  if (unlikely(place.index == PLACE_NONE || inside_holds(place.slab, place.index))) {
    fatal_interior(block, size_class, what);
  }
  return (size_t)inside_parts(place.slab, place.index) * size_classes[size_class].stride;
}
