/* heap: what one thread owns, and the equation that holds for each of its slabs. */
#include "warm/heap.h"

#include <string.h>

#include "os/fatal.h"
#include "unit/unit.h"

enum { MANY = 20000 };

static void *blocks[MANY];

/* A heap that no thread uses: the test works on it in the place of one. What earlier tests left to orphans is kept
 * away from it. */
static struct thread_heap *new_heap(void) {
  while (registry_adopt() != NULL) {
  }
  return heap_new();
}

/* Takes `want` blocks into to[0] and up, recycled ones first; returns how many there were. */
static unsigned take(struct thread_heap *heap, size_t size_class, void **to, unsigned want) {
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

static void expect_census(struct thread_heap *heap, size_t size_class, size_t live) {
  struct heap_census census = heap_census(heap, size_class);
  EXPECT_EQ(census.capacity, live + census.free + census.remote + census.cached + census.depot);
}

static size_t slab_bytes(size_t size_class) { return (size_t)size_classes[size_class].units * UNIT_BYTES; }

TEST(HeapTest, ANewHeapHasAnOwnerAndNothingElse) {
  struct thread_heap *a = new_heap();
  struct thread_heap *b = new_heap();
  ASSERT_NE(a, NULL);
  EXPECT_NE(a->link.owner, b->link.owner);
  EXPECT_EQ(heap_of_link(&a->link), a);
  EXPECT_EQ(a->cache, NULL);
  EXPECT_EQ(a->bound_bytes, 0);
  EXPECT_FALSE(atomic_load(&a->link.orphan));
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(heap_census(a, size_class).capacity, 0);
  }
}

TEST(HeapTest, TakesRecycledBlocksLowestFirstFromTheSlotDownwards) {
  pool_purge(0); /* so that the slab's memory is fresh */
  struct thread_heap *heap = new_heap();
  ASSERT_EQ(take(heap, size_class_of(64), blocks, 20), 20);
  void *const given[] = {blocks[7], blocks[11], blocks[2], blocks[5]};
  heap_put(heap, size_class_of(64), given, 4);
  void *slot[10] = {NULL};
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 3), 3);
  EXPECT_EQ(slot[9], NULL);
  EXPECT_EQ(slot[8], blocks[2]);
  EXPECT_EQ(slot[7], blocks[5]);
  EXPECT_EQ(slot[6], blocks[7]);
  EXPECT_EQ(slot[5], NULL);
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 5), 1); /* no more than there are */
  EXPECT_EQ(slot[8], blocks[11]);
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 5), 0);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

TEST(HeapTest, GrowsFromFreshMemoryAPageAtATime) {
  pool_purge(0);
  struct thread_heap *heap = new_heap();
  void *slot[64];
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[63], 64), 0);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(heap_grow(heap, size_class_of(64), &slot[63], 40), 40);
  char *start = slot[63];
  for (size_t i = 0; i < 40; i++) {
    ASSERT_EQ(slot[63 - i], start + i * 64);
  }
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[63], 1), 0);
  size_t rest_of_page = os_page_size() / 64 - 40;
  EXPECT_EQ(heap_grow(heap, size_class_of(64), &slot[63], 40), rest_of_page < 40 ? rest_of_page : 40);
  EXPECT_EQ(slot[63], start + 40 * 64);
  EXPECT_EQ(unit_resident(start, UNIT_BYTES), 0); /* and none of it is touched */
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

TEST(HeapTest, BindsASlabOnlyWhenItHasNoneToCarve) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    struct thread_heap *heap = new_heap();
    const unsigned capacity = size_classes[size_class].capacity;
    ASSERT_EQ(take(heap, size_class, blocks, capacity), capacity);
    EXPECT_EQ(heap->bound_bytes, slab_bytes(size_class));
    for (unsigned i = 1; i < capacity; i++) {
      ASSERT_EQ((char *)blocks[i], (char *)blocks[0] + (size_t)i * size_classes[size_class].stride);
    }
    expect_census(heap, size_class, capacity);
    heap_put(heap, size_class, &blocks[capacity / 2], 1);
    EXPECT_EQ(take(heap, size_class, &blocks[capacity / 2], 1), 1);
    EXPECT_EQ(heap->bound_bytes, slab_bytes(size_class));
    EXPECT_EQ(take(heap, size_class, &blocks[capacity], 1), 1);
    EXPECT_EQ(heap->bound_bytes, 2 * slab_bytes(size_class));
    expect_census(heap, size_class, capacity + 1);
    heap_put(heap, size_class, blocks, capacity + 1);
    EXPECT_EQ(heap->bound_bytes, 0);
    heap_drain(heap);
  }
}

