#include "warm/trim.h"

enum { TRIM_AGE_MS = 500, TRIM_SHARE = 8 };

static void trim(struct slab *slab) {
  slab_purge(slab);
  slab->trimmed = slab->free_count;
}

/* Enough blocks have become free since the last time to be worth system calls. */
static bool is_worth(const struct slab *slab) {
  return slab->free_count >= slab->trimmed + size_classes[slab->size_class].capacity / TRIM_SHARE;
}

void trim_aged(struct thread_heap *heap) {
  if (heap->now - heap->trimmed_at < TRIM_AGE_MS) {
    return;
  }
  heap->trimmed_at = heap->now;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (struct slab *slab = heap->lane[size_class].first; slab != NULL; slab = slab->next) {
      if (heap->now - slab->taken_at >= TRIM_AGE_MS && is_worth(slab)) {
        trim(slab);
      }
    }
  }
}

void trim_all(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (struct slab *slab = heap->lane[size_class].first; slab != NULL; slab = slab->next) {
      if (slab->free_count != slab->trimmed) {
        trim(slab);
      }
    }
  }
}
