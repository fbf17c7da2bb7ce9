#include "cold/large.h"

#include "cold/pool_parts.h"
#include "cold/probed.h"
#include "cold/shared_pool.h"
#include "cold/words.h"
#include "events/events.h"
#include "os/os.h"

unsigned large_units(size_t size) { return (unsigned)((size + UNIT_BYTES - 1) >> UNIT_SHIFT); }

void *large_use(struct slab *run) {
  char *block = slab_start(run);
  atomic_store_explicit(&run->is_large, true, memory_order_relaxed);
  unit_tag_set(window_unit(block), 1, UNIT_TAG_LARGE);
  unit_tag_set(window_unit(block) + 1, run->units - 1U, UNIT_TAG_INSIDE);
  return block;
}

void *large_allocate(size_t size, bool *zeroed) {
  struct slab *slab = probed_take(&density_large, large_units(size), pool_take_large);
  if (slab == NULL) {
    return NULL;
  }
  *zeroed = slab->dirty == 0;
  return large_use(slab);
}

bool large_is_retained(size_t size) { return pool_retains(large_units(size)); }
bool large_is_divided(void) { return parts_count() > 1; }

/* The descriptor of a live large block, by its first byte alone. */
static struct slab *large_slab(const void *block, const char *what) {
  struct superslab *superslab = superslab_of(block);
  size_t offset = (size_t)((const char *)block - superslab->start);
  struct slab *slab = &superslab->slab[superslab->head[offset >> UNIT_SHIFT]];
  if (slab_start(slab) != block) {
    fatal("%s: pointer %p lies %zu bytes inside the large block %p of %zu bytes, thread %ld",
          words_of_wrong(block, what, "an interior").text, block, (size_t)((const char *)block - slab_start(slab)),
          (void *)slab_start(slab), (size_t)slab->units << UNIT_SHIFT, os_thread_id());
  }
  return slab;
}

struct slab *large_end(void *block) {
  struct slab *slab = large_slab(block, "free");
  density_left(&density_large, block);
  /* Two threads that free the same block: only one of them ends it. Not by the tag, which shares its cache line with
   * those of other threads' blocks. */
  if (!atomic_exchange(&slab->is_large, false)) {
    fatal("double free: pointer %p, a large block, thread %ld", block, os_thread_id());
  }
  unit_tag_set(window_unit(block), slab->units, UNIT_TAG_NONE);
  slab->dirty = slab->units;
  return slab;
}

void large_free(void *block) { pool_give(large_end(block)); }

size_t large_usable_size(const void *block, const char *what) {
  return (size_t)large_slab(block, what)->units << UNIT_SHIFT;
}

bool large_resize(void *block, size_t size) {
  struct slab *slab = large_slab(block, "realloc");
  unsigned units = large_units(size);
  unsigned old_units = slab->units;
  if (units > old_units) {
    if (!pool_extend(slab, units - old_units)) {
      return false;
    }
    unit_tag_set(window_unit(block) + old_units, units - old_units, UNIT_TAG_INSIDE);
  } else if (units < old_units) {
    unit_tag_set(window_unit(block) + units, old_units - units, UNIT_TAG_NONE);
    pool_shrink(slab, old_units - units);
  }
  return true;
}

/* Units with a tag that is one of two. */
static size_t units_tagged(unit_tag one, unit_tag other) {
  size_t units = 0;
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    for (size_t unit = 0; unit < SUPERSLAB_UNITS; unit++) {
      unit_tag tag = unit_tag_at(window_unit(superslab->start) + unit);
      units += tag == one || tag == other;
    }
  }
  return units;
}

size_t large_live_bytes(void) { return units_tagged(UNIT_TAG_LARGE, UNIT_TAG_INSIDE) << UNIT_SHIFT; }
size_t large_live_count(void) { return units_tagged(UNIT_TAG_LARGE, UNIT_TAG_LARGE); }
