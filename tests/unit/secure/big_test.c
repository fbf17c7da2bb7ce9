/* big: blocks with a mapping, a canary and a guard page of their own. */
#include "secure/big.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/huge.h"
#include "config/config.h"
#include "os/fatal.h"
#include "os/lock.h"
#include "os/system.h"
#include "secure/checked_gate.h"
#include "unit/forks.h"
#include "unit/unit.h"

TEST(BigTest, AllOfItIsUsableAndZero) {
  for (size_t size = 33000; size <= 4 * MIB; size = size * 5 / 4) {
    unsigned char *block = big_allocate(size, 16);
    ASSERT_NE((uintptr_t)block, 0);
    size_t usable = big_usable_size(block, "test");
    ASSERT_EQ(usable, size);
    for (size_t i = 0; i < usable; i += 64) {
      ASSERT_EQ(block[i], 0);
    }
    memset(block, 0xEE, usable);
    ASSERT_TRUE(big_free(block));
  }
}

TEST(BigTest, IsAligned) {
  for (size_t alignment = 16; alignment <= 8 * MIB; alignment *= 2) {
    void *block = big_allocate(100, alignment);
    ASSERT_NE((uintptr_t)block, 0);
    ASSERT_EQ((uintptr_t)block % alignment, 0);
    ASSERT_TRUE(big_free(block));
  }
}

TEST(BigTest, KeepsItsBytesWhenItIsResized) {
  unsigned char *block = big_allocate(100 * KIB, 16);
  memset(block, 0x5A, 100 * KIB);
  EXPECT_EQ(big_resize(block, 3 * MIB), NULL); /* below a mebibyte it is moved by a copy */
  EXPECT_TRUE(big_free(block));
  block = big_allocate(MIB + 12345, 16);
  memset(block, 0x5A, 100 * KIB);
  for (size_t size = MIB + 20000; size <= 16 * MIB; size *= 2) {
    block = big_resize(block, size);
    ASSERT_NE((uintptr_t)block, 0);
    ASSERT_EQ(big_usable_size(block, "test"), size);
    for (size_t i = 0; i < 100 * KIB; i += 512) {
      ASSERT_EQ(block[i], 0x5A);
    }
    memset(block + 100 * KIB, 0x77, size - 100 * KIB);
  }
  block = big_resize(block, MIB + 150);
  ASSERT_NE((uintptr_t)block, 0);
  ASSERT_EQ(block[100 * KIB - 1], 0x5A);
  ASSERT_TRUE(big_free(block));
}

TEST(BigTest, ImpossibleSizesFail) {
  errno = 0;
  EXPECT_EQ((uintptr_t)big_allocate(SIZE_MAX, 16), 0);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ((uintptr_t)big_allocate(PTRDIFF_MAX, 16), 0);
  EXPECT_FALSE(big_is_possible(SIZE_MAX));
  EXPECT_FALSE(big_is_possible(PTRDIFF_MAX));
}

TEST(BigTest, IsNotHandedOutAgainAtOnce) {
  big_release_all();
  size_t others = huge_live_count();
  for (int i = 0; i < 50; i++) {
    void *block = big_allocate(100 * KIB, 16);
    big_free(block);
    void *next = big_allocate(100 * KIB, 16);
    ASSERT_NE((uintptr_t)next, (uintptr_t)block);
    big_free(next);
  }
  big_release_all();
  EXPECT_EQ(huge_live_count(), others);
}

static char *freed(void) {
  char *block = big_allocate(100 * KIB, 16);
  big_free(block);
  return block;
}

static void read_freed(void *unused) {
  (void)unused;
  *(volatile char *)freed();
}

static void write_behind(void *unused) {
  (void)unused;
  char *block = big_allocate(100 * KIB, 16);
  *(volatile char *)(block + 100 * KIB) = 1;
}

static void write_before(void *unused) {
  (void)unused;
  char *block = big_allocate(100 * KIB, 16);
  *(volatile char *)(block - 1) = 1;
}

static void write_before_by_one(void *unused) {
  (void)unused;
  char *block = big_allocate(100 * KIB + 1, 16);
  block[-1] ^= 1;
  big_free(block);
}

static void free_freed(void *unused) {
  (void)unused;
  big_free(freed());
}

TEST(BigTest, WhatIsFreeOrBehindIsOutOfBounds) {
  EXPECT_KILLED(read_freed, NULL, SIGSEGV);
  EXPECT_KILLED(write_behind, NULL, SIGSEGV);
  EXPECT_KILLED(write_before, NULL, SIGSEGV);
  EXPECT_STOPS(
      write_before_by_one, NULL,
      "hakmem: write before the start of a block: pointer " ANY_POINTER
      ", 1 bytes changed from byte -1 on, a block of 102401 bytes with a mapping of its own, thread " ANY_NUMBER "\n");
  EXPECT_STOPS(free_freed, NULL,
               "hakmem: double free: pointer " ANY_POINTER ", a block of " ANY_NUMBER
               " bytes with a mapping of its own, thread " ANY_NUMBER "\n");
}

/* ---- what the system refuses ---- */

/* The system's call, which a test may have refused, as it is for memory that is locked. */
static bool refusing;

