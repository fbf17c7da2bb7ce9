#include "warm/free_remote.h"

#include "events/events.h"
#include "warm/post.h"
#include "warm/route.h"

/* What is no other thread's block, or is freed by a thread that has no heap. */
static NOINLINE void free_rare(void *block) {
  unit_tag tag = unit_tag_of(block);
  enum route route = route_of(tag);
  if (route == ROUTE_SLAB) {
    struct place place = place_of(block, unit_tag_class(tag));
    if (place.index == PLACE_NONE) {
      fatal_interior(block, unit_tag_class(tag), "free");
    }
    observe_free(block, size_classes[unit_tag_class(tag)].stride, FREE_REMOTE);
    heap_post_bits(NULL, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
  } else if (route == ROUTE_LARGE) {
    large_free(block);
    observe_free_large();
  } else if (block == NULL) {
    observe_free_null();
  } else if (huge_free(block)) {
    observe_free_huge();
  } else {
    fatal_foreign(block, "free");
  }
}

/* Begins to gather the word of a first block; what the entry held is posted. */
static NOINLINE void gather_word(struct thread_heap *heap, struct remote_word *entry, struct slab *slab,
                                 unsigned index) {
  heap_enter(heap);
  if (entry->slab != NULL) {
    heap_post_word(heap, entry);
  }
  unsigned blocks = REMOTE_WORD_BYTES / size_classes[slab->size_class].stride;
  uint64_t bit = UINT64_C(1) << index % 64;
  if (unlikely((atomic_load_explicit(&slab->remote[index / 64], memory_order_relaxed) & bit) != 0)) {
    fatal_double_free(slab, index); /* its word was posted just now, and nobody has collected it */
  }
  entry->left = blocks <= 1 ? 0 : blocks < 64 ? blocks - 1 : 63;
  entry->word = index / 64;
  entry->bits = bit;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a whole entry, or none */
  entry->slab = slab;
  if (entry->left == 0) {
    heap_post_word(heap, entry);
  }
  heap_leave(heap);
}

static NOINLINE void post_word(struct thread_heap *heap, struct remote_word *entry) {
  heap_enter(heap);
  heap_post_word(heap, entry);
  heap_leave(heap);
}

/* Calls stand only at the end of a path, so that the common one saves no register. */
NOINLINE void free_remote(void *block) {
  struct thread_heap *heap = thread_cache.heap;
  unit_tag tag = unit_tag_of(block);
  if (unlikely(route_of(tag) != ROUTE_SLAB || heap == NULL)) {
    free_rare(block);
    return;
  }
  struct place place = place_of(block, unit_tag_class(tag));
  if (unlikely(place.index == PLACE_NONE)) {
    fatal_interior(block, unit_tag_class(tag), "free");
  }
  observe_free(block, size_classes[unit_tag_class(tag)].stride, FREE_REMOTE);
  struct remote_word *entry = remote_word_of(&heap->words, place);
  if (entry->slab != place.slab || entry->word != place.index / 64) {
    gather_word(heap, entry, place.slab, place.index);
    return;
  }
  uint64_t bit = UINT64_C(1) << place.index % 64;
  if (unlikely((entry->bits & bit) != 0)) {
    fatal_double_free(place.slab, place.index);
  }
  entry->bits |= bit;
  if (--entry->left == 0) {
    post_word(heap, entry);
  }
}
