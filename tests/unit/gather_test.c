/* gather: a magazine of other threads' blocks is begun, and makes way for another one. */
#include "warm/gather.h"

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/claim.h"
#include "warm/collect.h"
#include "warm/post.h"
#include "warm/take.h"
#include "warm/thread.h"

enum { LENT = 8, NARROW = 27 /* the class of 960 bytes */, WIDE = 28 /* of 1024 */, FEW = 100, TRIES_MOST = 4 * FEW };

static void *lent[2][LENT]; /* of two classes whose blocks share an entry, or do not */

static void lend(size_t size_class, void **blocks) {
  for (size_t i = 0; i < LENT; i++) {
    blocks[i] = gate_malloc_class(size_class);
  }
}

static struct home_entry *entry_of(const void *block) {
  return home_entry_of(thread_cache.heap->home, unit_tag_of(block));
}

/* The calling thread has a heap, though others have ended. */
static void start(void) {
  while (thread_heap() == NULL) {
    gate_free(gate_malloc(16));
  }
}

static void begin(void *block) { gather(thread_cache.heap, entry_of(block), block, unit_tag_of(block)); }

static void begin_one(void *unused) {
  (void)unused;
  start();
  struct home_entry *entry = entry_of(lent[0][0]);
  EXPECT_EQ(entry->tag, 0);
  begin(lent[0][0]);
  EXPECT_EQ(entry->tag, unit_tag_of(lent[0][0]));
  EXPECT_EQ(magazine_count(entry->top), 1);
  EXPECT_EQ((uintptr_t)*entry->top, (uintptr_t)lent[0][0]);
  EXPECT_TRUE(home_push(entry, lent[0][1]));
  EXPECT_EQ(magazine_count(entry->top), 2);
  heap_post(thread_cache.heap);
}

TEST(GatherTest, TheFirstBlockBeginsAMagazine) {
  lend(8, lent[0]);
  unit_in_thread(begin_one, NULL);
}

static void make_way(void *unused) {
  (void)unused;
  start();
  begin(lent[0][2]);
  struct home_entry *entry = entry_of(lent[0][2]);
  struct slab *slab = place_of(lent[0][2], 8).slab;
  unsigned index = place_of(lent[0][2], 8).index;
  gather(thread_cache.heap, entry, lent[1][0], unit_tag_of(lent[1][0])); /* as if they shared the entry */
  EXPECT_EQ(entry->tag, unit_tag_of(lent[1][0]));
  EXPECT_EQ(magazine_count(entry->top), 1);
  EXPECT_TRUE((atomic_load(&slab->remote[index / 64]) >> index % 64 & 1) != 0); /* the first one was posted */
  heap_post(thread_cache.heap);
}

TEST(GatherTest, AMagazineOfAnotherTagMakesWay) {
  lend(8, lent[0]);
  lend(WIDE, lent[1]);
  unit_in_thread(make_way, NULL);
}

/* The thread's magazine of the class is there, and has room for the block that was taken. */
static void make_room(size_t size_class) { EXPECT_NE(gate_malloc_class(size_class), NULL); }

static void fill_magazine(size_t size_class) {
  void *held[MAGAZINE_SLOTS];
  for (size_t i = 0; i < MAGAZINE_SLOTS; i++) {
    held[i] = gate_malloc_class(size_class);
  }
  for (size_t i = 0; magazine_room(thread_cache.top[size_class]) != 0; i++) {
    gate_free(held[i]);
  }
}

static void keep_here(void *unused) {
  (void)unused;
  start();
  begin(lent[0][0]);
  struct home_entry *entry = entry_of(lent[0][0]);
  make_room(WIDE);
  gather(thread_cache.heap, entry, lent[1][0], unit_tag_of(lent[1][0])); /* as if they shared the entry */
  EXPECT_EQ(entry->tag, unit_tag_of(lent[0][0]));
  EXPECT_EQ(magazine_count(entry->top), 1);
  EXPECT_EQ((uintptr_t)gate_malloc_class(WIDE), (uintptr_t)lent[1][0]);
  fill_magazine(WIDE);
  gather(thread_cache.heap, entry, lent[1][0], unit_tag_of(lent[1][0]));
  EXPECT_EQ(entry->tag, unit_tag_of(lent[1][0]));
  heap_post(thread_cache.heap);
}

