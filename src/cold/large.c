#include "cold/large.h"

#include "cold/shared_pool.h"
#include "config/config.h"
#include "os/os.h"

static _Atomic size_t allocated;

/* ---- huge pages ---- */

enum { LOOK_EVERY = SUPERSLAB_UNITS, LOOK_EVERY_DENSE = 16 * SUPERSLAB_UNITS, SPARSE_SHARE = 8 };

/* Whether the program uses whole what it is given: by one block now and then, `probe`, which is looked at when the next is given,
 * or when it is freed. It lies in small pages, as what it shares a superslab with: what lies in a huge page is resident whether it
 * is used or not. So there are few while huge pages are used. */
static atomic_bool dense;
static char *_Atomic probe;
static _Atomic size_t probe_bytes, asked; /* units */

static bool is_time_to_look(unsigned units) {
  size_t every = atomic_load_explicit(&dense, memory_order_relaxed) ? LOOK_EVERY_DENSE : LOOK_EVERY;
  size_t before = atomic_fetch_add_explicit(&asked, units, memory_order_relaxed);
  return before == 0 || before / every != (before + units) / every;
}

static void look_at_probe(void) {
  const char *start = atomic_exchange(&probe, NULL);
  if (start != NULL) {
    size_t bytes = atomic_load(&probe_bytes) & ~(os_page_size() - 1);
    atomic_store(&dense, os_resident(start, bytes) >= bytes - bytes / SPARSE_SHARE);
  }
}

static void probe_is(char *start, size_t size) {
  atomic_store(&probe_bytes, size);
  atomic_store(&probe, start);
}

/* ---- blocks ---- */

unsigned large_units(size_t size) { return (unsigned)((size + UNIT_BYTES - 1) >> UNIT_SHIFT); }

void *large_use(struct slab *run) {
  char *block = slab_start(run);
  unit_tag_set(window_unit(block), 1, UNIT_TAG_LARGE);
  unit_tag_set(window_unit(block) + 1, run->units - 1U, UNIT_TAG_INSIDE);
  atomic_fetch_add_explicit(&allocated, 1, memory_order_relaxed);
  return block;
}

void *large_allocate(size_t size, bool *zeroed) {
  unsigned units = large_units(size);
  bool looks = is_time_to_look(units);
  if (looks) {
    look_at_probe();
  }
  bool whole = options.thp == thp_always || atomic_load_explicit(&dense, memory_order_relaxed);
  struct slab *slab = pool_take_large(units, looks ? USE_SMALL : whole ? USE_WHOLE : USE_PARTS);
  if (slab == NULL) {
    return NULL;
  }
  *zeroed = slab->dirty == 0;
  if (looks && !superslab_of_slab(slab)->dense) {
    probe_is(slab_start(slab), size);
  }
  return large_use(slab);
}

/* The descriptor of a live large block, by its first byte alone. */
static struct slab *large_slab(const void *block, const char *what) {
  struct superslab *superslab = superslab_of(block);
  size_t offset = (size_t)((const char *)block - superslab->start);
  struct slab *slab = &superslab->slab[superslab->head[offset >> UNIT_SHIFT]];
  if (slab_start(slab) != block) {
    fatal("%s of an interior pointer: pointer %p lies %zu bytes inside the large block %p of %zu bytes, thread %ld",
          what, block, (size_t)((const char *)block - slab_start(slab)), (void *)slab_start(slab),
          (size_t)slab->units << UNIT_SHIFT, os_thread_id());
  }
  return slab;
}

struct slab *large_end(void *block) {
  struct slab *slab = large_slab(block, "free");
  if (unlikely(atomic_load_explicit(&probe, memory_order_relaxed) == block)) {
    look_at_probe();
  }
  /* Two threads that free the same block: only one of them still finds the tag. */
  unit_tag expected = UNIT_TAG_LARGE;
  if (!atomic_compare_exchange_strong(&window_tags[window_unit(block)], &expected, UNIT_TAG_NONE)) {
    fatal("double free: pointer %p, a large block, thread %ld", block, os_thread_id());
  }
  unit_tag_set(window_unit(block) + 1, slab->units - 1U, UNIT_TAG_NONE);
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

size_t large_live_bytes(void) {
  size_t units = 0;
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    for (size_t unit = 0; superslab_at(index) != NULL && unit < SUPERSLAB_UNITS; unit++) {
      units += route_of(unit_tag_at(index * SUPERSLAB_UNITS + unit)) == ROUTE_LARGE;
    }
  }
  return units << UNIT_SHIFT;
}

size_t large_count(void) { return atomic_load_explicit(&allocated, memory_order_relaxed); }
