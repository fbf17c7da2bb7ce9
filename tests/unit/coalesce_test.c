/* coalesce: adjacent free blocks of sparse slabs serve a larger class. */
#include "warm/coalesce.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/inside.h"
#include "warm/release.h"
#include "warm/thread.h"
#include "warm/trim.h"

enum { SMALL = 256, WIDE = 1000, FEW = 16, MANY = 20480, WANTED = 400 };

static unsigned char *small[MANY];
static unsigned char *wide[WANTED];

/* Whether a live block is made of several of a smaller class. */
static inline bool is_coalesced(const void *block) {
  unit_tag tag = unit_tag_of(block);
  struct place place = place_of(block, unit_tag_class(tag));
  return unit_tag_is_coalesced(tag) && inside_parts(place.slab, place.index) > 1;
}

/* The calling thread's heap has slabs in which one block in so many is live, and nothing that is retained. */
static void make_sparse(size_t blocks, size_t one_in) {
  for (size_t i = 0; i < blocks; i++) {
    small[i] = hak_malloc(SMALL);
    memset(small[i], (int)(i % 251), SMALL);
  }
  for (size_t i = 0; i < blocks; i++) {
    if (i % one_in != 0) {
      hak_free(small[i]);
      small[i] = NULL;
    }
  }
  (void)release_free_memory(RELEASE_ALL);
}

static void free_small(size_t blocks) {
  for (size_t i = 0; i < blocks; i++) {
    if (small[i] != NULL) {
      ASSERT_EQ(small[i][0], i % 251);
      ASSERT_EQ(small[i][SMALL - 1], i % 251);
      hak_free(small[i]);
      small[i] = NULL;
    }
  }
}

/* Blocks that are coalesced, each filled; the heap's others that came before are freed. */
static size_t take_sized(size_t size, size_t tries) {
  void *others = NULL;
  size_t taken = 0;
  for (size_t i = 0; taken < WANTED && i < tries; i++) {
    unsigned char *block = hak_malloc(size);
    if (is_coalesced(block)) {
      memset(block, (int)(taken % 241), hak_usable_size(block));
      wide[taken++] = block;
    } else {
      *(void **)(void *)block = others;
      others = block;
    }
  }
  free_kept(others);
  return taken;
}

static size_t take_wide(size_t tries) { return take_sized(WIDE, tries); }

static void free_wide(void *unused) {
  (void)unused;
  for (size_t i = 0; i < WANTED; i++) {
    size_t bytes = hak_usable_size(wide[i]);
    for (size_t at = 0; at < bytes; at++) {
      ASSERT_EQ(wide[i][at], i % 241);
    }
    hak_free(wide[i]);
  }
}

static bool is_all(const unsigned char *block, unsigned char what, size_t bytes) {
  for (size_t at = 0; at < bytes; at++) {
    if (block[at] != what) {
      return false;
    }
  }
  return true;
}

static void expect_all_free(void) {
  (void)release_free_memory(RELEASE_ALL);
  expect_own_census(size_class_of(SMALL), 0);
  expect_own_census(size_class_of(WIDE), 0);
  EXPECT_LE(bound_in_use(thread_cache.heap), UNIT_BYTES); /* the C library may keep a block of the thread's */
  EXPECT_LE(thread_cache.heap->used_bytes, KIB);
}