TEST(HeapTest, EmptiedSlabsAreReleased) {
  struct thread_heap *heap = new_heap();
  const unsigned count = 3 * size_classes[size_class_of(192)].capacity;
  EXPECT_EQ(take(heap, size_class_of(192), blocks, count), count);
  EXPECT_EQ(heap->bound_bytes, 3 * UNIT_BYTES);
  char *last = blocks[count - 1];
  heap_put(heap, size_class_of(192), blocks, count - 1);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  expect_census(heap, size_class_of(192), 1);
  heap_put(heap, size_class_of(192), (void **)&last, 1);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(unit_tag_of(last), UNIT_TAG_NONE);
  EXPECT_EQ(heap_census(heap, size_class_of(192)).capacity, 0);
  EXPECT_EQ(heap->lane[size_class_of(192)].first, NULL);
}

TEST(HeapTest, PutsBlocksOfManySlabsInAnyOrder) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 1, 6, 20, 27, 31, SIZE_CLASS_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    const size_t size_class = classes[c];
    struct thread_heap *heap = new_heap();
    unsigned count = 4U * size_classes[size_class].capacity;
    count = count < MANY ? count : MANY;
    ASSERT_EQ(take(heap, size_class, blocks, count), count);
    for (unsigned i = count - 1; i > 0; i--) {
      size_t j = unit_below(&seed, i + 1);
      void *other = blocks[j];
      blocks[j] = blocks[i];
      blocks[i] = other;
    }
    for (unsigned at = 0; at < count;) {
      unsigned part = (unsigned)unit_below(&seed, 100) + 1;
      part = part < count - at ? part : count - at;
      heap_put(heap, size_class, &blocks[at], part);
      at += part;
      if (at % 7 == 0) {
        expect_census(heap, size_class, count - at);
      }
    }
    EXPECT_EQ(heap->bound_bytes, 0);
    heap_drain(heap);
  }
}

TEST(HeapTest, SlabsThatGainBlocksJoinTheirLaneLast) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(4096)].capacity;
  EXPECT_EQ(take(heap, size_class_of(4096), blocks, 3 * capacity), 3 * capacity);
  EXPECT_EQ(heap->lane[size_class_of(4096)].first, NULL); /* all are full */
  heap_put(heap, size_class_of(4096), &blocks[2 * capacity], 1);
  heap_put(heap, size_class_of(4096), &blocks[0], 1);
  heap_put(heap, size_class_of(4096), &blocks[capacity], 1);
  void *again[3];
  EXPECT_EQ(heap_take(heap, size_class_of(4096), &again[2], 3), 3);
  EXPECT_EQ(again[2], blocks[2 * capacity]);
  EXPECT_EQ(again[1], blocks[0]);
  EXPECT_EQ(again[0], blocks[capacity]);
}

TEST(HeapTest, TakesMagazinesBackFullOrInPart) {
  struct thread_heap *heap = new_heap();
  void **full = depot_spare(&heap->depot, size_class_of(64));
  EXPECT_EQ(take(heap, size_class_of(64), magazine_bottom(full, size_class_of(64)) + 1,
                 size_classes[size_class_of(64)].magazine),
            size_classes[size_class_of(64)].magazine);
  void **part = depot_spare(&heap->depot, size_class_of(64));
  EXPECT_EQ(take(heap, size_class_of(64), magazine_bottom(part, size_class_of(64)) + 1, 10), 10);
  void **none = depot_spare(&heap->depot, size_class_of(64));
  expect_census(heap, size_class_of(64), size_classes[size_class_of(64)].magazine + 10U);

  heap_put_full(heap, size_class_of(64), full);
  expect_census(heap, size_class_of(64), 10);
  heap_put_magazine(heap, size_class_of(64), magazine_bottom(part, size_class_of(64)) + 10);
  heap_put_magazine(heap, size_class_of(64), magazine_bottom(none, size_class_of(64)));
  EXPECT_EQ(heap->bound_bytes, 0);
  /* All three are spare now. */
  EXPECT_EQ(depot_spare(&heap->depot, size_class_of(64)), none);
  EXPECT_EQ(depot_spare(&heap->depot, size_class_of(64)), part);
  EXPECT_EQ(depot_spare(&heap->depot, size_class_of(64)), full);
}

