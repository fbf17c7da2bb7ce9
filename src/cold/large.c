#include "cold/large.h"

#include "cold/shared_pool.h"
#include "os/fatal.h"

static _Atomic size_t allocated;

static unsigned units_of(size_t size) { return (unsigned)((size + UNIT_BYTES - 1) >> UNIT_SHIFT); }

void *large_allocate(size_t size, bool *zeroed) {
  unsigned units = units_of(size);
  struct slab *slab = pool_take_large(units);
  if (slab == NULL) {
    return NULL;
  }
  char *block = slab_start(slab);
  page_tag_set(page_unit(block), 1, PAGE_TAG_LARGE);
  page_tag_set(page_unit(block) + 1, units - 1, PAGE_TAG_INSIDE);
  atomic_fetch_add_explicit(&allocated, 1, memory_order_relaxed);
  *zeroed = slab->zero;
  return block;
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

void large_free(void *block) {
  struct slab *slab = large_slab(block, "free");
  /* Two threads that free the same block: only one of them still finds the tag. */
  page_tag expected = PAGE_TAG_LARGE;
  if (!atomic_compare_exchange_strong(&page_map_tags[page_unit(block)], &expected, PAGE_TAG_NONE)) {
    fatal("double free: pointer %p, a large block, thread %ld", block, os_thread_id());
  }
  page_tag_set(page_unit(block) + 1, slab->units - 1U, PAGE_TAG_NONE);
  pool_give(slab);
}

size_t large_usable_size(const void *block, const char *what) {
  return (size_t)large_slab(block, what)->units << UNIT_SHIFT;
}

bool large_resize(void *block, size_t size) {
  struct slab *slab = large_slab(block, "realloc");
  unsigned units = units_of(size);
  unsigned old_units = slab->units;
  if (units > old_units) {
    if (!pool_extend(slab, units - old_units)) {
      return false;
    }
    page_tag_set(page_unit(block) + old_units, units - old_units, PAGE_TAG_INSIDE);
  } else if (units < old_units) {
    page_tag_set(page_unit(block) + units, old_units - units, PAGE_TAG_NONE);
    pool_shrink(slab, old_units - units);
  }
  return true;
}

size_t large_count(void) { return atomic_load_explicit(&allocated, memory_order_relaxed); }
