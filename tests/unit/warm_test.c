/* warm: what HOT may ask for when its magazines do not do. */
#include "warm/warm.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cold/huge.h"
#include "cold/large.h"
#include "cold/retain.h"
#include "config/options.h"
#include "hot/gate.h"
#include "os/fatal.h"
#include "unit/unit.h"
#include "warm/thread.h"

enum { UNTOUCHED_ERRNO = 4711 };

/* A thread of its own begins with empty magazines; orphans of earlier tests would bring their slabs along. */
static void on_a_fresh_thread(void (*body)(void *), void *argument) {
  while (registry_adopt() != NULL) {
  }
  unit_in_thread(body, argument);
}

static size_t class_of(const void *block) { return unit_tag_class(unit_tag_of(block)); }

static void expect_census(size_t size_class, size_t live) {
  struct heap_census census = heap_census(thread_cache.heap, size_class);
  EXPECT_EQ(census.capacity, live + census.free + census.remote + census.cached + census.depot);
}

/* ---- refill ---- */

static void refill_each_class(void *unused) {
  (void)unused;
  errno = UNTOUCHED_ERRNO;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    char *block = refill_exact(size_class);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(class_of(block), size_class);
    EXPECT_EQ(place_of(block, size_class).slab->size_class, size_class);
    EXPECT_NE(place_of(block, size_class).index, PLACE_NONE);
    expect_census(size_class, 1);
    gate_free(block);
    expect_census(size_class, 0);
  }
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}

TEST(WarmTest, RefillStartsTheThreadAndServesEveryClass) { on_a_fresh_thread(refill_each_class, NULL); }

static void refill_in_order(void *unused) {
  (void)unused;
  pool_purge(0);
  char *first = gate_malloc_class(size_class_of(192));
  /* Lowest addresses first through many refills, from memory that was never used. */
  for (size_t i = 1; i < 300; i++) {
    ASSERT_EQ(gate_malloc_class(size_class_of(192)), first + i * 192);
  }
}

TEST(WarmTest, BlocksComeInTheOrderOfTheirAddresses) { on_a_fresh_thread(refill_in_order, NULL); }

static void refill_by_halves(void *unused) {
  (void)unused;
  enum { MANY = 4 * MAGAZINE_SLOTS };
  static void *blocks[MANY];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    for (size_t i = 0; i < MANY; i++) {
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
    }
    for (size_t i = 0; i < MANY; i++) {
      if (i % 8 != 0) {
        gate_free(blocks[i]); /* the others keep the slabs, which then have far more than a batch */
      }
    }
    (void)collect();
    void *block = refill_exact(size_class);
    void **top = thread_cache.top[size_class];
    void **bottom = magazine_bottom(magazine_of(top), size_class);
    EXPECT_EQ(*bottom, NULL);
    EXPECT_EQ(top - bottom + 1, (size_classes[size_class].magazine + 1) / 2);
    gate_free(block);
    for (size_t i = 0; i < MANY; i += 8) {
      gate_free(blocks[i]);
    }
  }
}

TEST(WarmTest, ABatchIsHalfAMagazine) { on_a_fresh_thread(refill_by_halves, NULL); }

static void borrow_from_the_next_class(void *unused) {
  (void)unused;
  void *next = gate_malloc_class(size_class_of(224));
  gate_free(next);
  void *block = refill(size_class_of(192));
  EXPECT_EQ(block, next); /* resident before fresh */
  void *exact = refill_exact(size_class_of(192));
  EXPECT_EQ(class_of(exact), size_class_of(192));
  gate_free(block); /* goes back to its own */
  EXPECT_EQ(gate_malloc_class(size_class_of(224)), next);
  gate_free(next);
  gate_free(exact);
  /* The last class has no next one. */
  block = refill(SIZE_CLASS_COUNT - 1);
  EXPECT_EQ(class_of(block), SIZE_CLASS_COUNT - 1);
  gate_free(block);
}

