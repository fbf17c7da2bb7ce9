/* forks: processes that fork beside busy threads, and what a child does to show that it works. */
#ifndef HAKMEM_TESTS_UNIT_FORKS_H
#define HAKMEM_TESTS_UNIT_FORKS_H

#include <stdatomic.h>
#include <string.h>

#include "cold/cold.h"
#include "hakmem.h"
#include "unit/unit.h"

#define SKIP_WITHOUT_FORKS                                                                                             \
  if (UNIT_THREAD_SANITIZED) {                                                                                         \
    SKIP("the sanitizer does not survive threads in the child of fork()");                                             \
  }

struct hammering {
  void (*hammer)(void *);
  void *seed;
  atomic_uint *begun;
};

static inline void begin_hammering(void *hammering_value) {
  const struct hammering *hammering = hammering_value;
  atomic_fetch_add(hammering->begun, 1);
  hammering->hammer(hammering->seed);
}

/* So many forks while two threads run hammer(seed) and hammer(seed + 1), which end once `done` is set. The children run
 * goes_on(seed), goes_on(seed + 1) and so on. Threads that are still beginning could hold locks of a sanitizer. */
static inline void fork_beside_two(unsigned forks, void (*hammer)(void *), atomic_bool *done, void (*goes_on)(void *),
                                   uint64_t seed) {
  struct unit_thread threads[2];
  struct hammering hammering[2];
  atomic_uint begun = 0;
  for (size_t i = 0; i < 2; i++) {
    hammering[i] = (struct hammering){hammer, (void *)(uintptr_t)(seed + i), &begun};
    unit_start(&threads[i], begin_hammering, &hammering[i]);
  }
  while (atomic_load(&begun) < 2) {
    os_yield();
  }
  for (size_t i = 0; i < forks; i++) {
    EXPECT_FORKS(goes_on, (void *)(uintptr_t)(seed + i));
  }
  atomic_store(done, true);
  for (size_t i = 0; i < 2; i++) {
    unit_join(&threads[i]);
  }
}

static inline void work(void *seed_value) {
  enum { SLOTS = 200 };
  struct {
    unsigned char *block;
    size_t size;
  } slots[SLOTS];
  memset(slots, 0, sizeof slots);
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < 5000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    if (slots[s].block != NULL) {
      ASSERT_EQ(slots[s].block[0], s);
      ASSERT_EQ(slots[s].block[slots[s].size - 1], s);
      hak_free(slots[s].block);
      slots[s].block = NULL;
    } else {
      size_t bits = unit_below(&seed, i % 100 == 0 ? 22 : 14);
      slots[s].size = unit_below(&seed, (size_t)1 << bits) + 1;
      slots[s].block = hak_malloc(slots[s].size);
      ASSERT_NE(slots[s].block, NULL);
      slots[s].block[0] = (unsigned char)s;
      slots[s].block[slots[s].size - 1] = (unsigned char)s;
    }
  }
  for (size_t s = 0; s < SLOTS; s++) {
    hak_free(slots[s].block);
  }
}

static inline void work_everywhere(void *seed) {
  work(seed);
  unit_in_thread(work, (void *)((uintptr_t)seed + 1));
  hak_collect();
  EXPECT_TRUE(pool_is_valid());
}

#endif
