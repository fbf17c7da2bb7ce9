/* lost_threads: in the child of fork(), the heaps of the threads that it does not have.
 *
 * Each test makes, in a child, what lost threads may have left, and has it mended as the child would. */
#include "warm/lost_threads.h"

#include <string.h>

#include "hakmem.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/put.h"
#include "warm/thread.h"

static void *blocks[64];

static const size_t classes[] = {4, 20, 52};
enum { CLASSES = 3, NARROW = 20, WIDE = SIZE_CLASS_SMALL_COUNT - 1, TAKEN = 6 };

/* ---- heaps ---- */

static void mend_each_state(void *unused) {
  (void)unused;
  struct thread_heap *mine = thread_heap();
  struct thread_heap *owned = new_heap();
  struct thread_heap *changing = heap_new();
  struct thread_heap *orphan = heap_new();
  static struct thread_cache cache;
  cache = thread_cache;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    cache.top[size_class] = no_magazine_top();
  }
  for (size_t i = 0; i < CLASSES; i++) {
    void **bottom = empty_magazine(owned, classes[i]);
    EXPECT_EQ(take(owned, classes[i], bottom + 1, 2), 2);
    cache.top[classes[i]] = bottom + 2;
  }
  cache.heap = owned;
  owned->cache = &cache;
  heap_give(orphan);
  critical_leave(); /* that of the thread that is changing its heap */
  heap_leave(owned);
  EXPECT_EQ(critical_depth, 0);

  lost_threads_mend(mine);
  EXPECT_EQ(heap_state_of(&mine->link), HEAP_OWNED);
  EXPECT_EQ(mine->cache, &thread_cache);
  EXPECT_EQ(heap_state_of(&owned->link), HEAP_LOST);
  EXPECT_EQ(owned->cache, NULL);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(owned->lost_top[size_class], cache.top[size_class]);
    EXPECT_EQ(changing->lost_top[size_class], no_magazine_top());
  }
  EXPECT_EQ(heap_state_of(&changing->link), HEAP_TORN);
  EXPECT_EQ(heap_state_of(&orphan->link), HEAP_ORPHAN);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    EXPECT_TRUE(link == &mine->link || heap_has_nobody(link));
  }
  /* All of them may be had, and what was cached is back. */
  EXPECT_EQ(heap_claim_this(owned), owned);
  EXPECT_EQ(owned->bound_bytes, 0);
  EXPECT_EQ(heap_claim_this(changing), changing);
  EXPECT_EQ(heap_claim_this(orphan), orphan);
  EXPECT_EQ(heap_claim_this(mine), NULL);
}

TEST(LostThreadsTest, EveryHeapButTheCallersHasNobody) { EXPECT_FORKS(mend_each_state, NULL); }

static void mend_without_a_heap(void *unused) {
  (void)unused;
  lost_threads_mend(NULL);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    EXPECT_TRUE(heap_has_nobody(link));
  }
}

static void fork_without_a_heap(void *unused) {
  (void)unused;
  EXPECT_EQ(thread_cache.heap, NULL);
  EXPECT_FORKS(mend_without_a_heap, NULL);
}

TEST(LostThreadsTest, ACallerMayHaveNoHeap) {
  thread_heap();
  unit_in_thread(fork_without_a_heap, NULL);
}

/* ---- tokens ---- */

/* A slab of the heap of which some blocks are taken. */
static struct slab *taken_slab(struct thread_heap *heap, size_t size_class) {
  EXPECT_EQ(take(heap, size_class, blocks, TAKEN), TAKEN);
  return place_of(blocks[0], size_class).slab;
}

static size_t times_queued(const struct thread_heap *heap, const struct slab *slab) {
  size_t times = 0;
  for (const struct slab *at = atomic_load(&heap->queue.first); at != NULL && times < 100; at = at->queue_next) {
    times += at == slab;
  }
  return times;
}

static void expect_collected(struct thread_heap *heap, struct slab *slab, unsigned count) {
  EXPECT_EQ(heap_claim_this(heap), heap);
  uint32_t free_before = slab->free_count;
  heap_collect(heap);
  EXPECT_EQ(slab->free_count - free_before, count);
  EXPECT_EQ(atomic_load(&slab->token), 0);
  heap_give(heap);
}

static void mend_a_token_on_no_list(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  struct slab *slab = taken_slab(heap, NARROW);
  struct slab *other = taken_slab(heap, WIDE);
  heap_give(heap);
  EXPECT_TRUE(remote_post(slab, 0, 3)); /* its thread had not come to the queue */
  lost_threads_mend(thread_cache.heap);
  EXPECT_EQ(times_queued(heap, slab), 1);
  EXPECT_EQ(atomic_load(&slab->token), 1);
  EXPECT_EQ(times_queued(heap, other), 0);
  EXPECT_EQ(atomic_load(&other->token), 0);
  lost_threads_mend(thread_cache.heap); /* a thread of the child may fork, too */
  EXPECT_EQ(times_queued(heap, slab), 1);
  expect_collected(heap, slab, 2);
}

