/* heaps: what the tests of WARM's boxes do to heaps: to one that no thread uses, and to a new thread's own. */
#ifndef HAKMEM_TESTS_UNIT_HEAPS_H
#define HAKMEM_TESTS_UNIT_HEAPS_H

#include "cold/cold.h"
#include "hakmem.h"
#include "os/fatal.h"
#include "unit/unit.h"
#include "warm/census.h"
#include "warm/claim.h"
#include "warm/heap.h"
#include "warm/lane.h"
#include "warm/post.h"
#include "warm/take.h"

enum { UNTOUCHED_ERRNO = 4711 };

/* What earlier tests left to orphans is kept away from this one. */
static inline void hold_orphans(void) {
  enum heap_state was;
  while (registry_take(REGISTRY_OLDEST, &was) != NULL) {
  }
}

static inline size_t heap_count(void) {
  size_t count = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    count++;
  }
  return count;
}

static inline void outlast(void *unused) {
  (void)unused;
  for (int i = 0; i < 4096; i++) {
    hak_free(hak_malloc(16));
  }
}

/* The next threads begin with a heap, although others have ended: those before them have outgrown the work of brief
 * ones (warm/light_work.h). */
static inline void let_threads_last(void) {
  unit_in_thread(outlast, NULL); /* leaves an orphan */
  unit_in_thread(outlast, NULL);
}

/* Blocks of a class that are in use, or cached by a CPU. */
static inline size_t live_in_heap(struct thread_heap *heap, size_t size_class) {
  struct heap_census census = heap_census(heap, size_class);
  return census.capacity - census.free - census.remote - census.cached - census.depot;
}

/* ---- blocks that a test keeps, each linked to the one before ---- */

static inline void *keep_block(void *kept, size_t size) {
  void **block = hak_malloc(size);
  *block = kept;
  return (void *)block;
}

static inline void free_kept(void *kept) {
  while (kept != NULL) {
    void *before = *(void **)kept;
    hak_free(kept);
    kept = before;
  }
}

/* ---- a heap that no thread uses: the test works on it in the place of one ---- */

static inline struct thread_heap *new_heap(void) {
  hold_orphans();
  return heap_new();
}

/* Takes `want` blocks into to[0] and up, recycled ones first; returns how many there were. */
static inline unsigned take(struct thread_heap *heap, size_t size_class, void **to, unsigned want) {
  unsigned had = 0;
  while (had < want) {
    void *slot[64];
    unsigned part_wanted = want - had < 64 ? want - had : 64;
    unsigned part = heap_take(heap, size_class, &slot[63], part_wanted);
    if (part == 0) {
      part = heap_grow(heap, size_class, &slot[63], part_wanted);
    }
    if (part == 0) {
      break;
    }
    for (unsigned i = 0; i < part; i++) {
      to[had++] = slot[63 - i];
    }
  }
  return had;
}

/* Bytes of its slabs, but for those that are empty and kept for the next blocks of their class: these are released. */
static inline size_t bound_in_use(struct thread_heap *heap) {
  lane_release_kept(heap, 0);
  return heap->bound_bytes;
}

/* The bottom of an empty magazine that may be as full as one of the class ever is. */
static inline void **empty_magazine(struct thread_heap *heap, size_t size_class) {
  return depot_take_empty(&heap->depot, size_classes[size_class].magazine);
}

/* A full magazine of the heap's blocks, which is nowhere yet. */
static inline void **full_magazine(struct thread_heap *heap, size_t size_class) {
  void **bottom = empty_magazine(heap, size_class);
  unsigned holds = size_classes[size_class].magazine;
  EXPECT_EQ(take(heap, size_class, bottom + 1, holds), holds);
  return magazine_of(bottom);
}

static inline void post_block(struct thread_heap *poster, void *block) {
  struct place place = place_of(block, unit_tag_class(unit_tag_of(block)));
  heap_post_bits(poster, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
}

static inline void expect_census(struct thread_heap *heap, size_t size_class, size_t live) {
  struct heap_census census = heap_census(heap, size_class);
  EXPECT_EQ(census.capacity, live + census.free + census.remote + census.cached + census.depot);
}

/* The heap's thread, which there is none of, has gathered these blocks of another one; returns where. */
static inline struct home_entry *gather_blocks(struct thread_heap *heap, void *const *those, unsigned count) {
  unit_tag tag = unit_tag_of(those[0]);
  struct home_entry *entry = home_entry_of(heap->home, tag);
  EXPECT_EQ(entry->tag, 0);
  entry->top = empty_magazine(heap, unit_tag_class(tag));
  entry->tag = tag;
  for (unsigned i = 0; i < count; i++) {
    EXPECT_TRUE(home_push(entry, those[i]));
  }
  return entry;
}

/* ---- a new thread's own ---- */

/* It begins with empty magazines; orphans of earlier tests would bring their slabs along. */
static inline void on_a_fresh_thread(void (*body)(void *), void *argument) {
  hold_orphans();
  unit_in_thread(body, argument);
}

static inline void expect_own_census(size_t size_class, size_t live) {
  expect_census(thread_cache.heap, size_class, live);
}

/* ---- misuse ---- */

static inline size_t class_of(const void *block) { return unit_tag_class(unit_tag_of(block)); }

static inline void *unit_of(const void *block) {
  return (void *)((uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1)); // NOLINT(performance-no-int-to-ptr)
}

/* What the line that stops the program is compared with. */
#define ANNOUNCED "block (" ANY_POINTER ") slab (" ANY_POINTER "|\\(nil\\)|0) thread (" ANY_NUMBER ")\n"

static inline void announce(const void *block, const void *slab) {
  notice("block %p slab %p thread %ld", block, slab, os_thread_id());
}

#endif
