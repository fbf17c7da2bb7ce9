/* contract: the rules of the malloc family, below its names. */
#include "api/contract.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "cold/large.h"
#include "hot/gate.h"
#include "unit/unit.h"

enum { UNTOUCHED_ERRNO = 4711 };

static bool is_all(const unsigned char *block, int byte, size_t bytes) {
  return bytes == 0 || (block[0] == byte && memcmp(block, block + 1, bytes - 1) == 0);
}

/* ---- calloc ---- */

TEST(ContractTest, CallocIsZeroWhateverLayThere) {
  const size_t sizes[] = {0, 1, 8, 100, 4096, 32768, 32769, 500000, LARGE_MAX, LARGE_MAX + 1, 5 * MIB};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    for (int round = 0; round < 3; round++) {
      unsigned char *block = contract_calloc(1, sizes[i]);
      ASSERT_NE(block, NULL);
      EXPECT_TRUE(is_all(block, 0, sizes[i]));
      memset(block, 0xFF, sizes[i]);
      gate_free(block);
    }
  }
}

TEST(ContractTest, CallocTakesTheProduct) {
  unsigned char *block = contract_calloc(7, 13);
  EXPECT_GE(contract_usable_size(block), 91);
  EXPECT_TRUE(is_all(block, 0, 91));
  gate_free(block);
  EXPECT_NE(block = contract_calloc(0, SIZE_MAX), NULL);
  gate_free(block);
}

static void calloc_fresh(void *size) {
  unsigned char *block = contract_calloc(1, (uintptr_t)size);
  ASSERT_NE(block, NULL);
  EXPECT_EQ(unit_resident(block, (uintptr_t)size), 0);
}

TEST(ContractTest, CallocDoesNotClearWhatIsKnownToBeZero) {
  EXPECT_RUNS(calloc_fresh, (void *)(20 * MIB), "");
  EXPECT_RUNS(calloc_fresh, (void *)(size_t)LARGE_MAX, "");
}

static void calloc_what_was_freed(void *unused) {
  (void)unused;
  const size_t size = 20 * MIB;
  option_set("retain_kib", 64 * 1024);
  unsigned char *block = contract_calloc(1, size);
  ASSERT_NE(block, NULL);
  block[5 * MIB] = 1;
  gate_free(block);
  EXPECT_EQ(contract_calloc(1, size), block);
  EXPECT_EQ(unit_resident(block, size), 0);
  EXPECT_TRUE(is_all(block, 0, size));
}

TEST(ContractTest, CallocDoesNotMakeResidentWhatTheLastBlockDidNotUse) { EXPECT_RUNS(calloc_what_was_freed, NULL, ""); }

TEST(ContractTest, AProductThatOverflowsIsEnomem) {
  const size_t half = (size_t)1 << 32;
  const size_t pairs[][2] = {{half, half}, {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX / 3, 4}, {SIZE_MAX, SIZE_MAX}};
  void *block = gate_malloc(10);
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    errno = 0;
    EXPECT_EQ(contract_calloc(pairs[i][0], pairs[i][1]), NULL);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(contract_reallocarray(block, pairs[i][0], pairs[i][1]), NULL);
    EXPECT_EQ(errno, ENOMEM);
  }
  gate_free(block);
}

/* ---- realloc ---- */

TEST(ContractTest, ReallocKeepsTheContentOverEveryKindOfBlock) {
  const size_t sizes[] = {1, 8, 9, 64, 100, 1000, 5000, 32768, 32769, 70000, 600000, LARGE_MAX, LARGE_MAX + 1, 9 * MIB};
  const size_t count = sizeof sizes / sizeof sizes[0];
  for (size_t from = 0; from < count; from++) {
    for (size_t to = 0; to < count; to++) {
      NOTE("from %zu to %zu", sizes[from], sizes[to]);
      unsigned char *block = gate_malloc(sizes[from]);
      ASSERT_NE(block, NULL);
      memset(block, 0x3C, sizes[from]);
      errno = UNTOUCHED_ERRNO;
      unsigned char *moved = contract_realloc(block, sizes[to]);
      ASSERT_NE(moved, NULL);
      EXPECT_EQ(errno, UNTOUCHED_ERRNO);
      EXPECT_GE(contract_usable_size(moved), sizes[to]);
      EXPECT_TRUE(is_all(moved, 0x3C, sizes[from] < sizes[to] ? sizes[from] : sizes[to]));
      gate_free(moved);
    }
  }
}

TEST(ContractTest, ReallocStaysWhereTheBlockServes) {
  const size_t sizes[] = {40, 100, 1000, 30000, 100000, 1000000, 8 * MIB};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    char *block = gate_malloc(sizes[i]);
    size_t usable = contract_usable_size(block);
    EXPECT_EQ(contract_realloc(block, usable), block);
    EXPECT_EQ(contract_realloc(block, usable - 1), block);
    EXPECT_EQ(contract_realloc(block, usable / 2 + 1), block);
    gate_free(block);
  }
}

TEST(ContractTest, AShrunkBlockGivesItsMemoryBack) {
  const size_t sizes[] = {1000, 30000, 100000, 1000000, 8 * MIB};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    char *block = gate_malloc(sizes[i]);
    block = contract_realloc(block, sizes[i] / 10);
    ASSERT_NE(block, NULL);
    EXPECT_LT(contract_usable_size(block), sizes[i] / 2);
    gate_free(block);
  }
}