TEST(LostThreadsTest, ATokenThatALostThreadHeldPublishesItsSlab) { EXPECT_FORKS(mend_a_token_on_no_list, NULL); }

static void mend_tokens_on_lists(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  void *first[TAKEN];
  struct slab *queued = taken_slab(heap, NARROW);
  memcpy(first, blocks, sizeof first);
  struct slab *sorted = taken_slab(heap, NARROW + 1);
  post_block(NULL, first[1]);
  post_block(NULL, blocks[1]);
  heap_collect_class(heap, NARROW); /* sorts the queue: the other class's slab waits */
  EXPECT_EQ(heap->lane[NARROW + 1].queued, sorted);
  post_block(NULL, first[2]);
  post_block(NULL, blocks[2]);
  EXPECT_EQ(times_queued(heap, queued), 1);
  heap_give(heap);
  lost_threads_mend(thread_cache.heap);
  EXPECT_EQ(times_queued(heap, queued), 1);
  EXPECT_EQ(times_queued(heap, sorted), 0);
  EXPECT_EQ(heap->lane[NARROW + 1].queued, sorted); /* an orphan's lists are whole */
  EXPECT_EQ(atomic_load(&queued->token), 1);
  EXPECT_EQ(atomic_load(&sorted->token), 1);
  expect_collected(heap, sorted, 2);
  EXPECT_EQ(atomic_load(&queued->token), 0);
  expect_census(heap, NARROW, TAKEN - 2);
  expect_census(heap, NARROW + 1, TAKEN - 2);
}

TEST(LostThreadsTest, ASlabThatIsOnAListStaysThereOnce) { EXPECT_FORKS(mend_tokens_on_lists, NULL); }

static void mend_lists_of_a_torn_heap(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  struct slab *slab = taken_slab(heap, NARROW);
  post_block(NULL, blocks[1]);
  post_block(NULL, blocks[2]);
  heap_collect_class(heap, 0);
  EXPECT_EQ(heap->lane[NARROW].queued, slab);
  EXPECT_EQ(times_queued(heap, slab), 0);
  critical_leave();
  lost_threads_mend(thread_cache.heap);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_TORN);
  EXPECT_EQ(heap->lane[NARROW].queued, NULL); /* not to be trusted */
  EXPECT_EQ(heap->queued, 0);
  EXPECT_EQ(times_queued(heap, slab), 1);
  expect_collected(heap, slab, 2);
  EXPECT_EQ(heap_census(heap, NARROW).remote, 0);
  expect_census(heap, NARROW, TAKEN - 2);
}

TEST(LostThreadsTest, ASlabThatWaitedInATornHeapIsPublishedAnew) { EXPECT_FORKS(mend_lists_of_a_torn_heap, NULL); }

static void mend_an_adoption(void *moved_value) {
  const size_t moved = (uintptr_t)moved_value; /* units whose tags have been set */
  struct thread_heap *from = new_heap();
  struct thread_heap *to = heap_new();
  struct slab *slab = taken_slab(from, WIDE);
  EXPECT_TRUE(remote_token_take(slab));
  unit_tag_set(window_unit(slab_start(slab)), moved, unit_tag_for(to->link.owner, WIDE));
  critical_leave();
  critical_leave();
  lost_threads_mend(thread_cache.heap);
  struct thread_heap *owner = moved == 0 ? from : to;
  EXPECT_EQ(heap_state_of(&from->link), HEAP_TORN);
  EXPECT_EQ(heap_state_of(&to->link), HEAP_TORN);
  EXPECT_EQ(atomic_load(&slab->heap), owner);
  EXPECT_EQ(times_queued(owner, slab), 1);
  for (size_t unit = 0; unit < slab->units; unit++) {
    EXPECT_EQ(unit_tag_of(slab_start(slab) + unit * UNIT_BYTES), unit_tag_for(owner->link.owner, WIDE));
  }
  expect_collected(owner, slab, 0);
  EXPECT_EQ(heap_claim_this(from), from);
  EXPECT_EQ(heap_claim_this(to), to);
  EXPECT_EQ(heap_census(owner, WIDE).capacity, size_classes[WIDE].capacity);
  EXPECT_EQ(heap_census(owner == to ? from : to, WIDE).capacity, 0);
  expect_census(owner, WIDE, TAKEN);
}

TEST(LostThreadsTest, TheFirstUnitSaysWhoseASlabOnItsWayIs) {
  for (uintptr_t moved = 0; moved <= SLAB_UNITS_MAX; moved++) {
    NOTE("%zu units have the new owner", (size_t)moved);
    EXPECT_FORKS(mend_an_adoption, (void *)moved);
  }
}
