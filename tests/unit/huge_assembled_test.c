/* huge: a block of which the memory was retained in several places. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/residency.h"
#include "config/config.h"
#include "os/system.h"
#include "unit/huge_blocks.h"
#include "unit/system_calls.h"
#include "unit/unit.h"

/* How mremap behaves towards the library from its n-th move on; and how many there were. LATE_REFUSED: what is there has
 * gone by then, as on systems older than 6.17. INTRUDED: and another thread maps memory there. */
static enum { AS_IT_IS, REFUSED, LATE_REFUSED, INTRUDED } behaves;
static size_t moves, moves_that_work = SIZE_MAX;
static char *intruder;

void *mremap(void *start, size_t old_bytes, size_t new_bytes, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *there = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void *) : NULL;
  va_end(arguments);
  if (there != NULL && ++moves > moves_that_work && behaves != AS_IT_IS) {
    if (behaves != REFUSED) {
      munmap(there, new_bytes);
    }
    if (behaves == INTRUDED) {
      intruder = os_map(there, new_bytes);
      memset(intruder, 'i', new_bytes);
    }
    errno = behaves == REFUSED ? ENOMEM : EFAULT;
    return MAP_FAILED;
  }
  struct system_call call = {SYS_mremap,
                             {(long)(uintptr_t)start, (long)old_bytes, (long)new_bytes, flags, (long)(uintptr_t)there}};
  return (void *)(uintptr_t)system_call_make(&call); // NOLINT(performance-no-int-to-ptr)
}

/* All of whole huge pages, which they have for themselves. */
enum { BLOCKS = 3, BLOCK = 8 * 1024 * 1024, WHOLE = 20 * 1024 * 1024, WALL = 4 * 1024 * 1024 };

static char *walls[BLOCKS];

static char *allocate_and_use(size_t size, int byte) {
  char *block = allocate(size);
  memset(block, byte, size);
  return block;
}

/* Three ranges are retained, a block between each two, and it is known that blocks are used whole. */
static void retain_three(void) {
  option_set("retain_kib", 64 * 1024);
  huge_purge();
  huge_free(allocate_and_use(BLOCK, 1));
  huge_purge();
  char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = allocate_and_use(BLOCK, (int)('a' + i));
    walls[i] = allocate_and_use(WALL, 'w');
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    huge_free(blocks[i]);
  }
  EXPECT_EQ(retained_bytes(), BLOCKS * BLOCK);
}

static void free_walls(void) {
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_TRUE(walls[i][0] == 'w' && memcmp(walls[i], walls[i] + 1, WALL - 1) == 0);
    EXPECT_TRUE(huge_free(walls[i]));
  }
}

static size_t count_of(const char *block, size_t bytes, char byte) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++) {
    count += block[i] == byte;
  }
  return count;
}

/* Each byte that the block did not get fresh is one that was there. */
static void expect_used(const char *block, size_t bytes, size_t used) {
  size_t count = 0;
  for (char byte = 'a'; byte < 'a' + BLOCKS; byte++) {
    count += count_of(block, bytes, byte);
  }
  EXPECT_EQ(count, used);
  EXPECT_EQ(count_of(block, bytes, 0), bytes - used);
}

static void assemble(void *unused) {
  (void)unused;
  retain_three();
  size_t active = active_bytes();
  char *block = allocate(WHOLE + 5 * os_page_size());
  ASSERT_NE(block, NULL);
  EXPECT_FALSE(zeroed);
  EXPECT_EQ(moves, WHOLE / OS_HUGE_PAGE);
  EXPECT_EQ(unit_resident(block, huge_usable_size(block)), WHOLE);
  EXPECT_EQ(retained_bytes(), BLOCKS * BLOCK - WHOLE);
  EXPECT_EQ(active_bytes(), active + huge_usable_size(block));
  expect_used(block, huge_usable_size(block), WHOLE);
  memset(block, 'n', WHOLE);
  free_walls();
  /* It serves on, whole and cut. */
  EXPECT_TRUE(huge_free(block));
  EXPECT_EQ(allocate(WHOLE), block);
  EXPECT_EQ(count_of(block, WHOLE, 'n'), WHOLE);
  EXPECT_TRUE(huge_free(block));
  EXPECT_EQ(allocate(WHOLE - MIB), block);
  EXPECT_TRUE(huge_free(block));
  size_t kept = retained_bytes();
  EXPECT_EQ(huge_purge(), kept);
}

TEST(HugeTest, SeveralRangesBecomeOneBlock) { EXPECT_RUNS(assemble, NULL, ""); }

