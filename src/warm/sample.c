#include "warm/sample.h"

#include "warm/heap.h"

enum { MEMORY_SHARE = 128, MALLOC_ALIGNMENT = 16 };

/* From 1 to twice as many rounds as `every` slow paths are, less 1. */
static uint32_t rounds_to_next(struct thread_heap *heap, uint32_t every) {
  uint32_t rounds = every / SAMPLE_ROUND;
  if (heap->sample_random == 0) {
    heap->sample_random = (uint32_t)(os_random() ^ heap->link.owner * UINT64_C(0x9E3779B97F4A7C15)) | 1;
  }
  heap->sample_random = heap->sample_random * UINT32_C(1664525) + UINT32_C(1013904223);
  return rounds < 2 ? 1 : 1 + (heap->sample_random >> 8) % (2 * rounds - 1);
}

/* A round is as long as SAMPLE_ROUND says, or shorter where samples are to be closer. */
static unsigned round_start(uint32_t every) { return every < SAMPLE_ROUND ? SAMPLE_ROUND - every : 0; }

/* When one is due the next slow path ends a round: a spill cannot take it. */
RARE unsigned sample_next_round(struct thread_heap *heap) {
  uint32_t every = HOOK_HAS_SAMPLES ? (uint32_t)options.guard_every : 0;
  if (every == 0) {
    return 0;
  }
  if (heap->sample_random == 0) {
    heap->sample_in = rounds_to_next(heap, every);
  }
  heap->sample_in -= heap->sample_in > 0;
  return heap->sample_in == 0 ? SAMPLE_ROUND : round_start(every);
}

static bool is_due(const struct thread_heap *heap) {
  return sample_each() ||
         (options.guard_every != 0 && heap != NULL && heap->sample_random != 0 && heap->sample_in == 0);
}

/* A large block is itself a good part of the memory in use. */
static bool has_room(size_t size) {
  size_t large = size > GUARDED_MAX ? size : 0;
  size_t share = sample_each() ? 0 : used_bytes() / MEMORY_SHARE;
  return sample_each() || (large < share && guarded_counted_bytes() < share - large);
}

/* All blocks of the class are aligned so, as slabs are to a unit. */
static size_t alignment_of(size_t size_class, bool exact) {
  size_t stride = size_class == SIZE_CLASS_EMPTY ? MALLOC_ALIGNMENT : size_classes[size_class].stride;
  size_t alignment = stride & -stride;
  return exact || alignment < MALLOC_ALIGNMENT ? alignment : MALLOC_ALIGNMENT;
}

static void *take(struct thread_heap *heap, size_t size, size_t alignment, enum family family, const void *frame) {
  if (!sample_each()) {
    heap->sample_in = rounds_to_next(heap, (uint32_t)options.guard_every);
    heap->ticks = round_start((uint32_t)options.guard_every);
  }
  if (!has_room(size)) {
    return NULL;
  }
  struct stack by;
  stack_take(&by, frame);
  return guarded_allocate(size, alignment, family, &by);
}

RARE void *sample_take(struct thread_heap *heap, size_t size, size_t size_class, bool exact, const void *frame) {
  if (!HOOK_HAS_SAMPLES || !is_due(heap)) {
    return NULL;
  }
  return take(heap, size, alignment_of(size_class, exact), exact ? FAMILY_ANY : FAMILY_MALLOC, frame);
}

RARE void *sample_take_large(struct thread_heap *heap, size_t size, size_t alignment, const void *frame) {
  if (!HOOK_HAS_SAMPLES || !is_due(heap)) {
    return NULL;
  }
  enum family family = alignment > MALLOC_ALIGNMENT ? FAMILY_ANY : FAMILY_MALLOC;
  return take(heap, size, alignment > MALLOC_ALIGNMENT ? alignment : MALLOC_ALIGNMENT, family, frame);
}

RARE void sample_set_family_of(void *block, enum family family) {
  if (guarded_holds(block)) {
    guarded_set_family(block, family);
  }
}
