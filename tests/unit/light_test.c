/* light: threads that have no heap, one of many that does little. Each test is a process of its own, in which as many
 * heaps are somebody's as there are at once: every thread that starts from then on is light. */
#include "warm/light.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unit/light_threads.h"
#include "warm/background.h"
#include "warm/release.h"

/* Whether the calling thread, which is light, has a CPU's magazines. */
static bool has_row(void) { return thread_cache.cpu != NULL; }

enum { BLOCKS = 100, SIZE = 200, CLASS_BYTES = 224 };

static void *blocks[BLOCKS];

/* ---- what a thread is given ---- */

static void use_all_classes(void *unused) {
  (void)unused;
  for (size_t c = 0; c < SIZE_CLASS_SMALL_COUNT; c++) {
    size_t size = size_classes[c].stride;
    char *block = hak_malloc(size);
    ASSERT_NE(block, NULL);
    memset(block, (int)c, size);
    EXPECT_EQ(class_of(block), c);
    EXPECT_EQ(thread_cache.heap, NULL);
    EXPECT_EQ(thread_cache.top[c], no_magazine_top());
    char *zeroed = hak_calloc(1, size);
    for (size_t i = 0; i < size; i++) {
      ASSERT_EQ(zeroed[i], 0);
    }
    hak_free(block);
    hak_free(zeroed);
  }
}

static void serve(void *unused) {
  in_a_light_thread(use_all_classes, unused);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  EXPECT_EQ(live_in_orphans(), 0);
}

TEST(LightTest, EveryClassIsServedWithoutAHeap) { EXPECT_RUNS(serve, NULL, ""); }

/* Where no sequence is abandoned, each block but the first of a refill costs no heap. */
static void count_refills(void *unused) {
  (void)unused;
  hak_free(hak_malloc(SIZE));
  ASSERT_TRUE(has_row());
  unsigned work = thread_cache.light_work;
  for (size_t i = 0; i < 1000; i++) {
    hak_free(hak_malloc(SIZE));
  }
  EXPECT_LE(thread_cache.light_work, work + 1000 + 20 * 64);
  EXPECT_GT(cpu_cached_bytes(), 0);
}

static void serve_from_its_cpu(void *unused) { in_a_light_thread(count_refills, unused); }

TEST(LightTest, BlocksComeFromItsCpu) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(serve_from_its_cpu, NULL, "");
}

/* Of blocks that are kept a refill brings 9, then up to 18, then up to 32, as far as slabs have them at hand. */
static void keep_many(void *unused) {
  (void)unused;
  enum { KEPT = 1000, STRIDE = 112, REFILLS = KEPT / 9, FEWER = REFILLS * 2 / 3 };
  void *kept = NULL;
  for (size_t i = 0; i < KEPT; i++) {
    kept = keep_block(kept, 100);
  }
  ASSERT_TRUE(has_row());
  EXPECT_EQ(thread_cache.heap, NULL);
  EXPECT_LE(thread_cache.light_work, KEPT + FEWER * 32);
  EXPECT_LE(cpu_cached_bytes(), (size_t)CPU_ROWS * 32 * STRIDE);
  free_kept(kept);
  EXPECT_GT(cpu_cached_bytes(), 32 * STRIDE); /* as many as were wanted at once */
}

static void grow_its_magazine(void *unused) { in_a_light_thread(keep_many, unused); }

TEST(LightTest, AMagazineGrowsAsItIsUsedUp) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(grow_its_magazine, NULL, "");
}

enum { LIGHT_WORK = 16384 };

/* Until it has a heap; so often at most. */
static size_t use_one_at_a_time(size_t size, size_t times) {
  size_t i = 0;
  for (; i < times && thread_cache.heap == NULL; i++) {
    hak_free(hak_malloc(size));
  }
  return i;
}

static void use_small_ones(void *unused) {
  (void)unused;
  size_t used = use_one_at_a_time(100, LIGHT_WORK + 1);
  EXPECT_NE(thread_cache.heap, NULL);
  EXPECT_GT(used, LIGHT_WORK / 2);
}

static void use_larger_ones(void *unused) {
  (void)unused;
  use_one_at_a_time(20000, (size_t)4 * LIGHT_WORK);
  EXPECT_EQ(thread_cache.heap, NULL);
}

/* Every block is kept, so that each second one needs a refill. */
static void use_very_many(void *unused) {
  (void)unused;
  void *kept = NULL;
  for (size_t i = 0; i < LIGHT_WORK && thread_cache.heap == NULL; i++) {
    kept = keep_block(kept, 20000);
  }
  EXPECT_NE(thread_cache.heap, NULL);
  free_kept(kept);
}

/* Each of them costs as much as a block from a heap that must be claimed. */
static void use_large_ones(void *unused) {
  (void)unused;
  size_t used = use_one_at_a_time(200000, 1 + LIGHT_WORK / 64);
  EXPECT_NE(thread_cache.heap, NULL);
  EXPECT_GT(used, LIGHT_WORK / 64 / 2);
}

