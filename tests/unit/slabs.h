/* slabs: slabs of a heap that no thread uses, for the tests of slabs. */
#ifndef HAKMEM_TESTS_UNIT_SLABS_H
#define HAKMEM_TESTS_UNIT_SLABS_H

#include "cold/shared_pool.h"
#include "os/fatal.h"
#include "unit/unit.h"
#include "warm/heap.h"
#include "warm/remote.h"
#include "warm/slab.h"

/* The slabs here belong to a heap that no thread uses, so nothing else touches them. */
static inline struct thread_heap *own_heap(void) {
  static struct thread_heap *heap;
  if (heap == NULL) {
    heap = heap_new();
  }
  return heap;
}

static inline struct slab *bind(struct slab *slab, size_t size_class) {
  if (slab == NULL || !slab_bind(slab, size_class, own_heap(), own_heap()->link.owner)) {
    fatal("no memory for a test");
  }
  return slab;
}

/* In memory that nobody has used. */
static inline struct slab *fresh_slab(size_t size_class) {
  pool_purge(SIZE_MAX);
  struct slab *slab = bind(pool_take(size_classes[size_class].units, USE_PARTS), size_class);
  EXPECT_EQ(slab->carved, 0);
  return slab;
}

/* In memory that was another slab's. */
static inline struct slab *used_slab(size_t size_class) {
  struct slab *former = pool_take(size_classes[size_class].units, USE_PARTS);
  former->dirty = former->units;
  pool_give(former);
  struct slab *slab = bind(pool_take(size_classes[size_class].units, USE_PARTS), size_class);
  EXPECT_EQ(slab->carved, size_classes[size_class].capacity);
  return slab;
}

static inline struct slab *new_slab(size_t size_class) {
  return size_class % 2 == 0 ? fresh_slab(size_class) : used_slab(size_class);
}

static inline void drop_slab(struct slab *slab) {
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  pool_give(slab);
}

static inline char *block_of(const struct slab *slab, size_t index) {
  return slab_start(slab) + index * size_classes[slab->size_class].stride;
}

static inline void put_index(struct slab *slab, size_t index) {
  slab_put(slab, (unsigned)(index / 64), UINT64_C(1) << index % 64, 1);
}

enum { BLOCKS_MAX = UNIT_BYTES / 8 };

static void *slots[BLOCKS_MAX];

/* Takes `want` blocks, recycled or fresh; the first is in slots[0]. */
static inline unsigned take(struct slab *slab, unsigned want) {
  unsigned had = 0;
  while (had < want) {
    void *slot[64];
    unsigned part = want - had < 64 ? want - had : 64;
    unsigned taken = slab_take(slab, &slot[63], part);
    if (taken == 0 && !slab_is_carved(slab)) {
      taken = slab_carve(slab, &slot[63], part);
    }
    if (taken == 0) {
      break;
    }
    for (unsigned i = 0; i < taken; i++) {
      slots[had++] = slot[63 - i];
    }
  }
  return had;
}

#endif
