/* sampler: a sampled block is a block like any other. */
#include "profile/sampler.h"

#include <string.h>

#include "api/contract.h"
#include "profile/samples.h"
#include "unit/heaps.h"

/* Nearly every block is sampled. */
static void sample_all(void) {
  sampler_start(1);
  thread_cache.until_sample = 0;
}

TEST(SamplerTest, BlocksOfAllSizesComeAndGo) {
  static const size_t sizes[] = {16, 17, 100, 1000, 5000, 32768, 32769, 100000, 2 << 20, 3 << 20, 50 << 20};
  sample_all();
  size_t before = samples_count();
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    NOTE("%zu bytes", sizes[i]);
    char *block = gate_malloc(sizes[i]);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(samples_count(), before + 1);
    EXPECT_GE(gate_usable_size(block, "test"), size_usable(sizes[i]));
    EXPECT_LT(gate_usable_size(block, "test"), sizes[i] + sizes[i] / 8 + UNIT_BYTES);
    EXPECT_EQ(sample_tag(unit_tag_of(block)), sizes[i] <= SIZE_CLASS_MAX);
    block[0] = block[sizes[i] - 1] = 1;
    gate_free(block);
    EXPECT_EQ(samples_count(), before);
  }
}

/* They are not of a slab where others are (warm/medium.h): their free would not be seen. */
TEST(SamplerTest, BlocksOfWhichThereAreManyComeAndGo) {
  enum { MANY = 40, SIZE = 50000 };
  static char *blocks[MANY];
  sample_all();
  size_t before = samples_count();
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = gate_malloc(SIZE + i * 1000);
    EXPECT_EQ(samples_count(), before + i + 1);
  }
  for (size_t i = 0; i < MANY; i++) {
    gate_free(blocks[i]);
  }
  EXPECT_EQ(samples_count(), before);
}

TEST(SamplerTest, CallocGivesZeroes) {
  sample_all();
  for (int round = 0; round < 3; round++) {
    for (size_t size = 16; size < 200000; size = size * 3 + 1) {
      unsigned char *block = contract_calloc(1, size);
      for (size_t i = 0; i < size; i++) {
        ASSERT_EQ(block[i], 0);
      }
      memset(block, 0xFF, size);
      gate_free(block);
    }
  }
}

TEST(SamplerTest, AlignedBlocksAre) {
  sample_all();
  size_t before = samples_count();
  for (size_t alignment = 16; alignment <= MIB; alignment *= 2) {
    for (size_t size = 16; size < MIB; size = size * 5 + 3) {
      NOTE("%zu bytes at multiples of %zu", size, alignment);
      char *block = contract_aligned(alignment, size);
      ASSERT_NE(block, NULL);
      EXPECT_EQ((uintptr_t)block % alignment, 0);
      EXPECT_EQ(samples_count(), before + 1);
      block[size - 1] = 1;
      contract_free_aligned_sized(block, alignment, size, FAMILY_MALLOC);
      EXPECT_EQ(samples_count(), before);
    }
  }
}

TEST(SamplerTest, SizedFreesAreChecked) {
  sample_all();
  for (size_t size = 16; size < 40 * MIB; size = size * 3 + 5) {
    contract_free_sized(gate_malloc(size), size, false, FAMILY_MALLOC);
  }
}

TEST(SamplerTest, ReallocKeepsTheBytesAndTheCount) {
  sample_all();
  size_t before = samples_count();
  unsigned char *block = NULL;
  size_t had = 0;
  for (size_t size = 16; size < 30 * MIB; size = size * 5 / 3) {
    block = contract_realloc(block, size);
    ASSERT_NE(block, NULL);
    for (size_t i = 0; i < had; i += 61) {
      ASSERT_EQ(block[i], (unsigned char)(i / 61));
    }
    for (size_t i = 0; i < size; i += 61) {
      block[i] = (unsigned char)(i / 61);
    }
    had = size;
    EXPECT_EQ(samples_count(), before + 1);
  }
  while (had > 100) {
    had /= 3;
    block = contract_realloc(block, had);
    for (size_t i = 0; i < had; i += 61) {
      ASSERT_EQ(block[i], (unsigned char)(i / 61));
    }
    EXPECT_EQ(samples_count(), before + 1);
  }
  EXPECT_EQ(contract_realloc(block, 0), NULL);
  EXPECT_EQ(samples_count(), before);
}

static void *kept;

static void allocate_one(void *size) { kept = gate_malloc(*(size_t *)size); }

TEST(SamplerTest, AnyThreadFrees) {
  sampler_start(1);
  size_t before = samples_count();
  for (size_t size = 64; size < 10 * MIB; size *= 7) {
    unit_in_thread(allocate_one, &size); /* it has ended by then */
    EXPECT_EQ(samples_count(), before + 1);
    gate_free(kept);
    EXPECT_EQ(samples_count(), before);
  }
}

TEST(SamplerTest, NoBytesAreNeverSampled) {
  sample_all();
  size_t before = samples_count();
  void *block = gate_malloc(0);
  EXPECT_EQ(samples_count(), before);
  gate_free(block);
}

static void double_free(void *size) {
  sample_all();
  void *block = gate_malloc(*(size_t *)size);
  gate_free(block);
  gate_free(block);
}

TEST(SamplerTest, ADoubleFreeIsStopped) {
  for (size_t size = 100; size < 2 * MIB; size *= 100) {
    EXPECT_STOPS(double_free, &size, "hakmem: double free: pointer " ANY_POINTER ", .*");
  }
}

static void run_out(void *unused) {
  (void)unused;
  sample_all();
  unit_limit_memory(16 * MIB);
  size_t had = 0;
  while (gate_malloc(5000) != NULL) {
    had++;
  }
  EXPECT_GT(had, 100);
  EXPECT_EQ(gate_malloc(64 * MIB), NULL);
  unit_limit_memory(SIZE_MAX);
  void *block = gate_malloc(5000);
  EXPECT_NE(block, NULL);
  gate_free(block);
}

TEST(SamplerTest, WithoutMemoryThereIsNone) { EXPECT_RUNS(run_out, NULL, ""); }

static void in_the_child(void *block) {
  gate_free(block);
  block = gate_malloc(300);
  EXPECT_NE(block, NULL);
  gate_free(block);
}

TEST(SamplerTest, AChildOfForkFreesAndAllocates) {
  sample_all();
  void *block = gate_malloc(300);
  EXPECT_FORKS(in_the_child, block);
  gate_free(block);
}
