/* medium: many blocks above 32 KiB come from slabs, a few do not. */
#include "warm/medium.h"

#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/drain.h"
#include "warm/medium_count.h"
#include "warm/tidy.h"

enum { MANY = 60, THREADS = 4 };

static char *blocks[MANY];

static size_t size_of(size_t i) { return SIZE_CLASS_MAX + 1 + i * 7919 % (SIZE_CLASS_MEDIUM_MAX - SIZE_CLASS_MAX); }

static bool is_in_slab(const void *block) { return route_of(unit_tag_of(block)) == ROUTE_SLAB; }

static void tidy(void) {
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  heap_tidy(heap);
  heap_leave(heap);
}

/* From the first so many on the heap has many. */
static void have_many(void) {
  for (size_t i = 0; i < MEDIUM_MANY; i++) {
    gate_free(blocks[i]);
    blocks[i] = gate_malloc(size_of(i));
  }
}

static void fill(void) {
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = gate_malloc(size_of(i));
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], (int)i, size_of(i));
  }
}

static void check_and_free(void) {
  for (size_t i = 0; i < MANY; i++) {
    for (size_t k = 0; k < size_of(i); k += 509) {
      ASSERT_EQ(blocks[i][k], (char)i);
    }
    gate_free(blocks[i]);
    blocks[i] = NULL;
  }
}

static void use_one_at_a_time(void *unused) {
  (void)unused;
  for (size_t i = 0; i < 1000; i++) {
    char *block = gate_malloc(size_of(i));
    ASSERT_FALSE(is_in_slab(block));
    gate_free(block);
  }
  EXPECT_EQ(medium_count(thread_cache.heap), 0);
}

TEST(MediumTest, OneAtATimeIsNotMany) { EXPECT_RUNS(use_one_at_a_time, NULL, ""); }

static void use_many(void *unused) {
  (void)unused;
  fill();
  for (size_t i = 0; i < MANY; i++) {
    NOTE("block %zu", i);
    EXPECT_EQ(is_in_slab(blocks[i]), i >= MEDIUM_MANY);
    EXPECT_EQ((uintptr_t)blocks[i] % 4096, 0);
    EXPECT_GE(block_usable_size(blocks[i], "test"), size_of(i));
    if (is_in_slab(blocks[i])) {
      size_t size_class = unit_tag_class(unit_tag_of(blocks[i]));
      size_t smallest = size_class_of_medium(size_of(i));
      EXPECT_TRUE(size_class == smallest || size_class == smallest + 1); /* the next may lend */
      EXPECT_EQ(block_usable_size(blocks[i], "test"), size_classes[size_class].stride);
    }
  }
  check_and_free();
  for (size_t i = 0; i < MANY; i++) { /* and so it stays */
    char *block = gate_malloc(size_of(i));
    EXPECT_TRUE(is_in_slab(block));
    gate_free(block);
  }
  tidy();
  char *block = gate_malloc(size_of(0));
  EXPECT_FALSE(is_in_slab(block));
  gate_free(block);
}

TEST(MediumTest, ManyComeFromSlabsUntilTheHeapIsTidied) { EXPECT_RUNS(use_many, NULL, ""); }

static void use_other_sizes(void *unused) {
  (void)unused;
  have_many();
  bool zeroed;
  char *small = gate_malloc(SIZE_CLASS_MAX);
  char *longer = gate_malloc(SIZE_CLASS_MEDIUM_MAX + 1);
  char *aligned = allocate_aligned(40000, 65536, &zeroed);
  EXPECT_LE(block_usable_size(small, "test"), SIZE_CLASS_MAX); /* medium classes lend to their like only */
  EXPECT_FALSE(is_in_slab(longer));
  EXPECT_EQ((uintptr_t)aligned % 65536, 0);
  gate_free(small);
  gate_free(longer);
  gate_free(aligned);
}

TEST(MediumTest, OtherSizesAndAlignmentsAreServedAsBefore) { EXPECT_RUNS(use_other_sizes, NULL, ""); }

static void align(void *unused) {
  (void)unused;
  char *first = hak_aligned_alloc(64, 40000);
  EXPECT_FALSE(is_in_slab(first));
  hak_free(first);
  have_many();
  for (size_t alignment = 32; alignment <= 65536; alignment *= 2) {
    for (size_t size = SIZE_CLASS_MAX + 1; size <= SIZE_CLASS_MEDIUM_MAX; size += 5000) {
      NOTE("%zu bytes at a multiple of %zu", size, alignment);
      char *block = hak_aligned_alloc(alignment, size);
      EXPECT_EQ(is_in_slab(block), alignment <= 4096);
      EXPECT_EQ((uintptr_t)block % alignment, 0);
      EXPECT_GE(hak_usable_size(block), size);
      hak_free_aligned_sized(block, alignment, size);
    }
  }
}

TEST(MediumTest, AlignedBlocksComeFromSlabsToo) { EXPECT_RUNS(align, NULL, ""); }

static void resize(void *unused) {
  (void)unused;
  have_many();
  size_t size = 40000;
  char *block = hak_malloc(size);
  EXPECT_TRUE(is_in_slab(block));
  memset(block, 0x5A, size);
  const size_t sizes[] = {50000, 60000, 131072, 131073, 500000, 90000, 40000, 100};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    NOTE("%zu bytes", sizes[i]);
    block = hak_realloc(block, sizes[i]);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(is_in_slab(block), sizes[i] <= SIZE_CLASS_MAX); /* it may grow on, where it lies */
    for (size_t k = 0; k < size && k < sizes[i]; k++) {
      ASSERT_EQ(block[k], 0x5A);
    }
    memset(block, 0x5A, sizes[i]);
    size = sizes[i];
  }
  hak_free(block);
  block = hak_calloc(1, 50000);
  for (size_t k = 0; k < 50000; k++) {
    ASSERT_EQ(block[k], 0);
  }
  hak_free(block);
}