TEST(HeapTest, DrainingEmptiesTheDepotAndTheWarmPool) {
  struct thread_heap *heap = new_heap();
  const size_t classes[] = {2, 17, SIZE_CLASS_COUNT - 1};
  for (size_t i = 0; i < 3; i++) {
    for (int n = 0; n < 4; n++) {
      void **magazine = depot_spare(&heap->depot, classes[i]);
      unsigned holds = size_classes[classes[i]].magazine;
      ASSERT_EQ(take(heap, classes[i], magazine_bottom(magazine, classes[i]) + 1, holds), holds);
      depot_push(&heap->depot, classes[i], magazine);
    }
    struct heap_census census = heap_census(heap, classes[i]);
    EXPECT_EQ(census.depot, 4 * size_classes[classes[i]].magazine);
    expect_census(heap, classes[i], 0);
  }
  heap_drain(heap);
  EXPECT_EQ(heap->depot.bytes, 0);
  EXPECT_EQ(heap->warm_pool.count, 0);
  EXPECT_EQ(heap->bound_bytes, 0);
}

/* ---- other threads ---- */

static void post_block(struct thread_heap *poster, void *block) {
  struct place place = place_of(block, unit_tag_class(unit_tag_of(block)));
  heap_post_bits(poster, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
}

TEST(HeapTest, WhatOthersFreeIsRemoteUntilItIsCollected) {
  struct thread_heap *heap = new_heap();
  EXPECT_EQ(take(heap, size_class_of(256), blocks, 600), 600); /* three slabs */
  size_t published = heap_published();
  for (size_t i = 0; i < 600; i += 2) {
    post_block(NULL, blocks[i]);
  }
  EXPECT_EQ(heap_published() - published, 3);
  EXPECT_EQ(heap_census(heap, size_class_of(256)).remote, 300);
  expect_census(heap, size_class_of(256), 300);
  heap_collect(heap);
  EXPECT_EQ(heap_census(heap, size_class_of(256)).remote, 0);
  expect_census(heap, size_class_of(256), 300);
  for (size_t i = 1; i < 600; i += 2) {
    post_block(NULL, blocks[i]);
  }
  EXPECT_EQ(heap_published() - published, 6);
  heap_collect(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
}

TEST(HeapTest, TakeCollectsBeforeItBinds) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(1024)].capacity;
  EXPECT_EQ(take(heap, size_class_of(1024), blocks, capacity), capacity);
  post_block(NULL, blocks[17]);
  post_block(NULL, blocks[40]);
  void *again[2];
  EXPECT_EQ(heap_take(heap, size_class_of(1024), &again[1], 2), 2);
  EXPECT_EQ(again[1], blocks[17]);
  EXPECT_EQ(again[0], blocks[40]);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

TEST(HeapTest, AnEmptySlabThatIsQueuedIsReleasedOnlyOnceCollected) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(4096)].capacity;
  EXPECT_EQ(take(heap, size_class_of(4096), blocks, capacity), capacity);
  struct slab *slab = place_of(blocks[0], size_class_of(4096)).slab;
  /* Another thread has posted bits, holds the token, and has not yet queued the slab. */
  EXPECT_TRUE(remote_post(slab, 0, 1));
  EXPECT_EQ(slab_collect(slab), 1);
  heap_put(heap, size_class_of(4096), &blocks[1], capacity - 1);
  heap_collect(heap);
  EXPECT_TRUE(slab_is_empty(slab));
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  remote_enqueue(&heap->queue, slab);
  heap_collect(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
}

TEST(HeapTest, PostingAWordEmptiesItsEntry) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *poster = heap_new();
  EXPECT_EQ(take(owner, size_class_of(64), blocks, 128), 128);
  struct slab *slab = place_of(blocks[0], size_class_of(64)).slab;
  poster->words.entry[3] = (struct remote_word){.slab = slab, .bits = 0xF0, .word = 1, .left = 5};
  poster->words.entry[9] = (struct remote_word){.slab = slab, .bits = 0x0F, .word = 0, .left = 5};
  heap_post_word(poster, &poster->words.entry[3]);
  EXPECT_EQ(poster->words.entry[3].slab, NULL);
  EXPECT_EQ(heap_census(owner, size_class_of(64)).remote, 4);
  heap_post(poster);
  EXPECT_EQ(poster->words.entry[9].slab, NULL);
  EXPECT_EQ(heap_census(owner, size_class_of(64)).remote, 8);
  expect_census(owner, size_class_of(64), 120);
}

