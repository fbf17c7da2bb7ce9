/* cpu_section: four operations on a row of magazines. Here on an area that the kernel does not know, which every
 * processor and emulator runs; cpu_cache_test has those that are abandoned. */
#include "warm/cpu_section.h"

#include <string.h>

#include "unit/unit.h"
#include "warm/magazine.h"

#if HAKMEM_CPU_CACHES

static struct cpu_row table[2][CPU_ROWS];
static struct cpu_row *in_use = table[0];
static struct cpu_area area;
static _Alignas(MAGAZINE_BYTES) void *magazine[MAGAZINE_SLOTS];
static char block[MAGAZINE_SLOTS];

enum { CLASS = 7, HOLDS = 5, ROW = 200 };

static struct cpu_place row(uint32_t number) {
  area.cpu_id = number;
  area.mm_cid = number + 1;
  return (struct cpu_place){&area, offsetof(struct cpu_area, cpu_id), &in_use};
}

/* A magazine that may hold so many, empty. */
static void **bottom_of_empty(void) {
  void **bottom = magazine_bottom(magazine, HOLDS);
  *bottom = NULL;
  return bottom;
}

TEST(CpuSectionTest, ARowWithoutAMagazineTakesAndHasNothing) {
  struct cpu_place place = row(ROW);
  for (size_t c = 0; c < SIZE_CLASS_COUNT; c++) {
    EXPECT_EQ(cpu_section_pop(place, c), NULL);
    EXPECT_FALSE(cpu_section_push(place, c, block));
    EXPECT_EQ(cpu_section_take(place, c), NULL);
  }
}

TEST(CpuSectionTest, BlocksComeBackInTheOrderOfAStack) {
  struct cpu_place place = row(ROW);
  void **bottom = bottom_of_empty();
  EXPECT_TRUE(cpu_section_give(place, CLASS, bottom));
  EXPECT_EQ(in_use[ROW].top[CLASS], bottom);
  EXPECT_EQ(cpu_section_pop(place, CLASS), NULL);
  for (size_t i = 0; i < HOLDS; i++) {
    EXPECT_TRUE(cpu_section_push(place, CLASS, &block[i]));
    EXPECT_EQ(bottom[i + 1], &block[i]);
    EXPECT_EQ(in_use[ROW].top[CLASS], bottom + i + 1);
  }
  EXPECT_FALSE(cpu_section_push(place, CLASS, &block[HOLDS])); /* it is full */
  EXPECT_EQ(in_use[ROW].top[CLASS], magazine_full_top(magazine));
  for (size_t i = HOLDS; i-- > 0;) {
    EXPECT_EQ(cpu_section_pop(place, CLASS), &block[i]);
  }
  EXPECT_EQ(cpu_section_pop(place, CLASS), NULL);
  EXPECT_EQ(cpu_section_take(place, CLASS), bottom);
  EXPECT_EQ(in_use[ROW].top[CLASS], NULL);
}

TEST(CpuSectionTest, TheBlockOnTopIsNotTakenTwice) {
  struct cpu_place place = row(ROW);
  EXPECT_TRUE(cpu_section_give(place, CLASS, bottom_of_empty()));
  EXPECT_TRUE(cpu_section_push(place, CLASS, &block[1]));
  EXPECT_FALSE(cpu_section_push(place, CLASS, &block[1]));
  EXPECT_TRUE(cpu_section_push(place, CLASS, &block[2]));
  EXPECT_TRUE(cpu_section_push(place, CLASS, &block[1])); /* that only its slab knows */
  EXPECT_EQ(magazine_count(cpu_section_take(place, CLASS)), 3);
}

TEST(CpuSectionTest, ARowHasOneMagazineOfAClass) {
  struct cpu_place place = row(ROW);
  static _Alignas(MAGAZINE_BYTES) void *other[MAGAZINE_SLOTS];
  void **bottom = bottom_of_empty();
  EXPECT_TRUE(cpu_section_give(place, CLASS, bottom));
  EXPECT_FALSE(cpu_section_give(place, CLASS, &other[10]));
  EXPECT_TRUE(cpu_section_give(place, CLASS + 1, &other[10]));
  EXPECT_EQ(cpu_section_take(place, CLASS), bottom);
  EXPECT_EQ(cpu_section_take(place, CLASS + 1), &other[10]);
  EXPECT_EQ(cpu_section_take(place, CLASS + 1), NULL);
}

TEST(CpuSectionTest, TheNumberSaysWhichRow) {
  for (uint32_t number = 0; number < CPU_ROWS; number += 51) {
    for (size_t set = 0; set < 2; set++) {
      struct cpu_place place = row(number);
      in_use = table[set];
      EXPECT_TRUE(cpu_section_give(place, CLASS, bottom_of_empty()));
      EXPECT_EQ(table[set][number].top[CLASS], magazine_bottom(magazine, HOLDS));
      in_use = table[1 - set];
      EXPECT_EQ(cpu_section_take(place, CLASS), NULL);
      in_use = table[set];
      place = row(number - 1); /* another thread's CPU */
      EXPECT_EQ(cpu_section_take(place, CLASS), NULL);
      place.number = offsetof(struct cpu_area, mm_cid);
      EXPECT_NE(cpu_section_take(place, CLASS), NULL);
    }
  }
  in_use = table[0];
}

TEST(CpuSectionTest, ACpuBeyondTheRowsHasNone) {
  static const uint32_t numbers[] = {CPU_ROWS, CPU_ROWS + 1, 1 << 20, UINT32_MAX, (uint32_t)-2};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct cpu_place place = row(numbers[i]);
    EXPECT_FALSE(cpu_section_give(place, CLASS, bottom_of_empty()));
    EXPECT_FALSE(cpu_section_push(place, CLASS, block));
    EXPECT_EQ(cpu_section_pop(place, CLASS), NULL);
    EXPECT_EQ(cpu_section_take(place, CLASS), NULL);
  }
}

/* What the kernel reads: bounds, and a place to go to that lies outside and follows the C library's word. */
TEST(CpuSectionTest, TheKernelIsToldOfEachSection) {
  struct cpu_place place = row(ROW);
  static uint64_t seen[4];
  cpu_section_pop(place, CLASS);
  seen[0] = area.section;
  cpu_section_push(place, CLASS, block);
  seen[1] = area.section;
  cpu_section_take(place, CLASS);
  seen[2] = area.section;
  cpu_section_give(place, CLASS, NULL);
  seen[3] = area.section;
  for (size_t i = 0; i < 4; i++) {
    const uint64_t *told = (const uint64_t *)(uintptr_t)seen[i]; // NOLINT(performance-no-int-to-ptr)
    EXPECT_EQ((uintptr_t)told % 32, 0);
    EXPECT_EQ(told[0], 0); /* version and flags */
    uint64_t begin = told[1];
    uint64_t length = told[2];
    uint64_t abandoned = told[3];
    EXPECT_GT(length, 0);
    EXPECT_LT(length, 200);
    EXPECT_TRUE(abandoned < begin || abandoned >= begin + length);
    uint32_t word;
    memcpy(&word, (const void *)(uintptr_t)(abandoned - 4), sizeof word); // NOLINT(performance-no-int-to-ptr)
#if defined(__x86_64__)
    EXPECT_EQ(word, 0x53053053);
#else
    EXPECT_EQ(word, 0xd428bc00);
#endif
    for (size_t j = 0; j < i; j++) {
      EXPECT_NE(seen[i], seen[j]);
    }
  }
}

#else

TEST(CpuSectionTest, IsAbsent) { SKIP("no processor, or no build, of those that have it"); }

#endif
