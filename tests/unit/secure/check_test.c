/* check: every block of the process is looked at, and what is damaged is found among all others. */
#include "secure/check.h"

#include <stdio.h>
#include <string.h>

#include "secure/asked.h"
#include "secure/fill.h"
#include "unit/forks.h"
#include "unit/unit.h"
#include "warm/process.h"

#define LINE_OF(what, bytes) LINE_OF_BY(what, bytes, "")
#define LINE_OF_BY(what, bytes, owner)                                                                                 \
  "hakmem: " what ": pointer " ANY_POINTER ", " bytes ", class of [0-9]+ bytes, slab " ANY_POINTER                     \
  ", thread " ANY_NUMBER owner "\n"

static const size_t sizes[] = {1, 8, 9, 24, 64, 100, 500, 1000, 1500, 4096, 10000, 32000};

enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(CheckTest, FindsNothingWhereNothingIsWrong) {
  enum { BLOCKS = 2000 };
  static void *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(i * 37 % 70000);
    memset(blocks[i], 0xEE, i * 37 % 70000);
  }
  size_t live = process_check();
  EXPECT_GE(live, BLOCKS * 9 / 10); /* but those of size 0 */
  for (size_t i = 0; i < BLOCKS; i += 2) {
    gate_free(blocks[i]);
  }
  EXPECT_GE(process_check(), BLOCKS / 4);
  for (size_t i = 1; i < BLOCKS; i += 2) {
    gate_free(blocks[i]);
  }
  release_free_memory(RELEASE_ALL);
  process_check();
}

/* ---- one byte ---- */

static char *block_of(size_t size) {
  static void *others[40]; /* live, so that the neighbours are */
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    others[i] = gate_malloc(size);
  }
  return others[20];
}

static void behind(void *size) {
  block_of(*(size_t *)size)[*(size_t *)size] ^= 1;
  process_check();
}

static void behind_at_exit(void *size) { block_of(*(size_t *)size)[*(size_t *)size] ^= 1; }

static void after_free(void *size) {
  char *block = block_of(*(size_t *)size);
  gate_free(block);
  block[*(size_t *)size / 20] ^= 1;
  process_check();
}

static void after_free_at_exit(void *size) {
  char *block = block_of(*(size_t *)size);
  gate_free(block);
  block[0] ^= 1;
}

TEST(CheckTest, OneByteBehindABlockIsFound) {
  for (size_t i = 0; i < SIZES; i++) {
    char bytes[64];
    snprintf(bytes, sizeof bytes, "1 bytes changed from byte %zu on", sizes[i]);
    char text[300];
    snprintf(text, sizeof text, LINE_OF("write past the end of a block", "%s"), bytes);
    EXPECT_STOPS(behind, (void *)&sizes[i], text);
    EXPECT_STOPS(behind_at_exit, (void *)&sizes[i], text);
  }
}

TEST(CheckTest, OneByteAfterFreeIsFound) {
  for (size_t i = 0; i < SIZES; i++) {
    EXPECT_STOPS(after_free, (void *)&sizes[i], LINE_OF("write after free", "1 bytes changed from byte [0-9]+ on"));
    EXPECT_STOPS(after_free_at_exit, (void *)&sizes[i], LINE_OF("write after free", "1 bytes changed from byte 0 on"));
  }
}

/* A block that has another one before it. */
static char *second_of(size_t size) {
  char *block = block_of(size);
  while (((uintptr_t)block & (UNIT_BYTES - 1)) == 0) {
    block = block_of(size);
  }
  return block;
}

static void before(void *size) {
  second_of(*(size_t *)size)[-1] ^= 1;
  process_check();
}

static void before_when_freed(void *size) {
  char *block = second_of(*(size_t *)size);
  block[-1] ^= 1;
  gate_free(block);
}

static void *given;
static void free_given(void *unused) {
  (void)unused;
  gate_free(given);
}

static void before_when_freed_by_another(void *size) {
  char *block = second_of(*(size_t *)size);
  block[-1] ^= 1;
  given = block;
  unit_in_thread(free_given, NULL);
}

TEST(CheckTest, OneByteBeforeABlockIsFound) {
  for (size_t i = 0; i < SIZES - 1; i++) { /* of the largest there is one in a slab */
    const char *text = LINE_OF("write before the start of a block", "1 bytes changed from byte -1 on");
    EXPECT_STOPS(before, (void *)&sizes[i], text);
    if (fill_is_whole(size_classes[gate_class(sizes[i])].stride)) { /* the others when all blocks are looked at */
      EXPECT_STOPS(before_when_freed, (void *)&sizes[i], text);
    }
    EXPECT_STOPS(before_when_freed_by_another, (void *)&sizes[i],
                 LINE_OF_BY("write before the start of a block", "1 bytes changed from byte -1 on",
                            ", owner thread " ANY_NUMBER));
  }
}

static void far(void *unused) {
  (void)unused;
  char *block = block_of(100);
  for (size_t i = 0; i < 130; i++) {
    block[i] ^= 0x55; /* each byte of the canary is another one; of new's or new[]'s one may be right */
  }
  process_check();
}