static void grow(void *unused) {
  (void)unused;
  retain_three();
  char *block = allocate_and_use(WHOLE, 'g');
  block = huge_resize(block, 2 * (size_t)WHOLE);
  ASSERT_NE(block, NULL);
  EXPECT_LE(unit_resident(block, huge_usable_size(block)), WHOLE + os_page_size()); /* cold/huge_cost.h touches one */
  EXPECT_EQ(count_of(block, WHOLE, 'g'), WHOLE);
  EXPECT_EQ(count_of(block + WHOLE, WHOLE, 0), WHOLE);
  block = huge_resize(block, 3 * MIB);
  ASSERT_NE(block, NULL);
  EXPECT_EQ(count_of(block, 3 * MIB, 'g'), 3 * MIB);
  EXPECT_TRUE(huge_free(block));
  free_walls();
}

TEST(HugeTest, ABlockOfSeveralRangesGrowsAndShrinks) { EXPECT_RUNS(grow, NULL, ""); }

static void grow_beside_others(void *unused) {
  (void)unused;
  retain_three();
  char *block = allocate_and_use(WHOLE, 'g');
  behaves = INTRUDED;
  moves_that_work = moves;
  block = huge_resize(block, 2 * (size_t)WHOLE);
  ASSERT_NE(block, NULL);
  EXPECT_EQ(count_of(block, WHOLE, 'g'), WHOLE);
  EXPECT_TRUE(intruder == NULL || (intruder[0] == 'i' && block != intruder));
  EXPECT_TRUE(huge_free(block));
  free_walls();
}

TEST(HugeTest, ABlockOfSeveralRangesGrowsBesideOthers) { EXPECT_RUNS(grow_beside_others, NULL, ""); }

/* The first move finds its place taken: the block comes from elsewhere, and the place is another's. */
static void assemble_beside_others(void *unused) {
  (void)unused;
  retain_three();
  behaves = INTRUDED;
  moves_that_work = moves + 1;
  char *block = allocate(WHOLE);
  ASSERT_NE(block, NULL);
  EXPECT_TRUE(zeroed);
  ASSERT_NE(intruder, NULL);
  EXPECT_TRUE(intruder + OS_HUGE_PAGE <= block || block + WHOLE <= intruder);
  memset(block, 'b', WHOLE);
  EXPECT_TRUE(huge_free(block));
  free_walls();
  size_t kept = retained_bytes();
  EXPECT_EQ(huge_purge(), kept);
  EXPECT_EQ(count_of(intruder, OS_HUGE_PAGE, 'i'), OS_HUGE_PAGE);
}

TEST(HugeTest, APlaceThatIsLostIsAnothers) { EXPECT_RUNS(assemble_beside_others, NULL, ""); }

/* Blocks of which little is used, blocks in small pages, and those that are aligned to more, come fresh. */
static void do_not_assemble(void *how) {
  retain_three();
  if (how != NULL) {
    option_set("thp", 0);
  }
  char *block = huge_allocate(WHOLE, how != NULL ? 1 : 4 * MIB, &zeroed);
  ASSERT_NE(block, NULL);
  EXPECT_TRUE(zeroed);
  EXPECT_EQ(moves, 0);
  EXPECT_TRUE(huge_free(block));
  free_walls();
}

TEST(HugeTest, SeveralRangesStayWhereSmallPagesAreWanted) {
  EXPECT_RUNS(do_not_assemble, NULL, "");
  EXPECT_RUNS(do_not_assemble, (void *)1, "");
}

/* The system refuses the third move: what was retained stays so, and the block is whole. */
static void refuse(void *how) {
  size_t before = active_bytes();
  retain_three();
  size_t active = active_bytes();
  behaves = how == NULL ? REFUSED : LATE_REFUSED;
  moves_that_work = 2;
  char *block = allocate(WHOLE);
  ASSERT_NE(block, NULL);
  size_t used = behaves == REFUSED ? 0 : 2 * OS_HUGE_PAGE; /* else nobody knows whose memory is there */
  EXPECT_EQ(zeroed, used == 0);
  EXPECT_EQ(moves, 3);
  EXPECT_EQ(active_bytes(), active + WHOLE);
  expect_used(block, WHOLE, used);
  EXPECT_TRUE(huge_free(block));
  /* The one is for ever, the other may not be. */
  char *other = allocate(WHOLE + 3 * BLOCK);
  EXPECT_EQ(moves, behaves == REFUSED ? 3 : 4);
  EXPECT_TRUE(huge_free(other));
  free_walls();
  size_t kept = retained_bytes();
  EXPECT_EQ(huge_purge(), kept);
  EXPECT_EQ(active_bytes(), before);
}

TEST(HugeTest, NothingIsLostWhereTheSystemMovesNoPages) {
  EXPECT_RUNS(refuse, NULL, "");
  EXPECT_RUNS(refuse, (void *)1, "");
}
