/* remote: blocks freed by threads that do not own them; every bit arrives once. */
#include "warm/remote.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "cold/shared_pool.h"
#include "hakmem.h"
#include "os/fatal.h"
#include "unit/unit.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/take.h"
#include "warm/warm.h"

static struct slab *new_slab(struct thread_heap *heap, size_t size_class) {
  struct slab *slab = pool_take(size_classes[size_class].units, USE_PARTS);
  if (slab == NULL || !slab_bind(slab, size_class, heap, heap->link.owner)) {
    fatal("no memory for a test");
  }
  return slab;
}

/* Takes every block, so that any of them may be posted. */
static void take_all(struct slab *slab) {
  static void *slots[UNIT_BYTES / 8];
  void **last = &slots[UNIT_BYTES / 8 - 1];
  while (slab_take(slab, last, 64) > 0 || (!slab_is_carved(slab) && slab_carve(slab, last, 64) > 0)) {
  }
}

TEST(RemoteTest, TheTokenHasOneHolder) {
  struct slab slab = {0};
  EXPECT_TRUE(remote_token_take(&slab));
  EXPECT_FALSE(remote_token_take(&slab));
  remote_token_give(&slab);
  EXPECT_TRUE(remote_token_take(&slab));
}

TEST(RemoteTest, OnlyTheFirstPostPublishes) {
  struct thread_heap *heap = heap_new();
  struct slab *slab = new_slab(heap, size_class_of(64));
  take_all(slab);
  EXPECT_TRUE(remote_post(slab, 0, 1));
  EXPECT_FALSE(remote_post(slab, 0, 2));
  EXPECT_FALSE(remote_post(slab, 3, 0xFF));
  EXPECT_EQ(atomic_load(&slab->remote[0]), 3);
  EXPECT_EQ(atomic_load(&slab->remote[3]), 0xFF);
  EXPECT_FALSE(remote_token_take(slab)); /* a slab that is to be queued can be neither released nor moved */

  remote_token_give(slab);
  EXPECT_EQ(slab_collect(slab), 10);
  EXPECT_TRUE(remote_post(slab, 1, 1)); /* what comes after the collection publishes anew */
}

TEST(RemoteTest, AReleasedSlabPublishesNothing) {
  struct thread_heap *heap = heap_new();
  struct slab *slab = new_slab(heap, size_class_of(64));
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  EXPECT_FALSE(remote_token_take(slab)); /* who posted its last bits and looks at the token only now */
  pool_give(slab);
}

TEST(RemoteTest, TheQueueGivesAllNewestFirst) {
  struct remote_queue queue = {NULL};
  struct slab slabs[5];
  memset(slabs, 0, sizeof slabs);
  EXPECT_TRUE(remote_queue_is_empty(&queue));
  EXPECT_EQ(remote_queue_take(&queue), NULL);
  for (size_t i = 0; i < 5; i++) {
    EXPECT_TRUE(remote_token_take(&slabs[i]));
    remote_enqueue(&queue, &slabs[i]);
    EXPECT_FALSE(remote_queue_is_empty(&queue));
  }
  struct slab *slab = remote_queue_take(&queue);
  EXPECT_TRUE(remote_queue_is_empty(&queue));
  for (size_t i = 5; i-- > 0; slab = slab->queue_next) {
    ASSERT_EQ(slab, &slabs[i]);
  }
  EXPECT_EQ(slab, NULL);
}

static void post_twice(void *unused) {
  (void)unused;
  struct slab *slab = new_slab(heap_new(), size_class_of(64));
  take_all(slab);
  remote_post(slab, 2, 6);
  notice("block %p slab %p thread %ld", slab_start(slab) + 130 * 64, slab_start(slab), os_thread_id());
  remote_post(slab, 2, 12);
}

TEST(RemoteTest, ABitThatIsPostedTwiceIsADoubleFree) {
  EXPECT_STOPS(post_twice, NULL,
               "block (" ANY_POINTER ") slab (" ANY_POINTER ") thread (" ANY_NUMBER ")\n"
               "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
}

/* ---- many threads, one token ---- */

enum { ROUNDS = 20000, TAKERS = 4 };

static struct {
  struct slab slab;
  _Atomic unsigned holders, won;
} contest;

static void contend(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    if (remote_token_take(&contest.slab)) {
      ASSERT_EQ(atomic_fetch_add(&contest.holders, 1), 0);
      atomic_fetch_add(&contest.won, 1);
      ASSERT_EQ(atomic_fetch_sub(&contest.holders, 1), 1);
      remote_token_give(&contest.slab);
    }
  }
}

