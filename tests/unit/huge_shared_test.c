/* huge_shared: blocks in huge pages that they share. The tests take from what is retained first, as cold/huge.c does. */
#include "cold/huge_shared.h"

#include <stdint.h>

#include "cold/huge_kept.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "config/config.h"
#include "os/os.h"
#include "unit/unit.h"

/* So much is in use that no rest is too much, and all may be retained. */
static void begin(void) {
  option_set("retain_kib", 64 * 1024);
  residency_activate(HOLDER_HUGE, 64 * MIB, 0);
}

static char *map(size_t bytes, size_t expected_fresh) {
  size_t fresh = 0;
  char *start = huge_shared_map(bytes, &fresh);
  EXPECT_NE(start, NULL);
  EXPECT_EQ(fresh, expected_fresh);
  for (size_t i = 0; start != NULL && i < bytes; i += 4096) {
    EXPECT_EQ(start[i], 0);
    start[i] = 1;
  }
  return start;
}

static char *take(size_t bytes) {
  size_t had = bytes;
  char *start = huge_ranges_take(&had, 1);
  EXPECT_EQ(had, bytes);
  residency_activate(HOLDER_HUGE, 0, had);
  return start;
}

/* Each lies where the one before it begins, and what the last one leaves of its page is all that is retained. */
static void lie_side_by_side(void *unused) {
  (void)unused;
  static const size_t sizes[] = {5, 7, 3, 1, 2, 6, 5, 7, 7, 6, 3, 4, 3, 3, 3, 3, 9, 13, 31, 3, 30, 31, 17};
  begin();
  size_t committed = committed_bytes();
  size_t counted = counted_bytes();
  size_t rest = 0;
  size_t pages = 0;
  char *behind = NULL;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    NOTE("block %zu", i);
    size_t bytes = sizes[i] * MIB / 4;
    bool fits = rest >= bytes;
    char *start = fits ? take(bytes) : map(bytes, bytes - rest);
    size_t more = fits ? 0 : (bytes - rest + OS_HUGE_PAGE - 1) / OS_HUGE_PAGE;
    pages += more;
    rest = rest + more * OS_HUGE_PAGE - bytes;
    EXPECT_EQ(((uintptr_t)start - rest) & (OS_HUGE_PAGE - 1), 0);
    if (behind != NULL) {
      EXPECT_EQ(start + bytes, behind);
    }
    behind = start;
    EXPECT_EQ(retained_bytes(), rest);
    EXPECT_EQ(committed_bytes() - committed, pages * OS_HUGE_PAGE);
    EXPECT_EQ(counted_bytes() - counted, pages * OS_HUGE_PAGE);
  }
}

/* Pages to come that are too few for a block go back to the system where there are none below them. */
static void lie_apart(void *unused) {
  (void)unused;
  enum { BLOCK = 5 * OS_HUGE_PAGE / 2 };
  begin();
  size_t before = unit_mapped();
  size_t committed = committed_bytes();
  for (size_t i = 0; i < 20; i++) {
    map(BLOCK, BLOCK);
    huge_purge();
    char *wall = os_map(NULL, 3 * MIB); /* the system places it below what was mapped last */
    EXPECT_TRUE(os_unmap(wall + os_page_size(), 3 * MIB - os_page_size()));
  }
  /* No more than is in use and ahead, the walls and the rests of their huge pages. */
  EXPECT_LE(unit_mapped() - before, 20 * BLOCK + 16 * MIB);
  EXPECT_EQ(committed_bytes() - committed, 20 * BLOCK);
}

/* An emulator may not. */
static bool system_maps_where_asked(void) {
  char *first = os_map(NULL, 64 * MIB);
  char *second = os_map(first - MIB, MIB);
  bool does = second == first - MIB;
  os_unmap(first, 64 * MIB);
  os_unmap(second, MIB);
  return does;
}

TEST(HugeSharedTest, BlocksLieSideBySide) {
  if (!system_maps_where_asked()) {
    SKIP("the system maps memory elsewhere than it is asked to");
  }
  EXPECT_RUNS(lie_side_by_side, NULL, "");
}
TEST(HugeSharedTest, ButForWhatLiesBetween) { EXPECT_RUNS(lie_apart, NULL, ""); }

/* Where the rest has gone back, or to another block, a block has the end of a page alone. */
static void begin_anew(void *unused) {
  (void)unused;
  begin();
  map(MIB + MIB / 2, MIB + MIB / 2);
  EXPECT_EQ(huge_purge(), MIB / 2);
  char *start = map(MIB, MIB);
  EXPECT_EQ((uintptr_t)start & (OS_HUGE_PAGE - 1), MIB);
  take(MIB);
  start = map(MIB, MIB);
  EXPECT_EQ((uintptr_t)start & (OS_HUGE_PAGE - 1), MIB);
}

