#include "warm/gather.h"

#include "events/events.h"
#include "warm/post.h"
#include "warm/share.h"

enum { FOR_NOBODY_BYTES = 4 * 1024, STRIDE_LEAST = 1024, OWNERS_LEAST = 3, STEAL_FROM = 16 };

/* How many blocks the next magazine for this owner may hold. Nobody takes what comes home to an orphan, and each block
 * that waits keeps its slab from other classes. */
static unsigned may_gather(const struct thread_heap *heap, const struct thread_heap *owner, size_t size_class) {
  unsigned blocks = share_of_class(heap, size_class);
  if (!heap_has_nobody(&owner->link)) {
    return blocks;
  }
  unsigned few = FOR_NOBODY_BYTES / size_classes[size_class].stride;
  few = few < 2 ? 2 : few;
  return blocks < few ? blocks : few;
}

/* The thread's own cache takes another's block. False: it is full, or the thread has never had one of the class. */
static bool keep(size_t size_class, void *block) {
  void **top = thread_cache.top[size_class];
  if (magazine_room(top) == 0) {
    return false;
  }
  top[1] = block;
  cache_set_top(size_class, top + 1);
  observe_gathered_kept();
  return true;
}

NOINLINE void gather(struct thread_heap *heap, struct home_entry *entry, void *block, unit_tag tag) {
  size_t size_class = unit_tag_class(tag);
  struct place place = place_of(block, size_class);
  if ((entry->tag == tag && *entry->top == block) || *thread_cache.top[size_class] == block) {
    fatal_double_free(place.slab, place.index);
  }
  uint64_t bit = UINT64_C(1) << place.index % 64;
  if (unlikely((atomic_load_explicit(&place.slab->remote[place.index / 64], memory_order_relaxed) & bit) != 0)) {
    fatal_double_free(place.slab, place.index); /* it was posted before, and nobody has collected it */
  }
  if (entry->tag != 0 && entry->tag != tag && keep(size_class, block)) {
    return;
  }
  heap_enter(heap);
  if (entry->tag != 0) {
    heap_send_home(heap, entry);
  }
  unsigned blocks = may_gather(heap, atomic_load(&place.slab->heap), size_class);
  void **bottom = depot_take_empty(&heap->depot, blocks);
  if (bottom == NULL) {
    heap_post_bits(heap, place.slab, place.index / 64, bit);
  } else {
    heap->begun++;
    bottom[1] = block;
    entry->top = bottom + 1;
    entry->small = blocks < size_classes[size_class].magazine;
    atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a whole entry, or none */
    entry->tag = tag;
  }
  heap_leave(heap);
}

/* The fullest of the first that are found. Blocks of less than STRIDE_LEAST serve only a thread that frees those of
 * several owners: with one it may exchange blocks, and gets its own back soon. A small magazine is none that the cache
 * may have. */
static void **take_own(struct thread_heap *heap, size_t size_class) {
  struct home_entry *found = NULL;
  unsigned owners = 0;
  for (unsigned i = 0; i < HOME_ENTRIES && owners < OWNERS_LEAST; i++) {
    struct home_entry *entry = &heap->home[i];
    if (entry->tag != 0 && !entry->small && unit_tag_class(entry->tag) == size_class) {
      owners++;
      found = found == NULL || magazine_room(entry->top) < magazine_room(found->top) ? entry : found;
    }
  }
  if (found == NULL || (owners < OWNERS_LEAST && size_classes[size_class].stride < STRIDE_LEAST)) {
    return NULL;
  }
  void **top = home_leave(found);
  observe_gathered_used(magazine_count(top));
  return top;
}

/* So many heaps are looked at, each time others, if there are any. */
static void **steal(struct thread_heap *heap, size_t size_class) {
  if (heap->link.next_heap == NULL && registry_heaps() == &heap->link) {
    return NULL;
  }
  for (unsigned i = 0; i < STEAL_FROM; i++) {
    struct heap_link *link = heap->steals_from != NULL ? heap->steals_from : registry_heaps();
    void **magazine = link == &heap->link ? NULL : home_stack_steal(&heap_of_link(link)->returned, size_class);
    if (magazine != NULL) {
      observe_take_path(MALLOC_STOLEN);
      return magazine_full_top(magazine);
    }
    heap->steals_from = link->next_heap;
  }
  return NULL;
}

NOINLINE void **gather_take(struct thread_heap *heap, size_t size_class) {
  bool is_small = size_classes[size_class].stride < STRIDE_LEAST;
  unsigned least = is_small ? OWNERS_LEAST : 1;
  void **top = NULL;
  if (heap->begun >= least) { /* who gathers little does not look each time that the heap grows */
    top = take_own(heap, size_class);
    heap->begun -= top == NULL;
  }
  return top != NULL || is_small ? top : steal(heap, size_class);
}