TEST(WarmTest, RefillMayGiveABlockOfTheNextClass) { on_a_fresh_thread(borrow_from_the_next_class, NULL); }

/* ---- spill ---- */

static void free_many_of_each_class(void *unused) {
  (void)unused;
  enum { MAGAZINES = 7 };
  static void *blocks[MAGAZINES * MAGAZINE_SLOTS];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const size_t count = (size_t)MAGAZINES * size_classes[size_class].magazine;
    for (size_t i = 0; i < count; i++) {
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
    }
    expect_census(size_class, count);
    errno = UNTOUCHED_ERRNO;
    for (size_t i = 0; i < count; i++) {
      gate_free(blocks[i]);
      ASSERT_EQ(*thread_cache.top[size_class], blocks[i]); /* also the one that did not fit */
      if (i % 16 == 0) {
        expect_census(size_class, count - 1 - i);
      }
    }
    EXPECT_EQ(errno, UNTOUCHED_ERRNO);
    expect_census(size_class, 0);
  }
}

TEST(WarmTest, SpillLosesNothing) { on_a_fresh_thread(free_many_of_each_class, NULL); }

static void make_waves(void *unused) {
  (void)unused;
  enum { WAVE = 1600 };
  static void *blocks[WAVE];
  size_t taken = 0;
  for (int wave = 0; wave < 20; wave++) {
    for (size_t i = 0; i < WAVE; i++) {
      blocks[i] = gate_malloc_class(size_class_of(128));
    }
    if (wave > 0) {
      ASSERT_EQ(pool_figures().slabs_taken, taken); /* a wave is served from what the last one left */
    }
    taken = pool_figures().slabs_taken;
    for (size_t i = 0; i < WAVE / 2; i++) {
      gate_free(blocks[i]);
    }
    for (size_t i = WAVE; i-- > WAVE / 2;) {
      gate_free(blocks[i]);
    }
    expect_census(size_class_of(128), 0);
  }
}

TEST(WarmTest, WavesNeedNoNewSlabs) { on_a_fresh_thread(make_waves, NULL); }

static void keep_the_depot_within(void *kib) {
  enum { BLOCKS = 40000 };
  static void *blocks[BLOCKS];
  const size_t least = (uintptr_t)kib * KIB;
  option_set("depot_kib", (long)(uintptr_t)kib);
  uint64_t seed = unit_seed();
  struct thread_heap *heap = thread_heap();
  for (int wave = 0; wave < 5; wave++) {
    size_t most = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
      size_t size_class = unit_below(&seed, i % 8 == 0 ? 24 : 12);
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
      most = heap->bound_bytes > most ? heap->bound_bytes : most;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
      gate_free(blocks[i]);
      size_t share = most / 4;
      ASSERT_LE(heap->depot.bytes, least > share ? least : share);
    }
  }
  /* It follows a heap that shrinks. */
  size_t share = heap->bound_bytes / 4;
  EXPECT_LE(heap->depot.bytes, (least > share ? least : share) + 4 * MAGAZINE_BLOCK_BYTES);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    expect_census(size_class, 0);
  }
}

static void keep_the_depot_within_on_a_thread(void *kib) { on_a_fresh_thread(keep_the_depot_within, kib); }

TEST(WarmTest, TheDepotStaysWithinItsBound) {
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)256, "");
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)2048, "");
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)0, "");
}

/* ---- other threads' blocks ---- */

enum { LENT = 2000 };

static struct {
  struct thread_heap *heap;
  void *blocks[LENT];
} lender;

static void lend(size_t size_class) {
  lender.heap = thread_heap();
  for (size_t i = 0; i < LENT; i++) {
    lender.blocks[i] = gate_malloc_class(size_class);
  }
}

static size_t gathered_bytes(size_t *words) {
  size_t most = 0;
  *words = 0;
  for (size_t i = 0; i < REMOTE_WORDS; i++) {
    const struct remote_word *entry = &thread_cache.heap->words.entry[i];
    if (entry->slab != NULL) {
      size_t bytes = (size_t)__builtin_popcountll(entry->bits) * size_classes[entry->slab->size_class].stride;
      most = bytes > most ? bytes : most;
      ++*words;
    }
  }
  return most;
}