TEST(CheckTest, TheLineSaysHowFar) {
  EXPECT_STOPS(far, NULL, LINE_OF("write past the end of a block", "1[12] bytes changed from byte 100 on"));
}

static void behind_a_big_one(void *unused) {
  (void)unused;
  char *block = gate_malloc(100001);
  block[100001] ^= 1;
  process_check();
}

TEST(CheckTest, BigBlocksAreLookedAt) {
  EXPECT_STOPS(
      behind_a_big_one, NULL,
      "hakmem: write past the end of a block: pointer " ANY_POINTER
      ", 1 bytes changed from byte 100001 on, a block of 100001 bytes with a mapping of its own, thread " ANY_NUMBER
      "\n");
}

/* ---- what goes away ---- */

static void in_a_slab_that_ends(void *unused) {
  (void)unused;
  enum { BLOCKS = 3000 };
  static char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(200);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
  blocks[BLOCKS / 2][7] = 1;
  release_free_memory(RELEASE_ALL);
}

static void free_and_write(void *unused) {
  (void)unused;
  char *block = block_of(300);
  gate_free(block);
  block[7] = 1;
}

static void in_a_thread_that_ends(void *unused) {
  (void)unused;
  unit_in_thread(free_and_write, NULL);
}

TEST(CheckTest, WhatEndsIsLookedAtFirst) {
  const char *text = LINE_OF("write after free", "1 bytes changed from byte 7 on");
  EXPECT_STOPS(in_a_slab_that_ends, NULL, text);
  EXPECT_STOPS(in_a_thread_that_ends, NULL, text);
}

/* ---- beside others ---- */

static atomic_bool done;

static void churn(void *seed_value) {
  enum { SLOTS = 500 };
  uint64_t seed = (uintptr_t)seed_value;
  void *slots[SLOTS] = {NULL};
  while (!atomic_load(&done)) {
    size_t slot = unit_below(&seed, SLOTS);
    if (slots[slot] == NULL) {
      size_t size = unit_below(&seed, unit_below(&seed, 50) == 0 ? 100000 : 1100);
      slots[slot] = gate_malloc(size);
      memset(slots[slot], 0xEE, size);
    } else if (unit_below(&seed, 4) == 0) {
      size_t size = gate_usable_size(slots[slot], "test");
      size_t other = size + unit_below(&seed, 8);
      if (gate_serves(slots[slot], size, other)) {
        ASSERT_EQ(gate_usable_size(slots[slot], "test"), other);
      }
    } else {
      gate_free(slots[slot]);
      slots[slot] = NULL;
    }
    if (unit_below(&seed, 100000) == 0) {
      release_free_memory(RELEASE_ALL);
    }
  }
  for (size_t i = 0; i < SLOTS; i++) {
    gate_free(slots[i]);
  }
}

/* As many looks as there are in half a second. */
static void look_beside(void *unused) {
  (void)unused;
  struct unit_thread threads[4];
  for (uintptr_t i = 0; i < 4; i++) {
    unit_start(&threads[i], churn, (void *)(i + 1));
  }
  uint64_t end = os_milliseconds() + 1000;
  while (os_milliseconds() < end) {
    process_check();
  }
  atomic_store(&done, true);
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
  process_check();
}

TEST(CheckTest, NothingIsFoundWhileOthersGoOn) { EXPECT_RUNS(look_beside, NULL, ""); }

static void look(void *unused) {
  (void)unused;
  process_check();
  void *block = gate_malloc(100);
  gate_free(block);
  process_check();
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread threads[2];
  for (uintptr_t i = 0; i < 2; i++) {
    unit_start(&threads[i], churn, (void *)(i + 1));
  }
  for (size_t i = 0; i < 60; i++) {
    EXPECT_FORKS(look, NULL);
  }
  atomic_store(&done, true);
  for (size_t i = 0; i < 2; i++) {
    unit_join(&threads[i]);
  }
}

TEST(CheckTest, AChildOfForkFindsNothing) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_beside, NULL, "");
}

/* ---- among many ---- */

static void one_of_ten_million(void *unused) {
  (void)unused;
  enum { BLOCKS = 10000000 };
  char *last = NULL;
  for (size_t i = 0; i < BLOCKS; i++) {
    last = gate_malloc(8 + i % 3);
    ASSERT_NE(last, NULL);
  }
  uint64_t start = os_milliseconds();
  EXPECT_GE(process_check(), BLOCKS);
  uint64_t took = os_milliseconds() - start;
  EXPECT_LT(took, 1000);
  last[8 + (BLOCKS - 1) % 3] ^= 1;
  process_check();
}

TEST(CheckTest, OneByteAmongTenMillionBlocksIsFoundInASecond) {
  EXPECT_STOPS(one_of_ten_million, NULL,
               LINE_OF("write past the end of a block", "1 bytes changed from byte [0-9]+ on"));
}