TEST(RemoteTest, TheTokenHasOneHolderAmongManyThreads) {
  struct unit_thread threads[TAKERS];
  for (size_t i = 0; i < TAKERS; i++) {
    unit_start(&threads[i], contend, NULL);
  }
  for (size_t i = 0; i < TAKERS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(atomic_load(&contest.holders), 0);
  EXPECT_GT(atomic_load(&contest.won), 0);
}

/* ---- the last bit ----
 *
 * One thread posts bit after bit while the owner collects. Whatever the moment at which the last of them comes, it is
 * collected at the latest when the poster has said that it is done. */

enum { AT_ONCE_ROUNDS = 1000000 };

static struct {
  struct slab *slab;
  _Atomic unsigned lost;
} at_once;

/* One bit of a word, time and again, while another thread does the same with its own. */
static void post_one_bit(void *number) {
  const uint64_t bit = UINT64_C(1) << (uintptr_t)number;
  for (int round = 0; round < AT_ONCE_ROUNDS && atomic_load(&at_once.lost) == 0; round++) {
    (void)remote_post(at_once.slab, 0, bit);
    if ((atomic_fetch_and(&at_once.slab->remote[0], ~bit) & bit) == 0) {
      atomic_fetch_add(&at_once.lost, 1);
    }
  }
}

TEST(RemoteTest, BitsPostedAtOnceAllArrive) {
  at_once.slab = new_slab(heap_new(), size_class_of(64));
  take_all(at_once.slab);
  struct unit_thread posters[2];
  for (uintptr_t i = 0; i < 2; i++) {
    unit_start(&posters[i], post_one_bit, (void *)i);
  }
  for (int i = 0; i < 2; i++) {
    unit_join(&posters[i]);
  }
  EXPECT_EQ(atomic_load(&at_once.lost), 0);
}

enum { LAST_ROUNDS = 20000, BITS = 15 };

static struct {
  struct slab *slab;
  unsigned first;
  _Atomic int round, posted_round;
} last;

static void post_bit_by_bit(void *unused) {
  (void)unused;
  for (int round = 1; round <= LAST_ROUNDS; round++) {
    while (atomic_load(&last.round) < round) {
      sched_yield();
    }
    for (unsigned i = 0; i < BITS; i++) {
      heap_post_bits(NULL, last.slab, 0, UINT64_C(1) << (last.first + i));
    }
    atomic_store(&last.posted_round, round);
  }
}

TEST(RemoteTest, TheLastBitIsNeverLost) {
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(4096); /* one word of bits */
  void *slot[BITS + 1];
  unsigned taken = 0;
  while (taken <= BITS) {
    taken += heap_grow(heap, size_class, &slot[taken], 1);
  }
  last.slab = place_of(slot[0], size_class).slab;
  last.first = place_of(slot[1], size_class).index; /* the first block stays, so that the slab does */
  atomic_store(&last.round, 0);
  atomic_store(&last.posted_round, 0);
  struct unit_thread poster;
  unit_start(&poster, post_bit_by_bit, NULL);
  for (int round = 1; round <= LAST_ROUNDS; round++) {
    atomic_store(&last.round, round);
    for (unsigned spins = 1; atomic_load(&last.posted_round) < round; spins++) {
      heap_collect(heap);
      if (spins % 256 == 0) {
        sched_yield();
      }
    }
    heap_collect(heap);
    unsigned had = heap_take(heap, size_class, &slot[BITS], BITS);
    if (had != BITS) {
      EXPECT_EQ(had, BITS);
      atomic_store(&last.round,
                   LAST_ROUNDS); /* let the poster end; what it posts twice from here on stops the program */
      break;
    }
  }
  unit_join(&poster);
}

/* ---- owners that allocate, release and bind anew; posters that free ----
 *
 * Every block says in its first word whether it is live. It is handed out only when it is not, and freed only when it
 * is: a bit that was collected twice shows as a block handed out twice, a bit that was lost as a slab that never
 *     becomes empty. */

enum { OWNERS = 2, POSTERS = 2, PHASES = 500, WAVE = 4000, LINE = 1 << 15 };

static const uint64_t is_live = 0x4C495645;

struct line {
  pthread_mutex_t mutex;
  void *blocks[LINE];
  size_t first, end;
  bool closed;
};

static struct line lines[POSTERS] = {{.mutex = PTHREAD_MUTEX_INITIALIZER}, {.mutex = PTHREAD_MUTEX_INITIALIZER}};

static void line_put(struct line *line, void *const *blocks, size_t count) {
  for (size_t put = 0; put < count;) {
    pthread_mutex_lock(&line->mutex);
    for (; put < count && line->end - line->first < LINE; put++) {
      line->blocks[line->end++ % LINE] = blocks[put];
    }
    pthread_mutex_unlock(&line->mutex);
    if (put < count) {
      sched_yield(); /* where others are busy, this may take their turns' time */
    }
  }
}

/* Up to `want` blocks; 0 when the line is closed. */
static size_t line_take(struct line *line, void **blocks, size_t want) {
  for (;; sched_yield()) {
    size_t taken = 0;
    pthread_mutex_lock(&line->mutex);
    while (taken < want && line->first < line->end) {
      blocks[taken++] = line->blocks[line->first++ % LINE];
    }
    bool closed = line->closed;
    pthread_mutex_unlock(&line->mutex);
    if (taken > 0 || closed) {
      return taken;
    }
  }
}

struct owner {
  struct thread_heap *heap;
  uint64_t seed;
  size_t handed_out;
};

static void allocate(void *argument) {
  static const size_t classes[] = {1, 4, 9, 20, 26, 29, 36};
  struct owner *owner = argument;
  for (int phase = 0; phase < PHASES; phase++) {
    size_t size_class = classes[unit_below(&owner->seed, sizeof classes / sizeof classes[0])];
    size_t wave = size_classes[size_class].stride > 4096 ? WAVE / 40 : WAVE;
    for (size_t out = 0; out < wave;) {
      void *blocks[64];
      unsigned had = heap_take(owner->heap, size_class, &blocks[63], 64);
      had = had > 0 ? had : heap_grow(owner->heap, size_class, &blocks[63], 64);
      ASSERT_GT(had, 0);
      for (unsigned i = 64 - had; i < 64; i++) {
        ASSERT_NE(atomic_exchange((_Atomic uint64_t *)blocks[i], is_live), is_live);
      }
      line_put(&lines[unit_below(&owner->seed, POSTERS)], &blocks[64 - had], had);
      out += had;
      owner->handed_out += had;
      if (unit_below(&owner->seed, 8) == 0) {
        heap_collect(owner->heap);
      }
    }
    if (phase % 4 == 3) {
      heap_drain(owner->heap); /* units go back to the shared pool, for the other owner */
    }
  }
}

struct poster {
  struct line *line;
  bool gathers;
  size_t freed;
};

static void post(void *argument) {
  struct poster *poster = argument;
  if (poster->gathers) {
    hak_free(hak_malloc(1)); /* a heap of its own, in whose words it gathers */
  }
  void *blocks[100];
  size_t count;
  while ((count = line_take(poster->line, blocks, 100)) > 0) {
    for (size_t i = 0; i < count; i++) {
      ASSERT_EQ(atomic_exchange((_Atomic uint64_t *)blocks[i], 0), is_live);
      if (poster->gathers) {
        free_remote(blocks[i]);
      } else {
        struct place place = place_of(blocks[i], unit_tag_class(unit_tag_of(blocks[i])));
        heap_post_bits(NULL, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
      }
    }
    poster->freed += count;
  }
}

TEST(RemoteTest, EveryBitArrivesOnceWhileSlabsAreReleasedAndBoundAnew) {
  uint64_t seed = unit_seed();
  struct owner owners[OWNERS];
  struct poster posters[POSTERS];
  struct unit_thread owner_threads[OWNERS], poster_threads[POSTERS];
  for (size_t i = 0; i < POSTERS; i++) {
    posters[i] = (struct poster){&lines[i], i % 2 == 0, 0};
    lines[i].closed = false;
    unit_start(&poster_threads[i], post, &posters[i]);
  }
  for (size_t i = 0; i < OWNERS; i++) {
    owners[i] = (struct owner){heap_new(), seed + i, 0};
    unit_start(&owner_threads[i], allocate, &owners[i]);
  }
  for (size_t i = 0; i < OWNERS; i++) {
    unit_join(&owner_threads[i]);
  }
  for (size_t i = 0; i < POSTERS; i++) {
    pthread_mutex_lock(&lines[i].mutex);
    lines[i].closed = true;
    pthread_mutex_unlock(&lines[i].mutex);
    unit_join(&poster_threads[i]);
  }
  EXPECT_EQ(posters[0].freed + posters[1].freed, owners[0].handed_out + owners[1].handed_out);
  for (size_t i = 0; i < OWNERS; i++) {
    struct thread_heap *heap = owners[i].heap;
    heap_drain(heap);
    EXPECT_EQ(heap->bound_bytes, 0);
    EXPECT_TRUE(remote_queue_is_empty(&heap->queue));
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      struct heap_census census = heap_census(heap, size_class);
      EXPECT_EQ(census.capacity, 0);
      EXPECT_EQ(census.remote, 0);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}