TEST(HeapTest, AnOrphanIsCollectedByThoseWhoPublishToIt) {
  enum { SLABS = 64, UNCOLLECTED_MAX = 16 };
  for (int with_heap = 0; with_heap < 2; with_heap++) {
    struct thread_heap *orphan = new_heap();
    struct thread_heap *poster = with_heap ? heap_new() : NULL;
    const unsigned capacity = size_classes[size_class_of(4096)].capacity;
    EXPECT_EQ(take(orphan, size_class_of(4096), blocks, SLABS * capacity), SLABS * capacity);
    registry_orphan(&orphan->link);
    for (unsigned i = 0; i < SLABS * capacity; i++) {
      post_block(poster, blocks[i]);
    }
    EXPECT_TRUE(atomic_load(&orphan->link.orphan));
    EXPECT_LE(orphan->bound_bytes, UNCOLLECTED_MAX * UNIT_BYTES);
    EXPECT_EQ(orphan->warm_pool.count, 0);
    EXPECT_TRUE(registry_borrow(&orphan->link));
    heap_collect(orphan);
    EXPECT_EQ(orphan->bound_bytes, 0);
  }
}

TEST(HeapTest, SlabsOfAnOrphanAreAdoptedBeforeTheProcessGrows) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const unsigned capacity = size_classes[size_class_of(1024)].capacity;
  EXPECT_EQ(take(orphan, size_class_of(1024), blocks, 2 * capacity), 2 * capacity);
  post_block(NULL, blocks[5]);
  registry_orphan(&orphan->link);
  size_t adoptions = registry_adoptions();
  size_t taken = pool_figures().slabs_taken;

  void *block = NULL;
  EXPECT_EQ(heap_take(heap, size_class_of(1024), &block, 1), 0);
  ASSERT_EQ(heap_grow(heap, size_class_of(1024), &block, 1), 1);
  EXPECT_EQ(block, blocks[5]);
  EXPECT_EQ(pool_figures().slabs_taken, taken);
  EXPECT_EQ(registry_adoptions() - adoptions, 1);
  EXPECT_TRUE(atomic_load(&orphan->link.orphan));
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  EXPECT_EQ(orphan->bound_bytes, UNIT_BYTES);
  EXPECT_EQ(unit_tag_of(block) >> UNIT_TAG_CLASS_BITS, heap->link.owner);
  EXPECT_EQ(atomic_load(&place_of(block, size_class_of(1024)).slab->heap), heap);
  expect_census(heap, size_class_of(1024), capacity);
  expect_census(orphan, size_class_of(1024), capacity);
  /* Its other blocks are the new owner's to take back. */
  heap_put(heap, size_class_of(1024), blocks, capacity);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_TRUE(registry_borrow(&orphan->link));
}

TEST(HeapTest, SettlingTakesBackWhatALostThreadHadCached) {
  struct thread_heap *heap = new_heap();
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->parked_top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];
  }
  const size_t classes[] = {1, 20, 36};
  for (size_t i = 0; i < 3; i++) {
    void **magazine = depot_spare(&heap->depot, classes[i]);
    ASSERT_EQ(take(heap, classes[i], magazine_bottom(magazine, classes[i]) + 1, 2), 2);
    heap->parked_top[classes[i]] = magazine_bottom(magazine, classes[i]) + 2;
    EXPECT_GT(heap->bound_bytes, 0);
  }
  heap->parked = true;
  heap_settle(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_FALSE(heap->parked);
  heap_settle(heap); /* once is enough */
  EXPECT_EQ(heap->bound_bytes, 0);
}

TEST(HeapTest, BusyIsSetFromEnterToLeave) {
  struct thread_heap *heap = new_heap();
  EXPECT_EQ(atomic_load(&heap->busy), 0);
  heap_enter(heap);
  EXPECT_EQ(atomic_load(&heap->busy), 1);
  heap_leave(heap);
  EXPECT_EQ(atomic_load(&heap->busy), 0);
}

/* ---- random work against a model ---- */