TEST(ContractTest, ReallocOfNothingAndToNothing) {
  void *block = contract_realloc(NULL, 100);
  ASSERT_NE(block, NULL);
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(contract_realloc(block, 0), NULL); /* frees */
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  EXPECT_NE(block = contract_realloc(NULL, 0), NULL);
  gate_free(block);
}

TEST(ContractTest, AFailedReallocLeavesTheBlock) {
  const size_t sizes[] = {50, 5000, 100000, 5 * MIB};
  const size_t impossible[] = {SIZE_MAX, (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX, (size_t)1 << 50};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    unsigned char *block = gate_malloc(sizes[i]);
    size_t usable = contract_usable_size(block);
    memset(block, 0x77, sizes[i]);
    for (size_t j = 0; j < sizeof impossible / sizeof impossible[0]; j++) {
      errno = 0;
      EXPECT_EQ(contract_realloc(block, impossible[j]), NULL);
      EXPECT_EQ(errno, ENOMEM);
      EXPECT_EQ(contract_usable_size(block), usable);
      EXPECT_TRUE(is_all(block, 0x77, sizes[i]));
    }
    gate_free(block);
  }
}

static void shrink_without_memory(void *unused) {
  (void)unused;
  enum { KEEP = 100000 };
  static void *others[KEEP];
  unsigned char *block = gate_malloc(30000);
  memset(block, 0x55, 30000);
  unit_limit_memory(0);
  size_t had = 0;
  while (had < KEEP && (others[had] = gate_malloc(3000)) != NULL) {
    had++;
  }
  ASSERT_LT(had, KEEP);
  errno = UNTOUCHED_ERRNO;
  unsigned char *shrunk = contract_realloc(block, 3000);
  EXPECT_EQ(shrunk, block); /* a smaller one could not be had: this one will do */
  EXPECT_TRUE(is_all(block, 0x55, 3000));
  errno = 0;
  EXPECT_EQ(contract_realloc(block, 60000), NULL);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(ContractTest, ShrinkingNeverFails) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(shrink_without_memory, NULL, "");
}

/* ---- alignment ---- */

TEST(ContractTest, EveryAlignmentWithSizesAroundIt) {
  for (size_t alignment = 1; alignment <= 64 * MIB; alignment *= 2) {
    const size_t sizes[] = {0, 1, 8, alignment - 1, alignment, alignment + 1, 3 * alignment, 100, 5000, 40000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      NOTE("alignment %zu, size %zu", alignment, sizes[i]);
      char *first = contract_aligned(alignment, sizes[i]);
      char *second = contract_aligned(alignment, sizes[i]);
      ASSERT_NE(first, NULL);
      ASSERT_NE(second, NULL);
      ASSERT_NE(first, second);
      ASSERT_EQ((uintptr_t)first % alignment, 0);
      ASSERT_EQ((uintptr_t)second % alignment, 0);
      ASSERT_GE(contract_usable_size(first), sizes[i]);
      if (sizes[i] > 0) {
        first[0] = first[sizes[i] - 1] = 1;
      }
      gate_free(first);
      gate_free(second);
    }
  }
}

TEST(ContractTest, SmallAlignedBlocksComeFromSlabs) {
  for (size_t alignment = 16; alignment <= 16384; alignment *= 2) {
    void *block = contract_aligned(alignment, 10);
    EXPECT_LT(unit_tag_of(block) ^ thread_cache.self, SIZE_CLASS_COUNT);
    gate_free(block);
  }
}

TEST(ContractTest, WhatIsNoPowerOfTwoIsEinval) {
  const size_t bad[] = {0, 3, 5, 6, 7, 24, 4095, SIZE_MAX, SIZE_MAX - 1};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    errno = 0;
    EXPECT_EQ(contract_aligned(bad[i], 10), NULL);
    EXPECT_EQ(errno, EINVAL);
  }
  errno = 0;
  EXPECT_EQ(contract_aligned(64, SIZE_MAX), NULL);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(contract_aligned((size_t)1 << 62, 10), NULL);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(contract_aligned((size_t)1 << 63, SIZE_MAX / 2), NULL);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(ContractTest, PosixMemalignChangesOutAndErrnoOnlyAsItMay) {
  int somewhere;
  void *const untouched = &somewhere;
  const size_t bad[] = {0, 1, 2, 4, 12, 24, SIZE_MAX};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    void *out = untouched;
    errno = UNTOUCHED_ERRNO;
    EXPECT_EQ(contract_posix_memalign(&out, bad[i], 10), EINVAL);
    EXPECT_EQ(out, untouched);
    EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  }
  void *out = untouched;
  EXPECT_EQ(contract_posix_memalign(&out, 64, SIZE_MAX), ENOMEM);
  EXPECT_EQ(contract_posix_memalign(&out, (size_t)1 << 62, 10), ENOMEM);
  EXPECT_EQ(out, untouched);
  EXPECT_EQ(errno, ENOMEM);
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(contract_posix_memalign(&out, 64, 100), 0);
  EXPECT_NE(out, untouched);
  EXPECT_EQ((uintptr_t)out % 64, 0);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  gate_free(out);
}

TEST(ContractTest, NullHasNoUsableSize) { EXPECT_EQ(contract_usable_size(NULL), 0); }
