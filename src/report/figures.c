#include "report/figures.h"

#include <string.h>

#include "report/summary.h"

static void add_slab(struct slab *slab, unit_tag tag, void *by_class) {
  struct slab_figures *sum = (struct slab_figures *)by_class + unit_tag_class(tag);
  struct slab_use use = slab_use(slab, unit_tag_class(tag));
  sum->slabs++;
  sum->bound += use.bound;
  sum->live += use.live;
  sum->free += use.free;
  sum->holes += use.holes;
  sum->fresh += use.fresh;
  sum->rest += use.rest;
}

/* Where blocks move meanwhile more may be cached than was found handed out. */
static void tell_cached(struct slab_figures *class, size_t blocks, size_t stride) {
  size_t cached = blocks * stride;
  class->cached = cached < class->live ? cached : class->live;
  class->live -= class->cached;
  class->blocks = class->live / stride;
}

static void add(struct slab_figures *sum, const struct slab_figures *one) {
  sum->slabs += one->slabs;
  sum->blocks += one->blocks;
  sum->bound += one->bound;
  sum->live += one->live;
  sum->cached += one->cached;
  sum->free += one->free;
  sum->holes += one->holes;
  sum->fresh += one->fresh;
  sum->rest += one->rest;
}

LOOKS_ON static size_t kept_by(struct thread_heap *heap) {
  size_t units = *(volatile unsigned *)&heap->warm_pool.count;
  unsigned runs = runs_count(&heap->runs);
  for (unsigned i = 0; i < runs && i < RUNS_MAX; i++) {
    const struct slab *run = *(struct slab *volatile *)&heap->runs.run[i];
    units += run != NULL ? run->units : 0;
  }
  return units * UNIT_BYTES;
}

void figures_take(struct heap_figures *figures) {
  size_t cached[SIZE_CLASS_COUNT] = {0};
  memset(figures, 0, sizeof *figures);
  figures->changing = cached_counts(cached);
  each_bound_slab(add_slab, figures->by_class);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    tell_cached(&figures->by_class[size_class], cached[size_class], size_classes[size_class].stride);
    add(&figures->slabs, &figures->by_class[size_class]);
  }
  figures->large = large_live_bytes();
  figures->large_blocks = large_live_count();
  figures->huge = huge_live_bytes() + guarded_live_bytes();
  figures->huge_blocks = huge_live_count() + guarded_live_count();
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    figures->kept += kept_by(heap_of_link(link));
  }
  figures->threads = registry_thread_count();
  figures->summary.struct_size = sizeof figures->summary;
  summary_fill(&figures->summary);
}
