#include "warm/coalesce.h"

#include "events/events.h"
#include "warm/growth.h"
#include "warm/holes.h"
#include "warm/lane.h"
#include "warm/spill.h"
#include "warm/trim.h"
#include "warm/whole.h"

enum { PARTS_MAX = 16, LOOKED_AT = 8, BELOW_PEAK_SHARE = 1, VAIN_MOST = 6, WORD_BITS = 64 };

/* What of a coalesced block may be unused, as a share of what is used; in a large heap more where nothing else does. */
enum { WASTE_SHARE = 16, WASTE_MOST_SHARE = 4, LARGE_HEAP = 32 * MIB };

/* ---- one slab ---- */

static bool is_sparse(const struct slab *slab) {
  return slab->insides > 0 || slab_recycled(slab) * 4U >= size_classes[slab->size_class].capacity * 3U;
}

/* Where a run of so many bits begins. */
static uint64_t runs_of(uint64_t bits, unsigned parts) {
  for (unsigned length = 1; length < parts;) {
    unsigned more = length < parts - length ? length : parts - length;
    bits &= bits >> more;
    length += more;
  }
  return bits;
}

static unsigned take_runs(struct slab *slab, unsigned parts, void **slot, unsigned want) {
  const struct size_class *shape = &size_classes[slab->size_class];
  char *start = slab_start(slab);
  unsigned taken = 0;
  for (unsigned word = slab->first_word; word * WORD_BITS < slab->carved && taken < want; word++) {
    uint64_t bits = holes_outside(slab, word), runs;
    while (taken < want && (runs = runs_of(bits, parts)) != 0) {
      unsigned first = (unsigned)__builtin_ctzll(runs);
      if (!slab_coalesce(slab, word * WORD_BITS + first, parts)) {
        return taken;
      }
      slot[-(int)taken++] = start + ((size_t)word * WORD_BITS + first) * shape->stride;
      bits &= slab->free[word];
    }
  }
  return taken;
}

/* ---- a lane ---- */

/* A lane in which runs so long were looked for in vain is left alone, twice as often each time. */
static bool is_left_alone(struct lane *lane, unsigned parts) {
  if (lane->vain.skips == 0 || parts < lane->vain.parts) {
    return false;
  }
  lane->vain.skips--;
  return true;
}

static void looked_in_vain(struct lane *lane, unsigned parts) {
  unsigned times = lane->vain.times < VAIN_MOST ? lane->vain.times + 1U : VAIN_MOST;
  if (times == 1 || parts < lane->vain.parts) {
    lane->vain.parts = (uint8_t)parts;
  }
  lane->vain.times = (uint8_t)times;
  lane->vain.skips = (uint8_t)((1U << times) - 1);
}

static void count_taken(struct thread_heap *heap, struct slab *slab, unsigned blocks) {
  heap->used_bytes += (size_t)blocks * size_classes[slab->size_class].stride;
  slab->taken_at = heap->now;
  slab->trimmed = 0;
  lane_lost(heap, slab);
}

/* Slabs that have no such run go to the end of the lane: next time the others are looked at. */
static unsigned take_from_lane(struct thread_heap *heap, struct lane *lane, unsigned parts, void **slot,
                               unsigned want) {
  struct slab *const last = lane->last;
  unsigned taken = 0;
  struct slab *next = lane->first;
  for (unsigned i = 0; i < LOOKED_AT && next != NULL && taken < want; i++) {
    struct slab *slab = next;
    next = slab == last ? NULL : slab->next;
    unsigned more = is_sparse(slab) ? take_runs(slab, parts, slot - taken, want - taken) : 0;
    if (more > 0) {
      count_taken(heap, slab, more * parts);
      taken += more;
    }
    if (taken < want || slab_recycled(slab) == 0) {
      lane_unlink(heap, slab);
      if (slab_recycled(slab) > 0) {
        lane_link(heap, slab);
      }
    }
  }
  if (taken == 0) {
    looked_in_vain(lane, parts);
  } else {
    lane->vain.times = 0;
    lane->vain.skips = 0;
  }
  return taken;
}

/* ---- the heap ---- */

/* Whether the heap has units for the class that were used before. */
static bool has_units(const struct thread_heap *heap, unsigned units) {
  if (units > 1) {
    return lane_kept(heap, units) != NULL;
  }
  const struct warm_pool *pool = &heap->warm_pool;
  return heap->kept.bytes > 0 || (pool->count > 0 && pool->unit[pool->count - 1]->dirty != 0);
}

/* Whether the class would grow by memory that was never used, or was given back. */
static bool needs_fresh(const struct thread_heap *heap, size_t size_class) {
  unsigned units = size_classes[size_class].units;
  return !has_units(heap, units) && heap->runs.bytes == 0 && !pool_retains(units);
}

/* While the process uses less than it has used before, only what idles as much as is used is worth the time. */
static bool is_worth(const struct thread_heap *heap) {
  size_t share = residency_is_below_peak(UNIT_BYTES) ? BELOW_PEAK_SHARE : COALESCE_IDLE_SHARE;
  return heap_idle_bytes(heap) >= heap->used_bytes / share;
}

/* From the class below on, those whose blocks fit. */
static unsigned take_within(struct thread_heap *heap, size_t size_class, size_t waste_share, void **slot,
                            unsigned want) {
  size_t stride = size_classes[size_class].stride;
  unsigned taken = 0;
  for (size_t smaller = size_class; smaller-- > 1 && taken < want;) { /* class 0 is aligned to 8 bytes only */
    size_t part = size_classes[smaller].stride;
    unsigned parts = (unsigned)((stride + part - 1) / part);
    if (parts > PARTS_MAX) {
      break;
    }
    struct lane *lane = &heap->lane[smaller];
    bool fits = (parts * part - stride) * waste_share <= stride;
    if (fits && lane->first != NULL && !is_left_alone(lane, parts)) {
      taken += take_from_lane(heap, lane, parts, slot - taken, want - taken);
    }
  }
  return taken;
}

unsigned heap_coalesce(struct thread_heap *heap, size_t size_class, void **slot, unsigned want) {
  if (size_class >= SIZE_CLASS_SMALL_COUNT || !is_worth(heap) || !needs_fresh(heap, size_class)) {
    return 0;
  }
  unsigned taken = take_within(heap, size_class, WASTE_SHARE, slot, want);
  if (taken == 0 && heap->bound_bytes >= LARGE_HEAP) {
    taken = take_within(heap, size_class, WASTE_MOST_SHARE, slot, want);
  }
  if (taken > 0) {
    trim_after_growth(heap);
    observe_blocks_coalesced(taken);
  }
  return taken;
}

/* ---- freeing ---- */

/* The largest class that a block of so many bytes serves. */
static size_t class_within(size_t bytes) {
  if (bytes >= SIZE_CLASS_MAX) {
    return SIZE_CLASS_SMALL_COUNT - 1;
  }
  size_t size_class = size_class_of(bytes);
  return size_classes[size_class].stride > bytes ? size_class - 1 : size_class;
}

NOINLINE void free_coalesced(void *block, size_t size_class) {
  size_t serves = class_within(slab_whole_bytes(block, size_class, "free"));
  void **top = thread_cache.top[serves];
  if (unlikely(*top == block)) {
    struct place place = place_of(block, size_class);
    fatal_double_free(place.slab, place.index);
  }
  if (unlikely(((uintptr_t)(top + 1) & (MAGAZINE_BYTES - 1)) == 0)) {
    spill(serves, block);
    return;
  }
  observe_free(block, size_classes[serves].stride, FREE_CACHE);
  top[1] = block;
  cache_set_top(serves, top + 1);
}