static void use_each(void *unused) {
  in_a_light_thread(use_larger_ones, unused);
  in_a_light_thread(use_large_ones, unused);
  unit_in_thread(use_very_many, unused);
  unit_in_thread(use_small_ones, unused);
}

TEST(LightTest, AThreadGetsAHeapThatCouldCacheWhatItUses) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(use_each, NULL, "");
}

/* ---- a thread that only frees ---- */

enum { POSTED = 32, NO_MORE = 2 * LIGHT_WORK };

static void *others[NO_MORE];

/* Told whether there are rows. It frees the fewest blocks before it has a heap where no row has a magazine for them. */
static void only_free(void *rows) {
  size_t i = 0;
  for (; i < NO_MORE && thread_cache.heap == NULL; i++) {
    EXPECT_EQ(has_row(), i > POSTED && *(bool *)rows);
    hak_free(others[i]);
  }
  EXPECT_NE(thread_cache.heap, NULL);
  EXPECT_GE(i, LIGHT_WORK / 64);
  for (; i < NO_MORE; i++) {
    hak_free(others[i]);
  }
}

static void leave_a_magazine(void *unused) {
  (void)unused;
  hak_free(hak_malloc(SIZE));
}

static void free_what_others_took(void *unused) {
  bool rows = rows_are_there();
  for (size_t i = 0; i < NO_MORE; i++) {
    others[i] = hak_malloc(SIZE);
  }
  in_a_light_thread(leave_a_magazine, unused);
  unit_in_thread(only_free, &rows);
  release_free_memory(RELEASE_ALL);
  expect_own_census(size_class_of(SIZE), 0);
}

TEST(LightTest, AThreadThatOnlyFreesHasItsCpusMagazinesAndThenAHeap) { EXPECT_RUNS(free_what_others_took, NULL, ""); }

TEST(LightTest, WithoutRseqItPostsUntilItHasAHeap) {
  setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
  EXPECT_RUNS(free_what_others_took, NULL, "");
  unsetenv("GLIBC_TUNABLES");
}

static void take_some(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = memset(hak_malloc(SIZE), (int)i, SIZE);
  }
}

static void free_all(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(((unsigned char *)blocks[i])[SIZE - 1], i);
    hak_free(blocks[i]);
  }
}

/* What a full magazine leaves behind, and what the others have, is where it belongs after a purge. */
static void free_anywhere(void *unused) {
  in_a_light_thread(take_some, unused);
  unit_in_thread(free_all, unused);
  in_a_light_thread(take_some, unused);
  free_all(NULL); /* by a thread with a heap */
  take_some(unused);
  unit_in_thread(free_all, unused);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(live_in_orphans(), 0);
  expect_own_census(class_of(hak_malloc(SIZE)), 1);
}

TEST(LightTest, ABlockGoesHomeWhoeverFreesIt) { EXPECT_RUNS(free_anywhere, NULL, ""); }

/* ---- what empties the magazines ---- */

static void cache_some(void *unused) {
  take_some(unused);
  free_all(unused);
  EXPECT_TRUE(has_row());
  EXPECT_GT(cpu_cached_bytes(), 0);
}

static void purge(void *unused) {
  in_a_light_thread(cache_some, unused);
  release_free_memory(RELEASE_RETAINED);
  EXPECT_GT(cpu_cached_bytes(), 0);
  release_free_memory(RELEASE_THREAD);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  unit_in_thread(cache_some, NULL);
  EXPECT_TRUE(hak_limit_set(1, 0)); /* a soft one, which is passed */
  hak_free(hak_malloc(30000));      /* the heap grows */
  EXPECT_EQ(cpu_cached_bytes(), 0);
  unit_in_thread(take_some, NULL);
  EXPECT_LE(cpu_cached_bytes(), 2 * (size_t)CLASS_BYTES); /* two blocks of a class at most */
  free_all(NULL);
  EXPECT_TRUE(hak_limit_set(0, 0));
}

TEST(LightTest, APurgeAndASoftLimitEmptyTheMagazinesOfAllCpus) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(purge, NULL, "");
}

static void wait_for_the_helper(void *unused) {
  enum { PATIENCE_MS = 20000 };
  in_a_light_thread(cache_some, unused);
  atomic_store(&background_period, 5);
  atomic_store(&background_age, 20);
  EXPECT_EQ(hak_option_set("background", 1), 0);
  for (int i = 0; cpu_cached_bytes() > 0 && i < PATIENCE_MS; i++) {
    usleep(1000);
  }
  EXPECT_EQ(cpu_cached_bytes(), 0);
  EXPECT_EQ(hak_option_set("background", 0), 0);
}

TEST(LightTest, TheHelperEmptiesMagazinesThatNobodyUses) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(wait_for_the_helper, NULL, "");
}

/* ---- where its CPU has none ---- */

static struct cpu_area fake;