static void free_lent(void *class_value) {
  size_t size_class = (uintptr_t)class_value;
  thread_heap();
  size_t remote = 0;
  for (size_t i = 0; i < LENT; i++) {
    free_remote(lender.blocks[i]);
    size_t words;
    ASSERT_LE(gathered_bytes(&words), REMOTE_WORD_BYTES);
    ASSERT_LE(words, REMOTE_WORDS);
    if (i % 100 == 0) {
      size_t now = heap_census(lender.heap, size_class).remote;
      ASSERT_GE(now, remote);
      ASSERT_LE(now, i + 1);
      remote = now;
    }
  }
  EXPECT_GT(heap_census(lender.heap, size_class).remote, LENT / 2);
  heap_post(thread_cache.heap);
  EXPECT_EQ(heap_census(lender.heap, size_class).remote, LENT);
}

TEST(WarmTest, RemoteFreesAreGatheredAndPostedInWords) {
  const size_t classes[] = {1, 8, 20, 28};
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    NOTE("class %zu", classes[i]);
    lend(classes[i]);
    heap_collect(lender.heap);
    size_t published = heap_published();
    unit_in_thread(free_lent, (void *)classes[i]);
    /* Far fewer publications than blocks. */
    EXPECT_LE(heap_published() - published, (size_t)LENT * size_classes[classes[i]].stride / UNIT_BYTES + 2);
    heap_collect(lender.heap);
    EXPECT_EQ(heap_census(lender.heap, classes[i]).remote, 0);
  }
}

static void free_everything(void *unused) {
  (void)unused;
  errno = UNTOUCHED_ERRNO;
  for (size_t i = 0; i < LENT; i++) {
    free_remote(lender.blocks[i]);
  }
  free_remote(NULL);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}

TEST(WarmTest, ARemoteFreeComesBackToItsOwnersNextRefill) {
  struct thread_heap *heap = thread_heap();
  lend(size_class_of(384));
  unit_in_thread(free_everything, NULL);
  size_t bound = heap->bound_bytes;
  for (int i = 0; i < LENT; i++) {
    lender.blocks[i] = gate_malloc_class(size_class_of(384));
  }
  EXPECT_LE(heap->bound_bytes, bound);
  for (int i = 0; i < LENT; i++) {
    gate_free(lender.blocks[i]);
  }
}

TEST(WarmTest, FreeRemoteTakesLargeAndHugeBlocksAndNull) {
  size_t huge = huge_live_count();
  void *block = allocate_large(100000);
  EXPECT_EQ(unit_tag_of(block), UNIT_TAG_LARGE);
  free_remote(block);
  EXPECT_EQ(unit_tag_of(block), UNIT_TAG_NONE);
  block = allocate_large(5 * MIB);
  EXPECT_EQ(huge_live_count() - huge, 1);
  free_remote(block);
  EXPECT_EQ(huge_live_count(), huge);
  free_remote(NULL);
}

/* ---- misuse ---- */

#define ANNOUNCED "pointer (" ANY_POINTER ") base (" ANY_POINTER "|\\(nil\\)|0) thread (" ANY_NUMBER ")\n"

static void announce(const void *pointer, const void *base) {
  notice("pointer %p base %p thread %ld", pointer, base, os_thread_id());
}

static void free_announced(void *pointer) {
  thread_heap();
  announce(pointer, (void *)((uintptr_t)pointer & ~(uintptr_t)(UNIT_BYTES - 1)));
  gate_free(pointer);
}

static void free_foreign(void *pointer) { free_announced(pointer == NULL ? &pointer : pointer); }

static void free_unit_that_is_not_bound(void *unused) {
  (void)unused;
  struct slab *slab = pool_take(2);
  free_announced(slab_start(slab) + UNIT_BYTES);
}