TEST(GatherTest, TheOwnCacheTakesWhatWouldMakeAnotherMagazineGiveWay) {
  lend(8, lent[0]);
  lend(WIDE, lent[1]);
  unit_in_thread(keep_here, NULL);
}

/* How many of the blocks that were lent are among the thread's next ones, so many of the class. */
static size_t come_back(size_t size_class, void *const *blocks, size_t tries) {
  static void *taken[TRIES_MOST];
  size_t came = 0;
  for (size_t i = 0; i < tries; i++) {
    taken[i] = gate_malloc_class(size_class);
    for (size_t j = 0; j < LENT; j++) {
      came += taken[i] == blocks[j];
    }
  }
  for (size_t i = 0; i < tries; i++) {
    gate_free(taken[i]);
  }
  return came;
}

static size_t live_of(size_t size_class) { return live_in_heap(thread_cache.heap, size_class); }

static void use(void *unused) {
  (void)unused;
  start();
  for (size_t i = 0; i < LENT; i++) {
    gate_free(lent[0][i]);
    gate_free(lent[1][i]);
  }
  EXPECT_EQ(come_back(WIDE, lent[1], FEW), 0); /* in a small heap */
  static void *many[2 * MIB / 512];
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
    many[i] = gate_malloc(512);
  }
  EXPECT_EQ(come_back(NARROW, lent[0], TRIES_MOST), 0);
  EXPECT_EQ(come_back(WIDE, lent[1], 2 * FEW), LENT);
  EXPECT_EQ(come_back(WIDE, lent[1], FEW), 0); /* its own come first */
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
    gate_free(many[i]);
  }
}

TEST(GatherTest, WhatIsGatheredServesBeforeTheHeapGrows) {
  lend(NARROW, lent[0]);
  lend(WIDE, lent[1]);
  size_t narrow = live_of(NARROW);
  size_t wide = live_of(WIDE);
  unit_in_thread(use, NULL);
  heap_collect(thread_cache.heap); /* they were the other's all the time, and have come home */
  EXPECT_EQ(live_of(WIDE), wide - LENT);
  EXPECT_EQ(live_of(NARROW), narrow - LENT);
}

enum { PAIR = 2 };
static void *theirs[3][PAIR]; /* of three heaps, of one class */

static void take_of_three(void *unused) {
  (void)unused;
  start();
  struct thread_heap *heap = thread_cache.heap;
  begin(theirs[0][0]);
  begin(theirs[1][0]);
  EXPECT_TRUE(home_push(entry_of(theirs[1][0]), theirs[1][1]));
  EXPECT_EQ((uintptr_t)gather_take(heap, NARROW), 0);
  begin(theirs[2][0]);
  void **top = gather_take(heap, NARROW);
  ASSERT_TRUE(top != NULL);
  EXPECT_EQ((uintptr_t)*top, (uintptr_t)theirs[1][1]); /* the fullest */
  EXPECT_EQ(magazine_count(top), 2);
  EXPECT_EQ((uintptr_t)gather_take(heap, NARROW), 0);
  heap_post_blocks(heap, NARROW, top);
  depot_give_empty(&heap->depot, magazine_of(top));
  heap_post(heap);
}

TEST(GatherTest, SmallBlocksOfThreeOwnersServe) {
  for (size_t i = 0; i < 3; i++) {
    struct thread_heap *owner = heap_new();
    for (size_t j = 0; j < PAIR; j++) {
      ASSERT_EQ(heap_grow(owner, NARROW, &theirs[i][j], 1), 1);
    }
  }
  unit_in_thread(take_of_three, NULL);
}

/* ---- stealing ---- */

enum { HOME = 256 };

static void *home[2][HOME]; /* blocks of the main thread that come home to it */

static void send_home(void *unused) {
  (void)unused;
  start();
  for (size_t i = 0; i < HOME; i++) {
    gate_free(home[0][i]);
    gate_free(home[1][i]);
  }
  heap_post(thread_cache.heap);
}