TEST(HugeSharedTest, ARestThatIsGoneIsNotUsed) { EXPECT_RUNS(begin_anew, NULL, ""); }

/* What the block needs is asked for where more is refused. Where that is, too, nothing is counted, and all goes on
 * afterwards. */
static void refuse(void *unused) {
  (void)unused;
  enum { BLOCK = 3 * OS_HUGE_PAGE - 4096 };
  begin();
  residency_activate(HOLDER_HUGE, 64 * MIB, 0); /* 16 MiB are asked for */
  size_t fresh = 0;
  unit_limit_memory(12 * MIB);
  map(BLOCK, BLOCK);
  unit_limit_memory(0);
  if (os_map(NULL, MIB) != NULL) {
    return; /* an emulator does not know the limit */
  }
  while (huge_shared_map(BLOCK, &fresh) != NULL) { /* what was mapped ahead */
  }
  size_t committed = committed_bytes();
  size_t counted = counted_bytes();
  EXPECT_EQ(huge_shared_map(BLOCK, &fresh), NULL);
  EXPECT_EQ(committed_bytes(), committed);
  EXPECT_EQ(counted_bytes(), counted);
  unit_limit_memory(SIZE_MAX);
  huge_purge();
  map(BLOCK, BLOCK);
}

TEST(HugeSharedTest, ASystemThatRefuses) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(refuse, NULL, "");
}

static void limited(void *unused) {
  (void)unused;
  begin();
  size_t fresh = 0;
  size_t counted = counted_bytes();
  options.limit = (long)(counted + OS_HUGE_PAGE);
  EXPECT_NE(huge_shared_map(MIB, &fresh), NULL);
  EXPECT_EQ(huge_shared_map(MIB + 4096, &fresh), NULL);
  EXPECT_EQ(counted_bytes(), counted + OS_HUGE_PAGE);
}

TEST(HugeSharedTest, ALimitHolds) { EXPECT_RUNS(limited, NULL, ""); }

/* Half of what huge blocks have; what else is in use does not count. */
static void leave_too_much(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  residency_activate(HOLDER_HUGE, MIB - committed_bytes_of(HOLDER_HUGE), 0);
  residency_activate(HOLDER_POOL, 64 * MIB, 0);
  size_t committed = committed_bytes();
  size_t counted = counted_bytes();
  size_t fresh = 0;
  EXPECT_EQ(huge_shared_map(MIB + MIB / 2 - 4096, &fresh), NULL);
  EXPECT_EQ(committed_bytes(), committed);
  EXPECT_EQ(counted_bytes(), counted);
  map(MIB + MIB / 2, MIB + MIB / 2);
  EXPECT_EQ(committed_bytes_of(HOLDER_HUGE), 3 * MIB);
  EXPECT_EQ(huge_shared_map(MIB - 4096, &fresh), NULL); /* with what is retained: 3/2 MiB, and more */
  map(MIB, MIB / 2);
}

TEST(HugeSharedTest, NoneWhereMuchWouldBeLeft) { EXPECT_RUNS(leave_too_much, NULL, ""); }

/* A child has the pages to come for itself. */
static char *last;

static void goes_on(void *unused) {
  (void)unused;
  begin(); /* a child counts anew */
  EXPECT_EQ(map(MIB, MIB) + MIB, last);
}

static void fork_between(void *unused) {
  (void)unused;
  begin();
  map(MIB, MIB);
  last = take(MIB);
  EXPECT_FORKS(goes_on, NULL);
  goes_on(NULL);
}

TEST(HugeSharedTest, AChildOfForkGoesOn) { EXPECT_RUNS(fork_between, NULL, ""); }

/* ---- several threads ---- */

enum { THREADS = 4, EACH = 64 };

static char *blocks[THREADS][EACH];

static void map_some(void *number_value) {
  size_t number = (uintptr_t)number_value;
  for (size_t i = 0; i < EACH; i++) {
    size_t fresh = 0;
    critical_enter();
    blocks[number][i] = huge_shared_map(OS_HUGE_PAGE - (1 + i % 8) * 64 * KIB, &fresh);
    critical_leave();
    if (blocks[number][i] != NULL) {
      blocks[number][i][0] = (char)(1 + number);
    }
  }
}

static void map_at_once(void *unused) {
  (void)unused;
  struct unit_thread threads[THREADS];
  begin();
  size_t committed = committed_bytes();
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], map_some, (void *)i); // NOLINT(performance-no-int-to-ptr)
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  for (size_t i = 0; i < THREADS * EACH; i++) {
    ASSERT_NE(blocks[i / EACH][i % EACH], NULL);
    EXPECT_EQ(blocks[i / EACH][i % EACH][0], 1 + i / EACH);
  }
  EXPECT_EQ((committed_bytes() - committed) % OS_HUGE_PAGE, 0);
}

TEST(HugeSharedTest, ThreadsAtOnce) { EXPECT_RUNS(map_at_once, NULL, ""); }