static void live_beyond_the_rows(void *unused) {
  hak_free(hak_malloc(SIZE));
  fake = (struct cpu_area){.cpu_id = 100000, .mm_cid = 100000};
  thread_cache.cpu = &fake;
  take_some(unused);
  free_all(unused);
  EXPECT_EQ(thread_cache.heap, NULL);
  for (size_t i = 0; i < 1000 && thread_cache.heap == NULL; i++) {
    hak_free(hak_malloc(SIZE));
  }
  EXPECT_NE(thread_cache.heap, NULL); /* it does not come to LIGHT_WORK by cheap blocks: by calls, then */
}

static void have_no_row(void *unused) {
  in_a_light_thread(live_beyond_the_rows, unused);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(live_in_orphans(), 0);
}

TEST(LightTest, AThreadOnACpuWithoutARowIsServed) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(have_no_row, NULL, "");
}

/* ---- where the system refuses ---- */

/* As <linux/filter.h> and <linux/seccomp.h> have them, which musl's compiler does not find. */
struct filter_step {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t value;
};
struct filter {
  uint16_t length;
  const struct filter_step *step;
};

/* membarrier fails with EPERM from here on, as in some sandboxes. False: filters are not to be had here. */
static bool refuse_barriers(void) {
  enum { LOAD = 0x20, IF_EQUAL = 0x15, RETURN = 0x06, BY_FILTER = 2 };
  const uint32_t refused = UINT32_C(0x00050000) | EPERM;
  const struct filter_step steps[] = {
      {LOAD, 0, 0, 0}, /* the number of the call */
      {IF_EQUAL, 0, 1, SYS_membarrier},
      {RETURN, 0, 0, refused},
      {RETURN, 0, 0, UINT32_C(0x7fff0000)},
  };
  const struct filter filter = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, BY_FILTER, &filter) == 0;
}

static void be_refused_from_the_start(void *unused) {
  if (refuse_barriers()) {
    EXPECT_FALSE(rows_are_there());
  }
  serve(unused);
}

TEST(LightTest, WithoutTheBarrierThereAreNoMagazinesByCpu) { EXPECT_RUNS(be_refused_from_the_start, NULL, ""); }

static void be_refused_later(void *unused) {
  in_a_light_thread(cache_some, unused);
  if (refuse_barriers()) {
    release_free_memory(RELEASE_ALL);
    EXPECT_GT(cpu_cached_bytes(), 0);
  }
  unit_in_thread(cache_some, unused); /* they serve on */
}

TEST(LightTest, WhereItIsRefusedLaterTheyKeepWhatTheyHave) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(be_refused_later, NULL, "");
}

static void live_without_rseq(void *unused) {
  EXPECT_FALSE(rows_are_there());
  serve(unused);
}

TEST(LightTest, WithoutRseqEachBlockComesFromAnOrphan) {
  setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
  EXPECT_RUNS(live_without_rseq, NULL, "");
  unsetenv("GLIBC_TUNABLES");
}

/* ---- misuse ---- */

static void free_twice(void *unused) {
  (void)unused;
  void *block = hak_malloc(SIZE);
  hak_free(block);
  hak_free(block);
}

static void free_twice_in_a_light_thread(void *unused) { in_a_light_thread(free_twice, unused); }

static void free_twice_with_another_between(void *unused) {
  (void)unused;
  void *block = hak_malloc(SIZE);
  void *other = hak_malloc(SIZE);
  hak_free(block);
  hak_free(other);
  hak_free(block);
}

static void free_twice_later(void *unused) { in_a_light_thread(free_twice_with_another_between, unused); }

static void free_inside(void *unused) {
  (void)unused;
  hak_free((char *)hak_malloc(SIZE) + 16);
}

static void free_inside_in_a_light_thread(void *unused) { in_a_light_thread(free_inside, unused); }

static void free_what_was_posted(void *unused) {
  (void)unused;
  take_some(NULL);
  free_all(NULL);
  hak_free(blocks[0]);
}

static void free_posted_in_a_light_thread(void *unused) {
  in_a_light_thread(free_what_was_posted, unused);
  release_free_memory(RELEASE_ALL);
}

#define DOUBLE_FREE "hakmem: double free: pointer " ANY_POINTER ", class of 224 bytes, .*\n"

/* At once, or when the process ends, where the thread has lost its CPU in between. */
TEST(LightTest, ADoubleFreeIsStopped) { EXPECT_STOPS(free_twice_in_a_light_thread, NULL, DOUBLE_FREE); }
TEST(LightTest, ALaterOneIsStoppedWhenTheProcessEnds) { EXPECT_STOPS(free_twice_later, NULL, DOUBLE_FREE); }
TEST(LightTest, AndOneOfABlockThatWentHome) { EXPECT_STOPS(free_posted_in_a_light_thread, NULL, DOUBLE_FREE); }

TEST(LightTest, AnInteriorPointerIsStoppedAtOnce) {
  EXPECT_STOPS(free_inside_in_a_light_thread, NULL, ".*interior pointer.*\n");
}
