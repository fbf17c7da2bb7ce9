/* lock: a thread that has dropped one may rest before it does the next thing. Where two cores would need hours to show
 * what happens then, this binary's lock_drop rests now and then (--wrap=lock_drop), while many threads hand blocks to
 * each other, most of them large, and the pool is in parts. */
#include "os/lock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "cold/pool_parts.h"
#include "cold/pool_purge.h"
#include "cold/shared_pool.h"
#include "unit/unit.h"

enum {
  THREADS = 16,
  STEPS = UNIT_SANITIZED ? 4000 : 40000,
  SLOTS = 100,
  LEAST = 16,
  MOST = 400000,
  REST_EVERY = 32,
  REST_US = 100
};

static atomic_bool resting;
static _Thread_local uint64_t rest_seed;

void __real_lock_drop(enum lock_rank rank);
void __wrap_lock_drop(enum lock_rank rank);

void __wrap_lock_drop(enum lock_rank rank) {
  __real_lock_drop(rank);
  if (atomic_load(&resting) && unit_below(&rest_seed, REST_EVERY) == 0) {
    usleep(REST_US);
  }
}

/* A block begins with its size, and ends with its address. */
static _Atomic(size_t *) slots[SLOTS];

static size_t *block_end(size_t *block) { return block + *block / sizeof *block - 1; }

static size_t *mark(size_t *block, size_t bytes) {
  if (block != NULL) {
    *block = bytes;
    *block_end(block) = (uintptr_t)block;
  }
  return block;
}

static size_t draw_bytes(uint64_t *seed) {
  size_t most = unit_below(seed, 4) == 0 ? 4096 : MOST;
  return (LEAST + unit_below(seed, most)) & ~(sizeof(size_t) - 1);
}

static void end(size_t *block) {
  if (block != NULL) {
    ASSERT_TRUE(*block >= LEAST && *block < LEAST + MOST);
    ASSERT_EQ(*block_end(block), (uintptr_t)block);
    free(block);
  }
}

static void swap_blocks(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  rest_seed = seed << 8;
  for (int step = 0; step < STEPS; step++) {
    size_t bytes = draw_bytes(&seed);
    size_t *block = mark(malloc(bytes), bytes);
    if (block != NULL && unit_below(&seed, 8) == 0) {
      bytes = draw_bytes(&seed);
      block = mark(realloc(block, bytes), bytes);
    }
    ASSERT_NE(block, NULL);
    end(atomic_exchange(&slots[unit_below(&seed, SLOTS)], block));
    if (unit_below(&seed, STEPS / 4) == 0) {
      pool_unmap();
    }
  }
}

static void swap_in_parts(void *unused) {
  (void)unused;
  parts_raise(POOL_PARTS);
  atomic_store(&resting, true);
  struct unit_thread threads[THREADS];
  uint64_t seed = unit_seed() % 1000 + 1;
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], swap_blocks, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  atomic_store(&resting, false);
  for (size_t i = 0; i < SLOTS; i++) {
    end(atomic_load(&slots[i]));
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(LockPausesTest, WhatManyThreadsHandOverStaysWhole) { EXPECT_RUNS(swap_in_parts, NULL, ""); }