TEST(HeapTest, TheCensusHoldsThroughRandomWork) {
  enum { LIVE_MAX = 3000 };
  static const size_t classes[] = {0, 1, 4, 13, 20, 28, 29, 35, SIZE_CLASS_COUNT - 1};
  enum { CLASSES = sizeof classes / sizeof classes[0] };
  static void *live[CLASSES][LIVE_MAX];
  size_t count[CLASSES] = {0};
  uint64_t seed = unit_seed();
  struct thread_heap *heap = new_heap();
  for (int step = 0; step < 20000; step++) {
    size_t c = unit_below(&seed, CLASSES);
    size_t size_class = classes[c];
    unsigned want = (unsigned)unit_below(&seed, 64) + 1;
    switch (unit_below(&seed, 8)) {
    case 0:
    case 1:
    case 2:
      if (count[c] + want <= LIVE_MAX) {
        unsigned had = take(heap, size_class, &live[c][count[c]], want);
        ASSERT_EQ(had, want);
        for (unsigned i = 0; i < had; i++) {
          struct place place = place_of(live[c][count[c] + i], size_class);
          ASSERT_NE(place.index, PLACE_NONE);
        }
        count[c] += had;
      }
      break;
    case 3:
    case 4:
      want = want < count[c] ? want : (unsigned)count[c];
      count[c] -= want;
      heap_put(heap, size_class, &live[c][count[c]], want);
      break;
    case 5:
      for (; want > 0 && count[c] > 0; want--) {
        size_t i = unit_below(&seed, count[c]);
        post_block(NULL, live[c][i]);
        live[c][i] = live[c][--count[c]];
      }
      break;
    case 6: {
      /* A full magazine goes to the depot, or one comes out of it. */
      void **magazine = depot_pop(&heap->depot, size_class);
      if (magazine != NULL) {
        heap_put_full(heap, size_class, magazine);
      } else if (heap->depot.bytes < MIB) {
        magazine = depot_spare(&heap->depot, size_class);
        unsigned holds = size_classes[size_class].magazine;
        ASSERT_EQ(take(heap, size_class, magazine_bottom(magazine, size_class) + 1, holds), holds);
        depot_push(&heap->depot, size_class, magazine);
      }
      break;
    }
    default:
      heap_collect(heap);
      break;
    }
    if (step % 50 == 0) {
      expect_census(heap, size_class, count[c]);
    }
  }
  for (size_t c = 0; c < CLASSES; c++) {
    expect_census(heap, classes[c], count[c]);
    heap_put(heap, classes[c], live[c], (unsigned)count[c]);
  }
  heap_drain(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_TRUE(pool_is_valid());
}

/* ---- out of memory ---- */

static void run_out_of_memory(void *unused) {
  (void)unused;
  const unsigned capacity = size_classes[SIZE_CLASS_COUNT - 1].capacity;
  struct thread_heap *heap = heap_new();
  unit_limit_memory(16 * MIB);
  unsigned had = take(heap, SIZE_CLASS_COUNT - 1, blocks, MANY);
  EXPECT_GT(had, 16 * MIB / SIZE_CLASS_MAX / 2);
  EXPECT_LT(had, MANY);
  EXPECT_EQ(had % capacity, 0);
  void *none = NULL;
  EXPECT_EQ(heap_take(heap, SIZE_CLASS_COUNT - 1, &none, 1), 0);
  EXPECT_EQ(heap_grow(heap, SIZE_CLASS_COUNT - 1, &none, 1), 0);
  EXPECT_EQ(none, NULL);
  expect_census(heap, SIZE_CLASS_COUNT - 1, had);
  /* What is freed can be had again, and all of it comes back. */
  heap_put(heap, SIZE_CLASS_COUNT - 1, &blocks[had - 1], 1);
  EXPECT_EQ(heap_take(heap, SIZE_CLASS_COUNT - 1, &blocks[had - 1], 1), 1);
  heap_put(heap, SIZE_CLASS_COUNT - 1, blocks, had);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(take(heap, SIZE_CLASS_COUNT - 1, blocks, had), had);
  unit_limit_memory(SIZE_MAX);
  EXPECT_EQ(take(heap, SIZE_CLASS_COUNT - 1, &blocks[had], MANY - had), MANY - had);
}

TEST(HeapTest, WithoutMemoryItGivesWhatItHasAndStaysWhole) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

/* ---- misuse ---- */

#define ANNOUNCED "block (" ANY_POINTER ") slab (" ANY_POINTER ") thread (" ANY_NUMBER ")\n"

static void announce(const void *block, const void *slab) {
  notice("block %p slab %p thread %ld", block, slab, os_thread_id());
}

static void put_one_block_twice_at_once(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  announce(blocks[66], blocks[0]);
  blocks[60] = blocks[66];
  heap_put(heap, size_class_of(64), blocks, 70);
}

static void put_one_block_twice(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  heap_put(heap, size_class_of(64), &blocks[10], 20);
  announce(blocks[15], blocks[0]);
  heap_put(heap, size_class_of(64), &blocks[15], 1);
}

static void put_with_another_thread(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  heap_put(heap, size_class_of(64), &blocks[15], 1);
  post_block(NULL, blocks[15]);
  announce(blocks[15], blocks[0]);
  heap_collect(heap);
}

TEST(HeapTest, ABlockThatIsPutTwiceIsADoubleFree) {
  const char *line = ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n";
  EXPECT_STOPS(put_one_block_twice_at_once, NULL, line);
  EXPECT_STOPS(put_one_block_twice, NULL, line);
  EXPECT_STOPS(put_with_another_thread, NULL, line);
}

static void put_inside(void *offset) {
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 8);
  char *start = blocks[0];
  blocks[5] = (char *)blocks[5] + (uintptr_t)offset;
  announce(blocks[5], start);
  heap_put(heap, size_class_of(1024), blocks, 8);
}

