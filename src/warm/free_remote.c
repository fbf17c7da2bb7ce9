#include "warm/free_remote.h"

#include "events/events.h"
#include "warm/coalesce.h"
#include "warm/gather.h"
#include "warm/light.h"
#include "warm/post.h"
#include "warm/route.h"
#include "warm/sample_hooks.h"
#include "warm/share.h"
#include "warm/thread.h"
#include "warm/whole.h"

/* Runs are a part of what a heap may keep, as they are large, and other threads could use them; all of it while they
 * repeat. So are huge blocks. */
enum { RUNS_SHARE = 2, RENEWED_EACH = 16 };

static void free_large(void *block) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL) {
    large_free(block);
    return;
  }
  struct slab *run = large_end(block); /* it may stop the program: not while the heap changes */
  heap_enter(heap);
  share_renew(heap);
  size_t most = runs_repeat(&heap->runs) ? heap->keep : heap->keep / RUNS_SHARE;
  size_t kept = heap->kept.bytes;
  runs_give(&heap->runs, run, most > kept ? most - kept : 0);
  heap_leave(heap);
}

static bool free_huge(void *block) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL) {
    return huge_free(block);
  }
  heap_enter(heap);
  if (heap->huge_frees++ % RENEWED_EACH == 0) {
    share_renew(heap);
  }
  size_t kept = heap->kept.bytes + heap->runs.bytes;
  size_t most = heap->keep / RUNS_SHARE;
  bool is_freed = huge_free_cached(&heap->huge_cache, block, most > kept ? most - kept : 0);
  heap_leave(heap);
  return is_freed;
}

/* Large blocks begin where a unit does: there, in memory of ours that nobody has, one is likely to have lived. */
static _Noreturn RARE void fatal_none(const void *block) {
  bool in_window = window_unit(block) < window_units;
  if (in_window && (uintptr_t)block % UNIT_BYTES == 0 && superslab_of(block) != NULL) {
    fatal("double free: pointer %p, a large block that is no more, thread %ld", block, os_thread_id());
  }
  fatal_foreign(block, "free");
}

static void free_guarded(void *block, enum family family, const void *frame) {
  struct stack by;
  stack_take(&by, frame);
  guarded_free(block, family, &by);
  observe_free_guarded();
}

/* A block of a slab that has coalesced ones: what the thread would cache, or gather, could be one, and serves a class
 * that only its owner knows. */
static NOINLINE void free_whole(struct thread_heap *heap, void *block, unit_tag tag) {
  size_t size_class = unit_tag_class(tag);
  observe_free(block, slab_whole_bytes(block, size_class, "free"), FREE_REMOTE);
  struct place place = place_of(block, size_class);
  heap_post_bits(heap, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
}

/* What is no other thread's block, or is freed by a thread that has no heap, or was sampled. */
static ALWAYS_INLINE void free_what_is_rare(void *block, enum family family, const void *frame) {
  unit_tag tag = unit_tag_of(block);
  sample_freed(block, tag);
  enum route route = route_of(tag);
  if (route == ROUTE_SLAB) {
    struct place place = place_of(block, unit_tag_class(tag));
    if (place.index == PLACE_NONE) {
      fatal_interior(block, unit_tag_class(tag), "free");
    }
    if (unlikely(unit_tag_is_coalesced(tag))) {
      free_whole(NULL, block, tag);
      return;
    }
    if (light_free(unit_tag_class(tag), block, place)) {
      return;
    }
    observe_free(block, size_classes[unit_tag_class(tag)].stride, FREE_REMOTE);
    thread_posts();
    heap_post_bits(NULL, place.slab, place.index / 64, UINT64_C(1) << place.index % 64);
  } else if (route == ROUTE_LARGE) {
    free_large(block);
    observe_free_large();
  } else if (empty_free(block)) {
    observe_free_empty();
  } else if (unlikely(guarded_holds(block))) {
    free_guarded(block, family, frame);
  } else if (free_huge(block)) {
    observe_free_huge();
  } else {
    fatal_none(block);
  }
}

static NOINLINE void free_rare(void *block) { free_what_is_rare(block, FAMILY_MALLOC, STACK_FRAME()); }
static NOINLINE void free_rare_new(void *block) { free_what_is_rare(block, FAMILY_NEW, STACK_FRAME()); }
static NOINLINE void free_rare_new_array(void *block) { free_what_is_rare(block, FAMILY_NEW_ARRAY, STACK_FRAME()); }

/* A block of a slab whose units are looked up, or that has coalesced blocks, or an address between two blocks. */
static NOINLINE void free_placed(void *block, unit_tag tag) {
  struct thread_heap *heap = thread_cache.heap;
  if (unit_tag_is_coalesced(tag)) {
    free_whole(heap, block, tag);
    return;
  }
  if (unlikely(place_of(block, unit_tag_class(tag)).index == PLACE_NONE)) {
    fatal_interior(block, unit_tag_class(tag), "free");
  }
  observe_free(block, size_classes[unit_tag_class(tag)].stride, FREE_REMOTE);
  struct home_entry *entry = home_entry_of(heap->home, tag);
  if (unlikely(entry->tag != tag || !home_push(entry, block))) {
    gather(heap, entry, block, tag);
  }
}

/* Calls stand only at the end of a path, so that the common one saves no register. */
static ALWAYS_INLINE void free_by(void *block, uint64_t difference, void (*rare)(void *block)) {
  if (unlikely(difference / UNIT_TAG_COALESCED == 1)) { /* the thread's own, by its tag but for the flag */
    free_coalesced(block, difference % UNIT_TAG_COALESCED);
    return;
  }
  struct thread_heap *heap = thread_cache.heap;
  unit_tag tag = (unit_tag)(difference ^ thread_cache.self);
  if (unlikely(route_of(tag) != ROUTE_SLAB || heap == NULL || sample_tag(tag))) {
    rare(block);
    return;
  }
  if (unlikely(!block_is_exact(block, unit_tag_class(tag)) || unit_tag_is_coalesced(tag))) {
    free_placed(block, tag);
    return;
  }
  observe_free(block, size_classes[unit_tag_class(tag)].stride, FREE_REMOTE);
  struct home_entry *entry = home_entry_of(heap->home, tag);
  if (unlikely(entry->tag != tag || !home_push(entry, block))) {
    gather(heap, entry, block, tag);
  }
}

NOINLINE void free_compared(void *block, uint64_t difference) { free_by(block, difference, free_rare); }
NOINLINE void free_compared_new(void *block, uint64_t difference) { free_by(block, difference, free_rare_new); }
NOINLINE void free_compared_new_array(void *block, uint64_t difference) {
  free_by(block, difference, free_rare_new_array);
}

/* NULL is what programs free most often of what lies outside. */
static ALWAYS_INLINE void free_by_address(void *block, void (*compared)(void *block, uint64_t difference)) {
  if (likely(block == NULL)) {
    observe_free_null();
    return;
  }
  compared(block, unit_tag_of(block) ^ thread_cache.self);
}

NOINLINE void free_remote(void *block) { free_by_address(block, free_compared); }
NOINLINE void free_remote_new(void *block) { free_by_address(block, free_compared_new); }
NOINLINE void free_remote_new_array(void *block) { free_by_address(block, free_compared_new_array); }