static void serve_a_larger_class(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  size_t bound = thread_cache.heap->bound_bytes;
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  EXPECT_LE(thread_cache.heap->bound_bytes, bound + UNIT_BYTES); /* of the block before the first */
  for (size_t i = 0; i < WANTED; i++) {
    ASSERT_EQ(hak_usable_size(wide[i]), 1024);
    ASSERT_EQ((uintptr_t)wide[i] % 16, 0);
  }
  (void)release_free_memory(RELEASE_ALL);
  expect_own_census(size_class_of(SMALL), MANY / FEW + WANTED);
  free_wide(NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, SparseSlabsServeALargerClass) { on_a_fresh_thread(serve_a_larger_class, NULL); }

/* Freed, it is cached by the class that it serves. */
static void serve_again(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  hak_free(wide[7]);
  EXPECT_EQ(hak_malloc(WIDE), wide[7]);
  hak_free_sized(wide[7], WIDE);
  EXPECT_EQ(hak_malloc(1024), wide[7]);
  memset(wide[7], 7, 1024);
  unsigned char *grown = hak_realloc(wide[7], 3000);
  EXPECT_TRUE(is_all(grown, 7, 1024));
  grown = hak_realloc(grown, 1000);
  EXPECT_TRUE(is_all(grown, 7, 1000));
  hak_free(grown);
  wide[7] = hak_calloc(1, WIDE);
  EXPECT_TRUE(unit_is_zero(wide[7], WIDE));
  memset(wide[7], 7, hak_usable_size(wide[7]));
  free_wide(NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, WhatIsFreedServesItsOwnClassAgain) { on_a_fresh_thread(serve_again, NULL); }

/* They lie where those of the smaller class do; whoever needs an alignment gets others. */
static void be_aligned(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  for (size_t i = 0; i < WANTED; i++) {
    hak_free(wide[i]);
  }
  for (size_t i = 0; i < WANTED; i++) {
    wide[i] = hak_aligned_alloc(1024, 1024);
    ASSERT_EQ((uintptr_t)wide[i] % 1024, 0);
    memset(wide[i], (int)(i % 241), 1024);
  }
  free_wide(NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, AnAlignmentIsKept) { on_a_fresh_thread(be_aligned, NULL); }

/* From the depot, too. */
static void be_exact(void *unused) {
  (void)unused;
  const size_t size_class = size_class_of(WIDE);
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  free_wide(NULL);
  size_t count = 0;
  while (*thread_cache.top[size_class] != NULL) {
    wide[count++] = hak_malloc(WIDE);
  }
  ASSERT_NE(thread_cache.heap->depot.full[size_class], NULL);
  ASSERT_TRUE(is_coalesced(magazine_full_top(thread_cache.heap->depot.full[size_class])[0]));
  void *block = gate_malloc_class(size_class);
  EXPECT_EQ(class_of(block), size_class);
  hak_free(block);
  while (count > 0) {
    hak_free(wide[--count]);
  }
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, ABlockOfTheVeryClassIsOne) { on_a_fresh_thread(be_exact, NULL); }

static void be_dense(void *one_in) {
  make_sparse(MANY, (uintptr_t)one_in);
  EXPECT_EQ(take_wide(4 * WANTED), 0);
  free_small(MANY);
}

static void be_small(void *unused) {
  (void)unused;
  make_sparse(MANY / 4, FEW);
  EXPECT_LT(thread_cache.heap->bound_bytes, 4 * MIB);
  EXPECT_EQ(take_wide(WANTED / 4), 0);
  free_small(MANY / 4);
}

TEST(CoalesceTest, NeitherDenseSlabsNorSmallHeapsServe) {
  on_a_fresh_thread(be_dense, (void *)2);
  on_a_fresh_thread(be_dense, (void *)3);
  on_a_fresh_thread(be_small, NULL);
}

/* What is retained needs no fresh memory. */
static void have_units(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  void *large = hak_malloc(128 * KIB);
  memset(large, 1, 128 * KIB);
  hak_free(large);
  unsigned char *block = hak_malloc(WIDE);
  EXPECT_FALSE(is_coalesced(block));
  hak_free(block);
  free_small(MANY);
}

TEST(CoalesceTest, FreeUnitsThatAreResidentServeFirst) { on_a_fresh_thread(have_units, NULL); }

/* ---- what is cached, and what goes back ---- */

/* Without a word from the program. */
static void give_back(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  struct thread_heap *heap = thread_cache.heap;
  EXPECT_GE(heap->trim_below + trim_step(heap), heap_live_bytes(heap)); /* it will look through its slabs soon */
  free_wide(NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, TheHeapIsTrimmedAsItDeclines) { on_a_fresh_thread(give_back, NULL); }

/* ---- other threads ---- */

/* With a heap of its own, too, it keeps none of them, and serves no smaller class by one. */
static void post_them(void *unused) {
  outlast(NULL);
  ASSERT_NE(thread_cache.heap, NULL);
  free_wide(unused);
  EXPECT_EQ(heap_census(atomic_load(&place_of(wide[0], class_of(wide[0])).slab->heap), size_class_of(SMALL)).remote,
            WANTED);
}

static void be_posted(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  unit_in_thread(post_them, NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, OthersPostThemAtOnce) {
  let_threads_last();
  on_a_fresh_thread(be_posted, NULL);
}

static void freed_by_another(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  unit_in_thread(free_wide, NULL);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED); /* what came home serves again */
  unit_in_thread(free_wide, NULL);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, AnotherThreadFreesThem) { on_a_fresh_thread(freed_by_another, NULL); }

static atomic_bool are_coalesced;

/* Nothing but the slabs themselves tells this thread of what the other one has changed. */
static void *ask_for_small(void *wrong) {
  while (!atomic_load_explicit(&are_coalesced, memory_order_relaxed)) {
    sched_yield();
  }
  for (size_t i = 0; i < MANY; i++) {
    *(size_t *)wrong += small[i] != NULL && hak_usable_size(small[i]) != SMALL;
  }
  return NULL;
}

static void asked_for_beside_them(void *unused) {
  (void)unused;
  pthread_t other;
  size_t wrong = 0;
  make_sparse(MANY, FEW);
  ASSERT_EQ(pthread_create(&other, NULL, ask_for_small, &wrong), 0);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  atomic_store_explicit(&are_coalesced, true, memory_order_relaxed);
  ASSERT_EQ(pthread_join(other, NULL), 0);
  EXPECT_EQ(wrong, 0);
  free_wide(NULL);
  free_small(MANY);
}

TEST(CoalesceTest, AnotherThreadAsksForBlocksBesideThem) { on_a_fresh_thread(asked_for_beside_them, NULL); }

static void leave_them(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
}

static void find_them(void *unused) {
  (void)unused;
  void *kept = NULL;
  for (size_t i = 0; i < MANY; i++) {
    kept = keep_block(kept, SMALL); /* adopts the orphan's slabs, or has the orphan */
  }
  free_kept(kept);
  free_wide(NULL);
  free_small(MANY);
  (void)release_free_memory(RELEASE_ALL);
}

TEST(CoalesceTest, TheyOutliveTheirThread) {
  hold_orphans();
  let_threads_last();
  unit_in_thread(leave_them, NULL);
  struct thread_heap *orphan = atomic_load(&place_of(wide[0], class_of(wide[0])).slab->heap);
  unit_in_thread(find_them, NULL);
  EXPECT_EQ(orphan->bound_bytes - orphan->kept.bytes, 0);
}

static void go_on_in_child(void *unused) {
  (void)unused;
  free_wide(NULL);
  free_small(MANY);
  expect_all_free();
}

static void fork_with_them(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  ASSERT_EQ(take_wide(4 * WANTED), WANTED);
  EXPECT_FORKS(go_on_in_child, NULL);
  free_wide(NULL);
  free_small(MANY);
}

TEST(CoalesceTest, AChildOfForkHasThem) { on_a_fresh_thread(fork_with_them, NULL); }

static void take_one(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  void *slot[1];
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  EXPECT_EQ(heap_coalesce(heap, size_class_of(WIDE), slot, 1), 1);
  EXPECT_EQ(heap_coalesce(heap, 0, slot, 1), 0); /* of the smallest class no smaller one is */
  heap_leave(heap);
  hak_free(slot[0]);
  free_small(MANY);
  expect_all_free();
}

TEST(CoalesceTest, ItTakesWhatIsWanted) { on_a_fresh_thread(take_one, NULL); }

/* Of so many blocks of `part` bytes one in 16 is live; blocks of `size` bytes are made of `parts` of the others. Freed,
 * they serve no larger size than they have room for. */
static size_t take_with_waste(size_t part, size_t blocks, size_t size, size_t parts) {
  void *live = NULL;
  void *freed = NULL;
  for (size_t i = 0; i < blocks; i++) {
    void **block = hak_malloc(part);
    void **list = i % FEW == 0 ? &live : &freed;
    *block = *list;
    *list = block;
  }
  free_kept(freed);
  (void)release_free_memory(RELEASE_ALL);
  size_t taken = take_sized(size, 4 * WANTED);
  for (size_t i = 0; i < taken; i++) {
    EXPECT_EQ(hak_usable_size(wide[i]), parts * part);
    hak_free_sized(wide[i], size);
    void *larger = hak_malloc(parts * part + 1);
    EXPECT_GT(hak_usable_size(larger), parts * part);
    hak_free(larger);
  }
  free_kept(live);
  expect_all_free();
  return taken;
}

/* 13 blocks of 80 bytes are 16 more than the 1,024 that are wanted, and there is no class of 1,040. */
static void fill_no_class(void *unused) {
  (void)unused;
  EXPECT_EQ(take_with_waste(80, 6 * MIB / 80, WIDE, 13), WANTED);
}

TEST(CoalesceTest, ABlockBetweenTwoClassesServesTheSmaller) { on_a_fresh_thread(fill_no_class, NULL); }

/* Four blocks of 1,408 bytes are a tenth more than the 5,120 that are wanted. */
static void waste_little(void *unused) {
  (void)unused;
  EXPECT_EQ(take_with_waste(1408, 16 * MIB / 1408, 4608 + 1, 4), 0);
  EXPECT_GE(take_with_waste(1408, 48 * MIB / 1408, 4608 + 1, 4), FEW);
}

TEST(CoalesceTest, OnlyInALargeHeapMuchOfABlockIsUnused) { on_a_fresh_thread(waste_little, NULL); }

/* ---- misuse ---- */

static void free_twice(void *between) {
  make_sparse(MANY, FEW);
  EXPECT_EQ(take_wide(4 * WANTED), WANTED);
  announce(wide[3], unit_of(wide[3]));
  hak_free(wide[3]);
  if (between != NULL) {
    (void)release_free_memory(RELEASE_ALL);
  }
  hak_free(wide[3]);
  (void)release_free_memory(RELEASE_ALL);
}

static void free_inside(void *offset) {
  make_sparse(MANY, FEW);
  EXPECT_EQ(take_wide(4 * WANTED), WANTED);
  announce(wide[3] + (uintptr_t)offset, unit_of(wide[3]));
  hak_free(wide[3] + (uintptr_t)offset);
}

static void free_inside_by_another(void *offset) {
  make_sparse(MANY, FEW);
  EXPECT_EQ(take_wide(4 * WANTED), WANTED);
  announce(wide[3] + (uintptr_t)offset, unit_of(wide[3]));
  unit_in_thread((void (*)(void *))hak_free, wide[3] + (uintptr_t)offset);
  (void)release_free_memory(RELEASE_ALL);
}

static void free_inside_with_a_heap(void *block) {
  outlast(NULL);
  hak_free(block);
}

static void free_inside_by_an_owner(void *offset) {
  let_threads_last();
  make_sparse(MANY, FEW);
  EXPECT_EQ(take_wide(4 * WANTED), WANTED);
  announce(wide[3] + (uintptr_t)offset, unit_of(wide[3]));
  unit_in_thread(free_inside_with_a_heap, wide[3] + (uintptr_t)offset);
}

static void free_with_a_wrong_size(void *unused) {
  (void)unused;
  make_sparse(MANY, FEW);
  EXPECT_EQ(take_wide(4 * WANTED), WANTED);
  hak_free_sized(wide[3], 2 * WIDE);
}

#define DOUBLE_FREE ANNOUNCED "hakmem: double free: pointer \\1, class of 256 bytes, slab \\2, thread \\3\n"
#define INTERIOR                                                                                                       \
  ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 256 bytes, slab \\2, thread " ANY_NUMBER "\n"
#define INTERIOR_ELSEWHERE                                                                                             \
  ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 256 bytes, slab \\2, thread " ANY_NUMBER       \
            ", owner thread \\3\n"
#define WRONG_SIZE                                                                                                     \
  "hakmem: free with a wrong size: pointer " ANY_POINTER ", size 2000, class of 1024 bytes, slab " ANY_POINTER         \
  ", thread " ANY_NUMBER "\n"

TEST(CoalesceTest, MisuseStopsTheProgram) {
  EXPECT_STOPS(free_twice, NULL, DOUBLE_FREE);
  EXPECT_STOPS(free_twice, (void *)1, DOUBLE_FREE);
  EXPECT_STOPS(free_inside, (void *)SMALL, INTERIOR);
  EXPECT_STOPS(free_inside, (void *)16, INTERIOR);
  EXPECT_STOPS(free_inside_by_another, (void *)SMALL, INTERIOR_ELSEWHERE);
  EXPECT_STOPS(free_inside_by_an_owner, (void *)SMALL, INTERIOR_ELSEWHERE);
  EXPECT_STOPS(free_with_a_wrong_size, NULL, WRONG_SIZE);
}
