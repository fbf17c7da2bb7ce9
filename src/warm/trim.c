#include "warm/trim.h"

#include "warm/holes.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/share.h"

enum { TRIM_AGE_MS = 500, TRIM_IDLE_MS = 1000, TRIM_SHARE = 16 };
enum { WAY_SHARE = 16, WORTH_SHARE = 8, WORTH_LEAST = 16 * MIB };

/* Which slabs of a heap are worth a look. */
typedef bool slab_choice(const struct thread_heap *heap, const struct slab *slab);

static bool has_changed(const struct thread_heap *heap, const struct slab *slab) {
  (void)heap;
  return slab->free_count != slab->trimmed;
}

/* Enough blocks have become free since the last time to be worth system calls. */
static bool has_declined(const struct thread_heap *heap, const struct slab *slab) {
  (void)heap;
  return slab->free_count >= slab->trimmed + size_classes[slab->size_class].capacity / TRIM_SHARE;
}

static bool has_aged(const struct thread_heap *heap, const struct slab *slab) {
  return heap->now - slab->taken_at >= TRIM_AGE_MS && has_declined(heap, slab);
}

static bool has_idled(const struct thread_heap *heap, const struct slab *slab) {
  return heap->now - slab->taken_at >= TRIM_IDLE_MS && has_changed(heap, slab);
}

/* Until so many bytes were given back. Slabs with holes go to the end of their lane: those without are used first. */
static size_t trim(struct thread_heap *heap, slab_choice *choose, size_t wanted) {
  struct holes holes = {.count = 0, .given_back = 0};
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT && holes.given_back < wanted; size_class++) {
    struct lane *lane = &heap->lane[size_class];
    struct slab *const last = lane->last;
    for (struct slab *slab = lane->first, *next; slab != NULL && holes.given_back < wanted;
         slab = slab == last ? NULL : next) {
      next = slab->next;
      if (choose(heap, slab)) {
        bool had_holes = slab->has_holes;
        holes_find(&holes, slab);
        slab->trimmed = slab->free_count;
        if (slab->has_holes && !had_holes) {
          lane_unlink(heap, slab);
          lane_link(heap, slab);
        }
      }
    }
  }
  holes_flush(&holes);
  return holes.given_back;
}

static size_t idle_bytes(const struct thread_heap *heap) { return heap->bound_bytes - heap_live_bytes(heap); }

void trim_aged(struct thread_heap *heap) {
  if (heap->now - heap->trimmed_at >= TRIM_AGE_MS) {
    heap->trimmed_at = heap->now;
    trim(heap, has_aged, SIZE_MAX);
  }
}

/* A 16th at a time: the rest may serve again. */
NOINLINE void trim_make_way(struct thread_heap *heap, size_t bytes) {
  if (!residency_is_below_peak(bytes)) {
    size_t wanted = idle_bytes(heap) / WAY_SHARE;
    heap->trim_waits = trim(heap, has_declined, wanted) >= wanted;
  }
}

size_t trim_all(struct thread_heap *heap) { return trim(heap, has_changed, SIZE_MAX); }

size_t trim_idle(struct thread_heap *heap) {
  heap->now = os_milliseconds();
  return trim(heap, has_idled, SIZE_MAX);
}

NOINLINE void trim_declined(struct thread_heap *heap) {
  share_renew(heap);
  size_t step = trim_step(heap);
  size_t live = heap_live_bytes(heap);
  heap->trim_below = live > step ? live - step : 0;
  if (heap->drained_used > heap->used_bytes) {
    heap->drained_used = heap->used_bytes;
  }
  size_t idle = idle_bytes(heap);
  heap->trim_waits = idle > live / WORTH_SHARE && idle > WORTH_LEAST;
  if (idle > heap->share && idle > share_idle(heap)) {
    if (live < heap->share + step && heap->cache == &thread_cache) {
      heap_put_caches(heap); /* little more is used than the caches hold */
    } else {
      heap_put_depot(heap);
    }
    trim(heap, has_declined, SIZE_MAX);
    heap->trim_waits = false;
  }
}