int madvise(void *start, size_t bytes, int advice) {
  if (refusing && advice == MADV_DONTNEED) {
    errno = EINVAL;
    return -1;
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

static void come_back_zero(void *unused) {
  (void)unused;
  enum { SIZE = 300 * 1024 };
  option_set("retain_kib", 64 * 1024);
  big_release_all();
  refusing = true;
  unsigned char *block = big_allocate(SIZE, 16);
  memset(block, 0xEE, big_usable_size(block, "test"));
  ASSERT_TRUE(big_free(block));
  big_release_all();
  bool again = false;
  for (int i = 0; i < 3; i++) {
    unsigned char *next = big_allocate(SIZE, 16);
    size_t usable = big_usable_size(next, "test");
    again = again || next == block;
    for (size_t at = 0; at < usable; at++) {
      ASSERT_EQ(next[at], 0);
    }
    memset(next, 0xEE, usable);
  }
  EXPECT_TRUE(again);
  refusing = false;
}

TEST(BigTest, IsZeroAlsoWhereTheSystemCouldNotPurgeIt) { EXPECT_RUNS(come_back_zero, NULL, ""); }

/* ---- the stop ---- */

static void allocate_when_stopped(int number) {
  (void)number;
  unsigned char *block = big_allocate(200 * KIB, 16);
  notice("%u locks are held, %s", (unsigned)__builtin_popcount(lock_held_ranks()),
         block != NULL && big_free(block) ? "a block was had" : "no block was had");
}

static void free_twice_with_a_handler(void *unused) {
  (void)unused;
  signal(SIGABRT, allocate_when_stopped);
  free_freed(NULL);
}

static void overrun_with_a_handler(void *unused) {
  (void)unused;
  signal(SIGABRT, allocate_when_stopped);
  char *block = big_allocate(100 * KIB + 1, 16);
  block[100 * KIB + 1] ^= 1;
  big_free(block);
}

TEST(BigTest, TheProgramIsStoppedWithoutALock) {
  EXPECT_STOPS(free_twice_with_a_handler, NULL, "hakmem: double free: pointer .*\n0 locks are held, a block was had\n");
  EXPECT_STOPS(overrun_with_a_handler, NULL,
               "hakmem: write past the end of a block: pointer .*\n0 locks are held, a block was had\n");
}

/* ---- a lost thread ---- */

enum { FORKS = 60, HELD = 8 };

static unsigned char *held[HELD];
static atomic_bool torn, done;

static void use_all(void *unused) {
  (void)unused;
  enum { NEW = 24 };
  unsigned char *blocks[NEW];
  size_t live = huge_live_count();
  for (size_t i = 0; i < NEW; i++) {
    blocks[i] = big_allocate((i + 1) * 40 * KIB, 16);
    ASSERT_NE(blocks[i], NULL);
    size_t usable = big_usable_size(blocks[i], "test");
    for (size_t at = 0; at < usable; at += 64) {
      ASSERT_EQ(blocks[i][at], 0);
    }
    memset(blocks[i], 0xEE, usable);
  }
  for (size_t i = 0; i < NEW; i++) {
    ASSERT_TRUE(big_free(blocks[i]));
  }
  for (size_t i = 0; i < HELD; i++) {
    ASSERT_EQ(held[i][0], i + 1);
    ASSERT_EQ(held[i][100 * KIB - 1], i + 1);
    ASSERT_TRUE(big_free(held[i]));
  }
  big_release_all();
  EXPECT_LE(huge_live_count(), live - HELD); /* the quarantine is empty */
}

static void hold_some(void) {
  for (size_t i = 0; i < HELD; i++) {
    held[i] = big_allocate(100 * KIB, 16);
    memset(held[i], (int)(i + 1), 100 * KIB);
  }
}

static void hold_the_lock(void *unused) {
  (void)unused;
  lock_take(LOCK_BIG);
  atomic_store(&torn, true);
  while (!atomic_load(&done)) {
    sched_yield();
  }
  lock_drop(LOCK_BIG);
}

static void find_it_empty(void *live) {
  int on_stack;
  EXPECT_FALSE(big_free(&on_stack)); /* takes the lock, and ends the quarantine */
  EXPECT_EQ(huge_live_count(), (uintptr_t)live);
  use_all(NULL);
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread thread;
  big_release_all();
  hold_some();
  size_t live = huge_live_count();
  for (int i = 0; i < 10; i++) {
    freed();
  }
  EXPECT_EQ(huge_live_count(), live + 10);
  unit_start(&thread, hold_the_lock, NULL);
  while (!atomic_load(&torn)) {
    sched_yield();
  }
  EXPECT_FORKS(find_it_empty, (void *)live);
  atomic_store(&done, true);
  unit_join(&thread);
  EXPECT_EQ(huge_live_count(), live + 10);
}

TEST(BigTest, TheQuarantineOfALostThreadEnds) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_beside, NULL, "");
}

static void hammer(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  while (!atomic_load(&done)) {
    unsigned char *block = big_allocate((unit_below(&seed, 60) + 1) * 40 * KIB, 16);
    memset(block, 0xEE, 40 * KIB);
    unsigned char *moved = unit_below(&seed, 3) == 0 ? big_resize(block, (unit_below(&seed, 60) + 2) * 40 * KIB) : NULL;
    block = moved != NULL ? moved : block;
    ASSERT_EQ(block[0], 0xEE);
    ASSERT_TRUE(big_free(block));
  }
}

static void fork_often(void *unused) {
  (void)unused;
  hold_some();
  fork_beside_two(FORKS, hammer, &done, use_all, 1);
  use_all(NULL);
}

TEST(BigTest, AForkAtAnyMomentLeavesUsableBlocks) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_often, NULL, "");
}