static void free_huge_twice(void *unused) {
  (void)unused;
  void *block = allocate_large(5 * MIB);
  gate_free(block);
  free_announced(block);
}

static void free_inside_huge(void *unused) {
  (void)unused;
  char *block = allocate_large(5 * MIB);
  announce(block + 4096, block);
  gate_free(block + 4096);
}

TEST(WarmTest, WhatIsNoBlockStopsTheProgram) {
  const char *line =
      ANNOUNCED "hakmem: free of an invalid pointer: pointer \\1 is no live block of hakmem, thread \\3\n";
  static int in_data;
  EXPECT_STOPS(free_foreign, NULL, line); /* on the stack */
  EXPECT_STOPS(free_foreign, &in_data, line);
  EXPECT_STOPS(free_foreign, (void *)1, line);
  EXPECT_STOPS(free_foreign, (void *)UINTPTR_MAX, line);
  EXPECT_STOPS(free_unit_that_is_not_bound, NULL, line);
  EXPECT_STOPS(free_huge_twice, NULL, line);
  EXPECT_STOPS(free_inside_huge, NULL,
               ANNOUNCED
               "hakmem: free of an interior pointer: pointer \\1 lies inside the huge block \\2, thread \\3\n");
}

static void free_inside_on_a_thread(void *block) { free_announced((char *)block + 16); }

static void free_inside_on_a_thread_without_heap(void *block) {
  announce((char *)block + 16, (void *)((uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1)));
  gate_free((char *)block + 16);
}

static void free_inside_remote(void *with_heap) {
  unit_in_thread(with_heap != NULL ? free_inside_on_a_thread : free_inside_on_a_thread_without_heap,
                 gate_malloc_class(size_class_of(1024)));
}

TEST(WarmTest, AnInteriorPointerOfAnotherThreadStopsTheProgramAtOnce) {
  const char *line =
      ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n";
  EXPECT_STOPS(free_inside_remote, (void *)1, line);
  EXPECT_STOPS(free_inside_remote, NULL, line);
}

static void free_twice_on_a_thread(void *block) {
  thread_heap();
  gate_free(block);
  free_announced(block);
}

static void free_twice_on_a_thread_without_heap(void *block) {
  gate_free(block);
  announce(block, (void *)((uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1)));
  gate_free(block);
}

static void free_twice_remote(void *with_heap) {
  unit_in_thread(with_heap != NULL ? free_twice_on_a_thread : free_twice_on_a_thread_without_heap,
                 gate_malloc_class(size_class_of(64)));
}

TEST(WarmTest, ADoubleFreeOfAnotherThreadsBlockStopsTheProgramAtOnce) {
  const char *line = ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n";
  EXPECT_STOPS(free_twice_remote, (void *)1, line);
  EXPECT_STOPS(free_twice_remote, NULL, line);
}

static void ask_for_usable_size(void *pointer) {
  announce(pointer, NULL);
  block_usable_size(pointer, "malloc_usable_size");
}

static void ask_inside_a_slab(void *unused) {
  (void)unused;
  char *block = gate_malloc_class(size_class_of(1024));
  announce(block + 1, (void *)((uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1)));
  block_usable_size(block + 1, "realloc");
}

TEST(WarmTest, TheLineNamesTheCall) {
  static int in_data;
  EXPECT_STOPS(ask_for_usable_size, &in_data,
               ANNOUNCED "hakmem: malloc_usable_size of an invalid pointer: pointer \\1 is no live block of hakmem, "
                         "thread \\3\n");
  EXPECT_STOPS(ask_inside_a_slab, NULL,
               ANNOUNCED
               "hakmem: realloc of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n");
}

/* ---- large blocks and sizes ---- */