TEST(MediumTest, ReallocKeepsTheBytesAndLeavesTheSlab) { EXPECT_RUNS(resize, NULL, ""); }

static void drain(void) {
  heap_enter(thread_cache.heap);
  thread_drain(thread_cache.heap);
  heap_leave(thread_cache.heap);
}

/* Slabs of 128 KiB blocks, used to the end, serve blocks of 96 KiB, of which two leave a unit: it stays used memory. */
static void leave_units(void *unused) {
  (void)unused;
  enum { SMALL = 2000, SMALL_MANY = 8 * MIB / SMALL, PEAK = 32 * MIB };
  options.thp = thp_never; /* the units of a huge page are never fresh */
  options.retain_kib = PEAK / KIB;
  void *stays = gate_malloc(PEAK);
  for (size_t size = 128 * KIB; size >= 96 * KIB; size -= 32 * KIB) {
    for (size_t i = 0; i < MANY; i++) {
      blocks[i] = gate_malloc(size);
      memset(blocks[i], 0x5A, size);
    }
    EXPECT_TRUE(is_in_slab(blocks[MANY - 1]));
    for (size_t i = 0; i < MANY; i++) {
      gate_free(blocks[i]);
    }
    drain();
  }
  for (size_t i = 0; i < SMALL_MANY; i++) {
    char *block = hak_calloc(1, SMALL);
    ASSERT_TRUE(unit_is_zero(block, SMALL));
  }
  gate_free(stays);
}

TEST(MediumTest, WhatNoBlockOfASlabHasIsZeroForNobody) { EXPECT_RUNS(leave_units, NULL, ""); }

static void free_twice(void *between) {
  have_many();
  char *first = gate_malloc(40000);
  char *second = gate_malloc(40000);
  announce(first, unit_of(first));
  gate_free(first);
  if (between != NULL) {
    gate_free(second);
  }
  gate_free(first);
  drain();
}

static void free_inside(void *unused) {
  (void)unused;
  have_many();
  char *block = gate_malloc(40000);
  announce(block + 4096, unit_of(block));
  gate_free(block + 4096);
  for (size_t i = 0; i < 10; i++) {
    gate_free(gate_malloc(40000));
  }
  drain();
}

TEST(MediumTest, MisuseIsStopped) {
  EXPECT_STOPS(free_twice, NULL, ANNOUNCED "hakmem: double free: pointer \\1, class of 45056 bytes, slab [^\n]+\n");
  EXPECT_STOPS(free_twice, "", ANNOUNCED "hakmem: double free: pointer \\1, class of 45056 bytes, slab [^\n]+\n");
  EXPECT_STOPS(free_inside, NULL, ANNOUNCED "hakmem: [^\n]*interior pointer[^\n]+\n");
}

/* ---- threads ---- */

static void fill_thread(void *unused) {
  (void)unused;
  let_threads_last();
  fill();
}

static void free_thread(void *unused) {
  (void)unused;
  check_and_free();
}

static void free_elsewhere(void *unused) {
  (void)unused;
  unit_in_thread(fill_thread, NULL);
  check_and_free();
  fill();
  unit_in_thread(free_thread, NULL);
  fill();
  check_and_free();
}

TEST(MediumTest, AnotherThreadFrees) { EXPECT_RUNS(free_elsewhere, NULL, ""); }

static char *_Atomic places[MANY];

/* Each place has NULL or a block of known bytes; what is taken out is checked, and freed by whoever finds it. */
static void exchange(void *seed) {
  uint64_t random = (uintptr_t)seed;
  for (size_t i = 0; i < 3000; i++) {
    size_t k = unit_below(&random, MANY);
    char *block = gate_malloc(size_of(k));
    ASSERT_NE(block, NULL);
    block[0] = block[size_of(k) / 2] = block[size_of(k) - 1] = (char)k;
    block = atomic_exchange(&places[k], block);
    if (block != NULL) {
      ASSERT_TRUE(block[0] == (char)k && block[size_of(k) / 2] == (char)k && block[size_of(k) - 1] == (char)k);
      gate_free(block);
    }
  }
}

static void exchange_all(void *unused) {
  (void)unused;
  static struct unit_thread threads[THREADS];
  for (size_t round = 0; round < 3; round++) {
    for (size_t i = 0; i < THREADS; i++) {
      unit_start(&threads[i], exchange, (void *)(i + 1 + round * THREADS));
    }
    for (size_t i = 0; i < THREADS; i++) {
      unit_join(&threads[i]);
    }
  }
  for (size_t k = 0; k < MANY; k++) {
    gate_free(places[k]);
  }
}

TEST(MediumTest, ThreadsExchangeThem) { EXPECT_RUNS(exchange_all, NULL, ""); }

static void use_in_child(void *unused) {
  (void)unused;
  check_and_free();
  fill();
  check_and_free();
}

static void fork_with_many(void *unused) {
  (void)unused;
  fill();
  EXPECT_FORKS(use_in_child, NULL);
  check_and_free();
}

TEST(MediumTest, AChildOfForkHasThem) { EXPECT_RUNS(fork_with_many, NULL, ""); }
