#include "report/stats_lines.h"

#include "config/config.h"
#include "events/events.h"
#include "os/os.h"
#include "report/lock_lines.h"
#include "report/text.h"
#include "report/waste_lines.h"
#include "warm/warm.h"

static const char *const band_names[BAND_COUNT] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "mid"};

/* Blocks of slabs that took a path, or are of a band, by malloc or free (`first`: COUNT_MALLOC or COUNT_FREE). */
static uint64_t by_path(const struct observe_sums *sums, unsigned first, unsigned path) {
  uint64_t sum = 0;
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    sum += sums->value[first + path * BAND_COUNT + band];
  }
  return sum;
}

static uint64_t by_band(const struct observe_sums *sums, unsigned first, unsigned paths, unsigned band) {
  uint64_t sum = 0;
  for (unsigned path = 0; path < paths; path++) {
    sum += sums->value[first + path * BAND_COUNT + band];
  }
  return sum;
}

static uint64_t on_paths(const struct observe_sums *sums, unsigned first, unsigned paths) {
  uint64_t sum = 0;
  for (unsigned path = 0; path < paths; path++) {
    sum += by_path(sums, first, path);
  }
  return sum;
}

static void bands_line(struct text *text, const char *name, const struct observe_sums *sums, unsigned first,
                       unsigned paths) {
  text_line(text, name);
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    text_number(text, band_names[band], by_band(sums, first, paths, band));
  }
}

static void print_process(struct text *text, const struct observe_sums *sums) {
  (void)sums;
  text_line(text, "process_stats");
  text_number(text, "pid", (uint64_t)os_process_id());
  text_number(text, "forked_from", (uint64_t)observe_forked_from());
}

static void print_free_path(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  text_line(text, "free_path_stats");
  text_number(text, "total",
              on_paths(sums, COUNT_FREE, FREE_SLAB_PATHS) + value[COUNT_FREE_LARGE] + value[COUNT_FREE_HUGE] +
                  value[COUNT_FREE_EMPTY] + value[COUNT_FREE_GUARDED] + value[COUNT_FREE_NULL]);
  text_number(text, "cache", by_path(sums, COUNT_FREE, FREE_CACHE));
  text_number(text, "depot", by_path(sums, COUNT_FREE, FREE_DEPOT));
  text_number(text, "spill", by_path(sums, COUNT_FREE, FREE_SPILL));
  text_number(text, "remote", by_path(sums, COUNT_FREE, FREE_REMOTE));
  text_number(text, "large", value[COUNT_FREE_LARGE]);
  text_number(text, "huge", value[COUNT_FREE_HUGE]);
  text_number(text, "empty", value[COUNT_FREE_EMPTY]);
  text_number(text, "guarded", value[COUNT_FREE_GUARDED]);
  text_number(text, "null", value[COUNT_FREE_NULL]);
  bands_line(text, "free_path_stats_by_class", sums, COUNT_FREE, FREE_SLAB_PATHS);
}

static void print_malloc_path(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  text_line(text, "malloc_path_stats");
  text_number(text, "total",
              on_paths(sums, COUNT_MALLOC, MALLOC_SLAB_PATHS) + value[COUNT_MALLOC_LARGE] + value[COUNT_MALLOC_HUGE] +
                  value[COUNT_MALLOC_EMPTY] + value[COUNT_MALLOC_GUARDED] + value[COUNT_MALLOC_FAILED]);
  text_number(text, "cache", by_path(sums, COUNT_MALLOC, MALLOC_CACHE));
  text_number(text, "depot", by_path(sums, COUNT_MALLOC, MALLOC_DEPOT));
  text_number(text, "slab", by_path(sums, COUNT_MALLOC, MALLOC_SLAB));
  text_number(text, "fresh", by_path(sums, COUNT_MALLOC, MALLOC_FRESH));
  text_number(text, "borrow", by_path(sums, COUNT_MALLOC, MALLOC_BORROW));
  text_number(text, "coalesced", by_path(sums, COUNT_MALLOC, MALLOC_COALESCED));
  text_number(text, "gathered", by_path(sums, COUNT_MALLOC, MALLOC_GATHERED));
  text_number(text, "stolen", by_path(sums, COUNT_MALLOC, MALLOC_STOLEN));
  text_number(text, "large", value[COUNT_MALLOC_LARGE]);
  text_number(text, "huge", value[COUNT_MALLOC_HUGE]);
  text_number(text, "empty", value[COUNT_MALLOC_EMPTY]);
  text_number(text, "guarded", value[COUNT_MALLOC_GUARDED]);
  text_number(text, "failed", value[COUNT_MALLOC_FAILED]);
  bands_line(text, "malloc_path_stats_by_class", sums, COUNT_MALLOC, MALLOC_SLAB_PATHS);
}