TEST(WarmTest, UsableSizeIsAtLeastWhatSizeUsableSays) {
  for (size_t size = 0; size < 40000; size += size < 2000 ? 1 : 97) {
    char *block = gate_malloc(size);
    size_t usable = block_usable_size(block, "test");
    ASSERT_GE(usable, size);
    ASSERT_GE(usable, size_usable(size));
    ASSERT_EQ(size_usable(size_usable(size)), size_usable(size));
    size_t waste = size_usable(size) - size;
    ASSERT_TRUE(size > SIZE_CLASS_MAX ? waste < UNIT_BYTES : waste <= size / 4 + 16);
    gate_free(block);
  }
  const size_t sizes[] = {32769, 65536, 65537, LARGE_MAX, LARGE_MAX + 1, 10 * MIB, 10 * MIB + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = gate_malloc(sizes[i]);
    EXPECT_EQ(block_usable_size(block, "test"), size_usable(sizes[i]));
    gate_free(block);
  }
  EXPECT_EQ(size_usable((size_t)PTRDIFF_MAX + 1), 0);
  EXPECT_EQ(size_usable(SIZE_MAX), 0);
}

static bool is_zero(const char *block, size_t bytes) {
  return block[0] == 0 && memcmp(block, block + 1, bytes - 1) == 0;
}

TEST(WarmTest, AllocateAlignedKeepsAlignmentAndTellsTheTruthOfZero) {
  uint64_t seed = unit_seed();
  for (int i = 0; i < 600; i++) {
    size_t size = unit_below(&seed, (size_t)1 << unit_below(&seed, 23));
    size_t alignment = (size_t)1 << unit_below(&seed, 24);
    NOTE("size %zu, alignment %zu", size, alignment);
    bool zeroed = true;
    errno = UNTOUCHED_ERRNO;
    char *block = allocate_aligned(size, alignment, &zeroed);
    ASSERT_NE(block, NULL);
    ASSERT_EQ((uintptr_t)block % alignment, 0);
    ASSERT_GE(block_usable_size(block, "test"), size);
    ASSERT_EQ(errno, UNTOUCHED_ERRNO);
    if (size > 0) {
      ASSERT_TRUE(!zeroed || is_zero(block, size));
      memset(block, 0xFF, size);
    }
    gate_free(block);
  }
}

TEST(WarmTest, ResizesLargeAndHugeBlocksAndNoOthers) {
  void *small = gate_malloc(1000);
  EXPECT_EQ(resize_large(small, 100000), NULL);
  gate_free(small);

  void *large = allocate_large(LARGE_MAX);
  EXPECT_EQ(resize_large(large, MIB), large);
  EXPECT_EQ(block_usable_size(large, "test"), MIB);
  EXPECT_EQ(resize_large(large, MIB + MIB / 2), large);
  EXPECT_EQ(resize_large(large, LARGE_MAX + 1), NULL); /* would be of another kind */
  EXPECT_EQ(resize_large(large, SIZE_CLASS_MAX), NULL);
  EXPECT_EQ(block_usable_size(large, "test"), MIB + MIB / 2);
  gate_free(large);

  char *huge = allocate_large(5 * MIB);
  memset(huge, 9, 5 * MIB);
  huge = resize_large(huge, 50 * MIB);
  ASSERT_NE(huge, NULL);
  EXPECT_EQ(huge[5 * MIB - 1], 9);
  EXPECT_EQ(resize_large(huge, LARGE_MAX), NULL);
  EXPECT_EQ(resize_large(huge, (size_t)PTRDIFF_MAX + 1), NULL);
  EXPECT_EQ(resize_large(huge, (size_t)1 << 50), NULL);
  EXPECT_GE(block_usable_size(huge, "test"), 50 * MIB);
  gate_free(huge);
}

TEST(WarmTest, ImpossibleSizesAreEnomem) {
  const size_t sizes[] = {SIZE_MAX, (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX, (size_t)1 << 50};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    bool zeroed;
    errno = 0;
    EXPECT_EQ(allocate_large(sizes[i]), NULL);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(allocate_aligned(sizes[i], 4096, &zeroed), NULL);
    EXPECT_EQ(errno, ENOMEM);
  }
}

/* ---- collect ---- */

