#include "cold/density.h"

#include "config/config.h"
#include "events/events.h"
#include "os/os.h"

/* A look at pages that have been used costs 3 to 6 us, a block of 2 MiB without it 0.5. */
enum { SAMPLE_BYTES = 1 << 20, SPARSE_SHARE = 8, DOUBLED_MOST = 4 };

/* Of the units of the pool, where nothing else is said: one probe in 8 MiB, and in 32 MiB. */
enum { EVERY = 4 * SUPERSLAB_UNITS, EVERY_WHOLE = 16 * SUPERSLAB_UNITS };

struct density density_large = {.every = SUPERSLAB_UNITS, .every_whole = EVERY_WHOLE};
RARE_ZEROES struct density density_wide;

void density_judge(struct density *density, const char *start, size_t bytes) {
  bytes &= ~(os_page_size() - 1);
  size_t sample = bytes < SAMPLE_BYTES ? bytes : SAMPLE_BYTES;
  size_t from = (bytes - sample) / 2 & ~(os_page_size() - 1);
  bool whole = os_resident(start + from, sample) >= sample - sample / SPARSE_SHARE;
  unsigned doubled = atomic_load_explicit(&density->doubled, memory_order_relaxed);
  atomic_store_explicit(&density->doubled, whole ? 0 : doubled + (doubled < DOUBLED_MOST), memory_order_relaxed);
  atomic_store_explicit(&density->whole, whole, memory_order_relaxed);
}

static void look(struct density *density) {
  const char *start = atomic_exchange_explicit(&density->probe, NULL, memory_order_relaxed);
  if (start != NULL) {
    density_judge(density, start + atomic_load_explicit(&density->from, memory_order_relaxed),
                  atomic_load_explicit(&density->bytes, memory_order_relaxed));
  }
}

bool density_is_whole(const struct density *density) {
  return atomic_load_explicit(&density->whole, memory_order_relaxed);
}

static size_t every_whole(const struct density *density) {
  return density->every_whole != 0 ? density->every_whole : EVERY_WHOLE;
}

/* Units from one probe to the next. */
static size_t distance(const struct density *density) {
  unsigned doubled = atomic_load_explicit(&density->doubled, memory_order_relaxed);
  size_t every = (density->every != 0 ? density->every : EVERY) << doubled;
  size_t most = every_whole(density);
  return density_is_whole(density) || every > most ? most : every;
}

/* The first block, and the one with which so many units are full. */
static bool is_due(struct density *density, size_t units) {
  size_t every = distance(density);
  size_t before = atomic_load_explicit(&density->units, memory_order_relaxed);
  atomic_store_explicit(&density->units, before + units, memory_order_relaxed); /* about: two threads may be one */
  return before == 0 || ((before ^ (before + units)) & ~(every - 1)) != 0;
}

static enum density_answer ask(struct density *density, size_t units) {
  bool whole_before = density_is_whole(density);
  bool due = is_due(density, units);
  if (due) {
    look(density);
  }
  if (due && (whole_before || !density_is_whole(density))) {
    return DENSITY_PROBE;
  }
  return density_is_whole(density) ? DENSITY_HUGE : DENSITY_SMALL;
}

enum density_answer density_ask(struct density *density, size_t units, bool tells) {
  if (options.thp != thp_default) {
    return options.thp == thp_always ? DENSITY_HUGE : DENSITY_SMALL;
  }
  enum density_answer answer = ask(density, units);
  size_t before = atomic_load_explicit(&density->put_off, memory_order_relaxed);
  if (answer == DENSITY_SMALL || (answer == DENSITY_HUGE && before == 0)) {
    return answer;
  }
  bool waits = density_is_whole(density) && !tells && before + units <= every_whole(density);
  atomic_store_explicit(&density->put_off, waits ? before + units : 0, memory_order_relaxed);
  return waits ? DENSITY_HUGE : DENSITY_PROBE;
}

void density_probe(struct density *density, const char *start, size_t from, size_t bytes) {
  atomic_store_explicit(&density->from, from, memory_order_relaxed);
  atomic_store_explicit(&density->bytes, bytes, memory_order_relaxed);
  atomic_store_explicit(&density->probe, start, memory_order_relaxed);
}

void density_left(struct density *density, const void *start) {
  if (start != NULL && atomic_load_explicit(&density->probe, memory_order_relaxed) == start) {
    look(density);
  }
}