/* Whether a block of the main thread's is among the thread's next ones, until the heap has grown. */
static bool steals(size_t size_class) {
  static void *taken[2 * MIB / 512];
  const size_t most = sizeof taken / sizeof *taken;
  uint32_t owner = unit_tag_owner(unit_tag_of(home[1][0]));
  size_t count = 0;
  bool stolen = false;
  while (count < most && !stolen) {
    taken[count] = gate_malloc_class(size_class);
    stolen = unit_tag_owner(unit_tag_of(taken[count++])) == owner;
  }
  for (size_t i = 0; i < count; i++) {
    gate_free(taken[i]);
  }
  return stolen;
}

static void steal_for_growth(void *unused) {
  (void)unused;
  start();
  EXPECT_FALSE(steals(NARROW)); /* they are small, and the heap is large by then */
  EXPECT_TRUE(steals(WIDE));
}

TEST(GatherTest, WhatCameHomeToAnotherServesBeforeTheHeapGrows) {
  start();
  size_t narrow = live_of(NARROW);
  size_t wide = live_of(WIDE);
  for (size_t i = 0; i < HOME; i++) {
    home[0][i] = gate_malloc_class(NARROW);
    home[1][i] = gate_malloc_class(WIDE);
  }
  unit_in_thread(send_home, NULL);
  EXPECT_FALSE(home_stack_is_empty(&thread_cache.heap->returned));
  unit_in_thread(steal_for_growth, NULL);
  heap_collect(thread_cache.heap); /* the thread has ended, and sent them all home */
  EXPECT_EQ(live_of(WIDE), wide);
  EXPECT_EQ(live_of(NARROW), narrow);
}

static void for_an_orphan(void *holder) {
  start();
  struct thread_heap *orphan = holder;
  heap_give(orphan);
  begin(lent[0][0]);
  struct home_entry *entry = entry_of(lent[0][0]);
  EXPECT_TRUE(entry->small);
  size_t few = 4 * KIB / size_classes[WIDE].stride;
  for (size_t i = 1; i < few; i++) {
    EXPECT_TRUE(home_push(entry, lent[0][i]));
  }
  EXPECT_FALSE(home_push(entry, lent[0][few]));
  gather(thread_cache.heap, entry, lent[0][few], unit_tag_of(lent[0][few]));
  EXPECT_TRUE(home_stack_is_empty(&orphan->returned)); /* the first ones were posted, and may be collected by now */
  EXPECT_EQ(magazine_count(entry->top), 1);
  EXPECT_EQ(live_in_heap(orphan, WIDE), LENT - few);
  heap_post(thread_cache.heap);
  EXPECT_EQ(heap_claim_this(orphan), orphan);
}

TEST(GatherTest, FewBlocksWaitForAHeapThatNobodyHas) {
  struct thread_heap *orphan = heap_new();
  for (unsigned had = 0; had < LENT;) {
    unsigned more = heap_grow(orphan, WIDE, &lent[0][LENT - 1 - had], LENT - had);
    ASSERT_GT(more, 0);
    had += more;
  }
  unit_in_thread(for_an_orphan, orphan);
}

static void twice_in_a_row(void *unused) {
  (void)unused;
  start();
  begin(lent[0][0]);
  begin(lent[0][0]);
}

static void into_the_own_cache(void *unused) {
  (void)unused;
  start();
  begin(lent[1][0]);
  make_room(8);
  gather(thread_cache.heap, entry_of(lent[1][0]), lent[0][0], unit_tag_of(lent[0][0]));
  gather(thread_cache.heap, entry_of(lent[1][0]), lent[0][0], unit_tag_of(lent[0][0]));
}

static void after_it_was_posted(void *unused) {
  (void)unused;
  start();
  begin(lent[0][0]);
  heap_post(thread_cache.heap);
  begin(lent[0][0]);
}

static void in_thread(void *body) { unit_in_thread((void (*)(void *))(uintptr_t)body, NULL); }

TEST(GatherTest, ABlockThatIsFreedTwiceStopsTheProgram) {
  lend(8, lent[0]);
  lend(WIDE, lent[1]);
  EXPECT_STOPS(in_thread, (void *)(uintptr_t)twice_in_a_row, "hakmem: double free: .*");
  EXPECT_STOPS(in_thread, (void *)(uintptr_t)into_the_own_cache, "hakmem: double free: .*");
  EXPECT_STOPS(in_thread, (void *)(uintptr_t)after_it_was_posted, "hakmem: double free: .*");
}