static void print_dispatch(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  uint64_t slabs = on_paths(sums, COUNT_FREE, FREE_SLAB_PATHS);
  uint64_t mid = by_band(sums, COUNT_FREE, FREE_SLAB_PATHS, BAND_MID);
  uint64_t large = value[COUNT_FREE_LARGE] + value[COUNT_FREE_HUGE];
  text_line(text, "free_dispatch_stats");
  text_number(text, "total", slabs + large);
  text_number(text, "tiny", slabs - mid);
  text_number(text, "mid", mid);
  text_number(text, "large", large);
  text_number(text, "route_own", slabs - by_path(sums, COUNT_FREE, FREE_REMOTE));
  text_number(text, "route_remote", by_path(sums, COUNT_FREE, FREE_REMOTE));
  text_number(text, "route_large", value[COUNT_FREE_LARGE]);
  text_number(text, "route_huge", value[COUNT_FREE_HUGE]);
}

static void print_live(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  uint64_t live[BAND_COUNT];
  observe_live(live);
  text_line(text, "live_stats_by_class");
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    text_number(text, band_names[band], live[band]);
  }
  text_number(text, "large", value[COUNT_MALLOC_LARGE] - value[COUNT_FREE_LARGE]);
  text_number(text, "huge", value[COUNT_MALLOC_HUGE] - value[COUNT_FREE_HUGE]);
}

static void print_cache(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  uint64_t malloc_hits = by_path(sums, COUNT_MALLOC, MALLOC_CACHE);
  uint64_t free_hits = by_path(sums, COUNT_FREE, FREE_CACHE);
  text_line(text, "cache_stats");
  text_number(text, "malloc_hits", malloc_hits);
  text_percent(text, "malloc_hit_percent", malloc_hits, on_paths(sums, COUNT_MALLOC, MALLOC_SLAB_PATHS));
  text_number(text, "free_hits", free_hits);
  text_percent(text, "free_hit_percent", free_hits, on_paths(sums, COUNT_FREE, FREE_SLAB_PATHS));
  text_number(text, "refills", value[COUNT_REFILLS]);
  text_number(text, "refill_blocks", value[COUNT_REFILL_BLOCKS]);
  text_percent(text, "refill_average", value[COUNT_REFILL_BLOCKS], 100 * value[COUNT_REFILLS]); /* blocks */
  text_number(text, "spills", value[COUNT_SPILLS]);
  text_number(text, "spill_blocks", value[COUNT_SPILL_BLOCKS]);
}

static void print_depot(struct text *text, const struct observe_sums *sums) {
  text_line(text, "depot_stats");
  text_number(text, "in", sums->value[COUNT_DEPOT_PUSHES]);
  text_number(text, "out", sums->value[COUNT_DEPOT_REFILLS]);
  text_number(text, "taken_apart", sums->value[COUNT_DEPOT_TAKEN_APART]);
}

/* Of counters that there is one of for each size class. */
static uint64_t of_all_classes(const struct observe_sums *sums, unsigned first) {
  uint64_t sum = 0;
  for (unsigned size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    sum += sums->value[first + size_class];
  }
  return sum;
}

static void print_warm_pool(struct text *text, const struct observe_sums *sums) {
  text_line(text, "warm_pool_stats");
  text_number(text, "hits", of_all_classes(sums, COUNT_WARM_POOL_HITS));
  text_number(text, "misses", of_all_classes(sums, COUNT_WARM_POOL_MISSES));
  text_number(text, "prefilled", of_all_classes(sums, COUNT_WARM_POOL_PREFILLED));
  for (unsigned size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    const uint64_t *value = sums->value + size_class;
    if (value[COUNT_WARM_POOL_HITS] + value[COUNT_WARM_POOL_MISSES] > 0) {
      text_row(text, "warm_pool_stats_by_class");
      text_number(text, "size", size_classes[size_class].stride);
      text_number(text, "hits", value[COUNT_WARM_POOL_HITS]);
      text_number(text, "misses", value[COUNT_WARM_POOL_MISSES]);
      text_number(text, "prefilled", value[COUNT_WARM_POOL_PREFILLED]);
    }
  }
}

/* The locks are the pool's own: their figures are those of LOCK_STATS. */
static void print_shared_pool(struct text *text, const struct observe_sums *sums) {
  struct pool_units units = pool_units();
  struct lock_counts lock = pool_lock_counts();
  text_line(text, "shared_pool_stats");
  text_number(text, "unused", units.unused);
  text_number(text, "active", units.active);
  text_number(text, "empty", units.empty);
  text_number(text, "locks", lock.taken);
  text_number(text, "locks_waited", lock.waited);
  text_number(text, "to_open", sums->value[COUNT_TO_OPEN]);
  text_number(text, "to_draining", sums->value[COUNT_TO_DRAINING]);
  text_number(text, "to_free", sums->value[COUNT_TO_FREE]);
}