static void put_first_inside(void *offset) {
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 8);
  char *start = blocks[0];
  blocks[0] = start + (uintptr_t)offset;
  announce(blocks[0], start);
  heap_put(heap, size_class_of(1024), blocks, 8);
}

static void put_tail_of_slab(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(48), blocks, 8); /* 1365 blocks of 48 bytes: 16 bytes are left at the end */
  char *start = blocks[0];
  blocks[1] = start + 1365 * 48;
  announce(blocks[1], start);
  heap_put(heap, size_class_of(48), blocks, 8);
}

TEST(HeapTest, APointerThatIsNoBlockIsInterior) {
  const char *line =
      ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n";
  const uintptr_t offsets[] = {1, 8, 16, 1023};
  for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
    EXPECT_STOPS(put_inside, (void *)offsets[i], line);
    EXPECT_STOPS(put_first_inside, (void *)offsets[i], line);
  }
  EXPECT_STOPS(put_tail_of_slab, NULL,
               ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 48 bytes, slab \\2, thread \\3\n");
}

/* ---- the census finds what is wrong ---- */

static void foreign_in_a_magazine(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  struct thread_heap *other = heap_new();
  void **magazine = depot_spare(&heap->depot, size_class_of(1024));
  take(heap, size_class_of(1024), magazine_bottom(magazine, size_class_of(1024)) + 1,
       size_classes[size_class_of(1024)].magazine);
  depot_push(&heap->depot, size_class_of(1024), magazine);
  expect_census(heap, size_class_of(1024), 0);
  take(other, size_class_of(1024), &magazine[40], 1);
  notice("%p", magazine[40]);
  heap_census(heap, size_class_of(1024));
}

static void free_in_a_magazine(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  void **magazine = depot_spare(&heap->depot, size_class_of(1024));
  take(heap, size_class_of(1024), magazine_bottom(magazine, size_class_of(1024)) + 1,
       size_classes[size_class_of(1024)].magazine);
  depot_push(&heap->depot, size_class_of(1024), magazine);
  heap_put(heap, size_class_of(1024), &magazine[40], 1);
  notice("%p", magazine[40]);
  heap_census(heap, size_class_of(1024));
}

static void free_twice(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 5);
  heap_put(heap, size_class_of(1024), &blocks[3], 1);
  post_block(NULL, blocks[3]);
  notice("%p", blocks[0]);
  heap_census(heap, size_class_of(1024));
}

static void miscounted(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 5);
  place_of(blocks[0], size_class_of(1024)).slab->free_count++;
  notice("%p", blocks[0]);
  heap_census(heap, size_class_of(1024));
}

TEST(HeapTest, TheCensusStopsAtWhatIsWrong) {
  EXPECT_STOPS(foreign_in_a_magazine, NULL,
               "(" ANY_POINTER ")\nhakmem: census: pointer \\1 in a magazine is no block of its heap and class\n");
  EXPECT_STOPS(free_in_a_magazine, NULL,
               "(" ANY_POINTER ")\nhakmem: census: pointer \\1 is in a magazine and free in its slab\n");
  EXPECT_STOPS(free_twice, NULL, "(" ANY_POINTER ")\nhakmem: census: slab \\1 has blocks that are free twice\n");
  EXPECT_STOPS(miscounted, NULL, "(" ANY_POINTER ")\nhakmem: census: slab \\1 is not valid\n");
}
