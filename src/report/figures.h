/* figures: what the whole heap holds, by size class and in all, as tools/hakmem_inspect tells it from outside.
 *
 * Owns:     nothing; struct heap_figures.
 * Promises: counted when it is asked for, by the bitmaps less the magazines; nothing is counted on the path of a malloc
 *           or free. No malloc. INVARIANT, of each class: bound == live + cached + free + holes + fresh + rest. Exact
 *           while no other thread works; `changing` says how many heaps changed each time that they were looked at.
 * Callers:  report/. Any thread, also at the end of a critical section in a signal handler.
 */
#ifndef HAKMEM_REPORT_FIGURES_H
#define HAKMEM_REPORT_FIGURES_H

#include <stddef.h>

#include "hakmem.h"
#include "warm/warm.h"

/* Bytes, but for the two counts. docs/seeing.md explains the words. */
struct slab_figures {
  size_t slabs, blocks; /* blocks: live ones */
  size_t bound, live, cached, free, holes, fresh, rest;
};

struct heap_figures {
  hak_heap_summary summary;
  struct slab_figures by_class[SIZE_CLASS_COUNT];
  struct slab_figures slabs; /* the sum */
  size_t large, large_blocks, huge, huge_blocks;
  size_t kept; /* units of warm pools, and of freed large blocks that heaps keep */
  size_t threads, changing;
};

void figures_take(struct heap_figures *figures);

/* What may be resident of slabs. */
static inline size_t slab_figures_held(const struct slab_figures *slabs) {
  return slabs->bound - slabs->fresh - slabs->holes;
}

static inline size_t figures_live(const struct heap_figures *figures) {
  return figures->slabs.live + figures->large + figures->huge;
}

static inline size_t figures_blocks(const struct heap_figures *figures) {
  return figures->slabs.blocks + figures->large_blocks + figures->huge_blocks;
}

/* What may be resident. */
static inline size_t figures_held(const struct heap_figures *figures) {
  return slab_figures_held(&figures->slabs) + figures->large + figures->huge + figures->kept +
         figures->summary.retained_bytes;
}

#endif