static void print_slab(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  text_line(text, "slab_stats");
  text_number(text, "bound", value[COUNT_SLABS_BOUND]);
  text_number(text, "recycled", value[COUNT_SLABS_RECYCLED]);
  text_number(text, "released", value[COUNT_SLABS_RELEASED]);
  text_number(text, "adopted", value[COUNT_SLABS_ADOPTED]);
  text_number(text, "full", value[COUNT_SLABS_FULL]);
  text_number(text, "taken_blocks", value[COUNT_BLOCKS_TAKEN]);
  text_number(text, "carved_blocks", value[COUNT_BLOCKS_CARVED]);
  text_number(text, "coalesced_blocks", value[COUNT_BLOCKS_COALESCED]);
  text_number(text, "put_blocks", value[COUNT_BLOCKS_PUT]);
  text_number(text, "collected_blocks", value[COUNT_BLOCKS_COLLECTED]);
}

static void print_superslab(struct text *text, const struct observe_sums *sums) {
  (void)sums;
  struct pool_figures pool = pool_figures();
  text_line(text, "superslab_stats");
  text_number(text, "total", pool.superslabs);
  text_number(text, "open", pool.tier[TIER_OPEN]);
  text_number(text, "draining", pool.tier[TIER_DRAINING]);
  text_number(text, "free", pool.tier[TIER_FREE]);
  text_number(text, "arenas", pool.arenas);
}

static void print_remote(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  text_line(text, "remote_stats");
  text_number(text, "gathered", by_path(sums, COUNT_FREE, FREE_REMOTE));
  text_number(text, "from_cpus", value[COUNT_CPU_BLOCKS_POSTED]);
  text_number(text, "magazines_sent_home", value[COUNT_HOME_MAGAZINES]);
  text_number(text, "blocks_sent_home", value[COUNT_HOME_BLOCKS]);
  text_number(text, "kept_blocks", value[COUNT_BLOCKS_KEPT]);
  text_number(text, "posted_words", value[COUNT_REMOTE_WORDS]);
  text_number(text, "posted_blocks", value[COUNT_REMOTE_BLOCKS]);
  text_number(text, "publications", value[COUNT_REMOTE_PUBLICATIONS]);
  text_number(text, "collected", value[COUNT_BLOCKS_COLLECTED]);
}

static void print_os(struct text *text, const struct observe_sums *sums) {
  struct os_counts os = os_counts();
  struct observe_own own = observe_own();
  text_line(text, "os_stats");
  text_number(text, "map_calls", os.map_calls - own.map_calls);
  text_number(text, "mapped_bytes", os.mapped_bytes - own.mapped_bytes);
  text_number(text, "unmap_calls", os.unmap_calls);
  text_number(text, "unmapped_bytes", os.unmapped_bytes);
  text_number(text, "purge_calls", os.purge_calls);
  text_number(text, "purged_bytes", os.purged_bytes);
  text_number(text, "remap_calls", os.remap_calls);
  text_number(text, "huge_pages_tried", sums->value[COUNT_HUGE_TRIED]);
  text_number(text, "huge_pages_long", sums->value[COUNT_HUGE_LONG]);
}

static void print_locks(struct text *text, const struct observe_sums *sums) { lock_lines_print(text, sums); }

static void print_waste(struct text *text, const struct observe_sums *sums) {
  (void)sums;
  waste_lines_print(text);
}

static const struct {
  long box;
  void (*print)(struct text *text, const struct observe_sums *sums);
} lines[] = {
    {stats_process, print_process},
    {stats_free_path, print_free_path},
    {stats_malloc_path, print_malloc_path},
    {stats_dispatch, print_dispatch},
    {stats_live, print_live},
    {stats_cache, print_cache},
    {stats_depot, print_depot},
    {stats_warm_pool, print_warm_pool},
    {stats_slab, print_slab},
    {stats_superslab, print_superslab},
    {stats_shared_pool, print_shared_pool},
    {stats_remote, print_remote},
    {stats_os, print_os},
    {stats_locks, print_locks},
    {stats_waste, print_waste},
};

bool stats_lines_print(long boxes, bool json) {
  struct text text;
  struct observe_sums sums = observe_sums();
  text_begin(&text, json ? TEXT_JSON : TEXT_HUMAN, NULL);
  for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (boxes == 0 || (boxes & lines[i].box) != 0) {
      lines[i].print(&text, &sums);
    }
  }
  text_end(&text);
  return true;
}