static void collect_all(void *unused) {
  (void)unused;
  enum { BLOCKS = 60000 };
  static char *blocks[BLOCKS];
  collect();
  size_t active = active_bytes();
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(i % 2000 + 1);
    blocks[i][0] = 1;
  }
  char *large = gate_malloc(MIB);
  memset(large, 1, MIB);
  char *huge = gate_malloc(10 * MIB);
  memset(huge, 1, 10 * MIB);
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
  gate_free(large);
  gate_free(huge);
  size_t given_back = collect();
  EXPECT_GT(given_back, 0);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_LE(active_bytes(), active + MIB);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census census = heap_census(thread_cache.heap, size_class);
    EXPECT_EQ(census.cached + census.depot + census.remote, 0);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmTest, CollectGivesBackWhatIsEmpty) { EXPECT_RUNS(collect_all, NULL, ""); }

static void collect_twice(void *unused) {
  (void)unused;
  enum { BLOCKS = 20000 };
  static char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(1000);
    memset(blocks[i], 1, 1000);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    if (i % 100 != 0) {
      gate_free(blocks[i]);
    }
  }
  EXPECT_GE(collect(), BLOCKS * 1000UL / 2); /* pages between blocks that live */
  for (size_t i = 0; i < BLOCKS; i += 100) {
    EXPECT_EQ(blocks[i][999], 1);
  }
  EXPECT_EQ(collect(), 0); /* there is nothing more */
}

TEST(WarmTest, CollectTellsTheBytesThatWereGivenBack) { EXPECT_RUNS(collect_twice, NULL, ""); }

static void leave_blocks(void *blocks) {
  for (size_t i = 0; i < 500; i++) {
    ((void **)blocks)[i] = gate_malloc(2000);
  }
}

TEST(WarmTest, CollectReachesOrphans) {
  static void *blocks[500];
  thread_heap(); /* or this thread would adopt what is left */
  on_a_fresh_thread(leave_blocks, blocks);
  struct thread_heap *orphan = atomic_load(&place_of(blocks[0], class_of(blocks[0])).slab->heap);
  EXPECT_TRUE(atomic_load(&orphan->link.orphan));
  for (size_t i = 0; i < 500; i++) {
    gate_free(blocks[i]);
  }
  EXPECT_GT(orphan->bound_bytes, 0);
  collect();
  EXPECT_EQ(heap_census(orphan, size_class_of(2000)).capacity, 0);
  EXPECT_TRUE(atomic_load(&orphan->link.orphan));
}

/* ---- out of memory ---- */

static void run_out_of_memory(void *unused) {
  (void)unused;
  enum { MANY = 200000 };
  static char *blocks[MANY];
  unit_limit_memory(24 * MIB);
  size_t had = 0;
  while (had < MANY && (blocks[had] = gate_malloc(1000)) != NULL) {
    blocks[had][0] = blocks[had][999] = 'x';
    had++;
  }
  ASSERT_LT(had, MANY);
  EXPECT_GT(had, 10000);
  errno = 0;
  EXPECT_EQ(refill(size_class_of(1000)), NULL);
  EXPECT_EQ(errno, ENOMEM);
  while (gate_malloc_class(size_class_of(48)) != NULL) {
  }
  errno = 0;
  EXPECT_EQ(refill_exact(size_class_of(48)), NULL);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(allocate_large(100000), NULL);
  EXPECT_EQ(errno, ENOMEM);
  for (size_t i = 0; i < had; i++) {
    ASSERT_TRUE(blocks[i][0] == 'x' && blocks[i][999] == 'x');
  }
  /* What is freed serves any other class, although the system has nothing more. */
  for (size_t i = 0; i < had; i++) {
    gate_free(blocks[i]);
  }
  const size_t sizes[] = {8, 100, 5000, 30000, 1000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    size_t again = 0;
    while (again < MANY && (blocks[again] = gate_malloc(sizes[i])) != NULL) {
      again++;
    }
    EXPECT_TRUE(again == MANY || again * sizes[i] > 12 * MIB);
    while (again > 0) {
      gate_free(blocks[--again]);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmTest, AFailureIsEnomemWithNothingLost) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

/* ---- many threads, and the equation ----
 *
 * Every block is counted as live for the heap and class that its tag names, and every free takes it off there. When
 * all threads rest and have posted what they gathered, the census of each heap must come to the same. */

enum { WORKERS = 4, PHASES = 12, OPERATIONS = 4000, SLOTS = 600 };

static struct {
  pthread_barrier_t barrier;
  struct thread_heap *heaps[WORKERS];
  _Atomic size_t live[WORKERS][SIZE_CLASS_COUNT];
  void *_Atomic slots[SLOTS];
} shared;

static void count_block(const void *block, size_t by) {
  unit_tag tag = unit_tag_of(block);
  for (size_t w = 0; w < WORKERS; w++) {
    if (shared.heaps[w]->link.owner == tag >> UNIT_TAG_CLASS_BITS) {
      atomic_fetch_add(&shared.live[w][unit_tag_class(tag)], by);
    }
  }
}

static void exchange(uint64_t *seed, void *block) {
  void *old = atomic_exchange(&shared.slots[unit_below(seed, SLOTS)], block);
  if (old != NULL) {
    count_block(old, (size_t)-1);
    gate_free(old);
  }
}

static void work(void *number_value) {
  size_t number = (uintptr_t)number_value % WORKERS;
  uint64_t seed = (uintptr_t)number_value;
  shared.heaps[number] = thread_heap();
  pthread_barrier_wait(&shared.barrier);
  for (int phase = 0; phase < PHASES; phase++) {
    size_t classes = phase % 2 == 0 ? 12 : SIZE_CLASS_COUNT;
    for (int i = 0; i < OPERATIONS; i++) {
      void *block = NULL;
      if (unit_below(&seed, 3) != 0) {
        block = gate_malloc(size_classes[unit_below(&seed, classes)].stride - unit_below(&seed, 8));
        ASSERT_NE(block, NULL);
        count_block(block, 1);
      }
      exchange(&seed, block);
    }
    if (phase % 4 == 1) {
      collect();
    }
    heap_post(shared.heaps[number]);
    pthread_barrier_wait(&shared.barrier);
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("worker %zu, phase %d, class %zu", number, phase, size_class);
      expect_census(size_class, atomic_load(&shared.live[number][size_class]));
    }
    heap_check(shared.heaps[number]);
    pthread_barrier_wait(&shared.barrier);
  }
}

static void work_together(void *seed_value) {
  while (registry_adopt() != NULL) {
  }
  struct unit_thread threads[WORKERS];
  pthread_barrier_init(&shared.barrier, NULL, WORKERS);
  for (size_t w = 0; w < WORKERS; w++) {
    unit_start(&threads[w], work, (void *)((uintptr_t)seed_value * WORKERS + w));
  }
  for (size_t w = 0; w < WORKERS; w++) {
    unit_join(&threads[w]);
  }
  /* They have ended: what they cached is back, and what is live is still theirs. */
  for (size_t w = 0; w < WORKERS; w++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("worker %zu has ended, class %zu", w, size_class);
      struct heap_census census = heap_census(shared.heaps[w], size_class);
      EXPECT_EQ(census.cached + census.depot, 0);
      EXPECT_EQ(census.capacity, census.free + census.remote + atomic_load(&shared.live[w][size_class]));
    }
  }
  for (size_t s = 0; s < SLOTS; s++) {
    gate_free(atomic_exchange(&shared.slots[s], NULL));
  }
  collect();
  for (size_t w = 0; w < WORKERS; w++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      EXPECT_EQ(heap_census(shared.heaps[w], size_class).capacity, 0);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmTest, EveryBlockIsSomewhereExactlyOnce) {
  EXPECT_RUNS(work_together, (void *)(uintptr_t)(unit_seed() % 100000), "");
}
