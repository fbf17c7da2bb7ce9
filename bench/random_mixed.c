// Random mixed, the main workload: slots that are filled and emptied in a random but fixed order.
//
// The timed loop is the measure of the allocator, so it must cost next to nothing itself: no call but malloc and free,
// the slot index kept in a register across them, one loop for the plain sizes and one for clamped ones. The result of
// malloc is not tested; without memory the write of the first byte stops the program.
#include "environment.h"
#include "report.h"
#include "support.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_SIZE = 16, SIZE_MASK = 1023, LARGEST_SIZE = SMALLEST_SIZE + SIZE_MASK };
enum { BAND_COUNT = 9 }; // up to 8, 16, … 1024 bytes, and beyond

static const char *const band_names[BAND_COUNT] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "mid"};

struct size_range {
  uint32_t minimum;
  uint32_t maximum;
};

// Frees by band; sizes[k] is the size of the block in slot k. Only --count-bands has one.
struct band_counts {
  uint32_t *sizes;
  uint64_t frees[BAND_COUNT];
};

static unsigned band_of(uint32_t size) {
  unsigned band = 0;
  for (uint32_t limit = 8; size > limit && band < BAND_COUNT - 1; limit *= 2) {
    band++;
  }
  return band;
}

static inline uint32_t size_from(uint32_t random, const struct size_range *clamp) {
  uint32_t size = SMALLEST_SIZE + (random & SIZE_MASK);
  if (clamp == NULL) {
    return size;
  }
  size = size < clamp->minimum ? clamp->minimum : size;
  return size > clamp->maximum ? clamp->maximum : size;
}

// The one definition of the workload. Inlined with `clamp` or `counts` known to be NULL, their code is gone.
static inline __attribute__((always_inline)) void mix(void **slots, uint32_t ws, uint32_t seed, uint64_t operations,
                                                      const struct size_range *clamp, struct band_counts *counts) {
  uint32_t x = bench_random_seed(seed);
  for (; operations != 0; operations--) {
    bench_random(&x);
    uint32_t k = x % ws;
    char *block = slots[k];
    if (block != NULL) {
      if (counts != NULL) {
        counts->frees[band_of(counts->sizes[k])]++;
      }
      slots[k] = NULL;
      free(block);
    } else {
      uint32_t size = size_from(x, clamp);
      if (counts != NULL) {
        counts->sizes[k] = size;
      }
      block = malloc(size);
      slots[k] = block;
      *block = 1;
    }
  }
}

static __attribute__((noinline)) void mix_plain(void **slots, uint32_t ws, uint32_t seed, uint64_t operations) {
  mix(slots, ws, seed, operations, NULL, NULL);
}

static __attribute__((noinline)) void mix_clamped(void **slots, uint32_t ws, uint32_t seed, uint64_t operations,
                                                  struct size_range range) {
  mix(slots, ws, seed, operations, &range, NULL);
}

static __attribute__((noinline)) void mix_counted(void **slots, uint32_t ws, uint32_t seed, uint64_t operations,
                                                  struct size_range range, struct band_counts *counts) {
  mix(slots, ws, seed, operations, &range, counts);
}

static void run(void **slots, uint32_t ws, uint32_t seed, uint64_t operations, struct size_range range,
                struct band_counts *counts) {
  if (counts != NULL) {
    mix_counted(slots, ws, seed, operations, range, counts);
  } else if (range.minimum <= SMALLEST_SIZE && range.maximum >= LARGEST_SIZE) {
    mix_plain(slots, ws, seed, operations);
  } else {
    mix_clamped(slots, ws, seed, operations, range);
  }
}

static void free_all(void **slots, uint32_t ws, struct band_counts *counts) {
  for (uint32_t k = 0; k < ws; k++) {
    if (counts != NULL && slots[k] != NULL) {
      counts->frees[band_of(counts->sizes[k])]++;
    }
    free(slots[k]);
  }
}

// ---- sizes from the environment

static uint64_t size_from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text != NULL ? bench_number(name, text, 1, UINT32_MAX) : otherwise;
}

static bool environment_is_set(const char *name) {
  const char *text = getenv(name);
  if (text == NULL || strcmp(text, "0") == 0) {
    return false;
  }
  if (strcmp(text, "1") != 0) {
    bench_usage_error("%s must be 0 or 1, not '%s'", name, text);
  }
  return true;
}

// The size of the one class that HAKMEM_BENCH_C?_ONLY asks for, or 0.
static uint32_t one_class_size(void) {
  static const struct {
    const char *name;
    uint32_t size;
  } modes[] = {{"HAKMEM_BENCH_C5_ONLY", 256}, {"HAKMEM_BENCH_C6_ONLY", 512}, {"HAKMEM_BENCH_C7_ONLY", 1024}};
  const char *chosen = NULL;
  uint32_t size = 0;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    if (!environment_is_set(modes[i].name)) {
      continue;
    }
    if (chosen != NULL) {
      bench_usage_error("%s and %s cannot both be set", chosen, modes[i].name);
    }
    chosen = modes[i].name;
    size = modes[i].size;
  }
  return size;
}

// Arguments win over one class, one class over a minimum and maximum from the environment.
static struct size_range choose_range(size_t positional, uint64_t minimum, uint64_t maximum) {
  enum { WITHOUT_RANGE = 3, WITH_MINIMUM_ONLY = 4 };
  if (positional == WITH_MINIMUM_ONLY) {
    bench_usage_error("MIN needs MAX beside it");
  }
  if (positional == WITHOUT_RANGE) {
    uint32_t size = one_class_size();
    if (size != 0) {
      return (struct size_range){size, size};
    }
    minimum = size_from_environment("HAKMEM_BENCH_MIN_SIZE", minimum);
    maximum = size_from_environment("HAKMEM_BENCH_MAX_SIZE", maximum);
  }
  if (minimum > maximum) {
    bench_usage_error("the smallest size %u is above the largest %u", (unsigned)minimum, (unsigned)maximum);
  }
  return (struct size_range){(uint32_t)minimum, (uint32_t)maximum};
}

// ---- the program

static void report_frees(const struct band_counts *counts) {
  uint64_t total = 0;
  bench_report_object_begin("frees_by_band");
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    bench_report_integer(band_names[band], counts->frees[band]);
    total += counts->frees[band];
  }
  bench_report_object_end();
  bench_report_integer("frees", total);
}

int main(int argc, char **argv) {
  uint64_t iters = 0, ws = 0, seed = 0, minimum = SMALLEST_SIZE, maximum = LARGEST_SIZE, count_bands = 0;
  const struct bench_argument arguments[] = {
      {"ITERS", "timed operations; a tenth as many more run first as warm-up", &iters, 1, UINT64_MAX / 2,
       BENCH_REQUIRED},
      {"WS", "slots (the working set)", &ws, 1, UINT32_MAX, BENCH_REQUIRED},
      {"SEED", "seed of xorshift32; 0 counts as 1", &seed, 0, UINT32_MAX, BENCH_REQUIRED},
      {"MIN", "smallest size: smaller ones are raised to it", &minimum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"MAX", "largest size: larger ones are lowered to it", &maximum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--count-bands", "also count the frees by size band (slower: not for timing)", &count_bands, 0, 1, BENCH_FLAG},
  };
  static const char *const environment[] = {"HAKMEM_BENCH_MIN_SIZE", "HAKMEM_BENCH_MAX_SIZE", "HAKMEM_BENCH_C5_ONLY",
                                            "HAKMEM_BENCH_C6_ONLY",  "HAKMEM_BENCH_C7_ONLY",  NULL};
  const struct bench_program program = {
      "random_mixed",
      "Each operation draws a random slot: a full one is freed, an empty one gets a block of 16 to 1039 bytes.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "environment (used when MIN and MAX are not given):\n"
      "  HAKMEM_BENCH_MIN_SIZE=N, HAKMEM_BENCH_MAX_SIZE=N   the same as MIN and MAX\n"
      "  HAKMEM_BENCH_C5_ONLY=1, …C6_ONLY=1, …C7_ONLY=1     every block 256, 512 or 1024 bytes",
  };
  bench_reads(environment);
  size_t positional = bench_parse(&program, argc, argv);
  struct size_range range = choose_range(positional, minimum, maximum);

  void **slots = bench_table(ws, sizeof *slots);
  struct band_counts band_counts = {0};
  struct band_counts *counts = NULL;
  if (count_bands) {
    band_counts.sizes = bench_table(ws, sizeof *band_counts.sizes);
    counts = &band_counts;
  }

  run(slots, (uint32_t)ws, (uint32_t)seed + 0xDEADBEEFu, iters / 10, range, counts);
  uint64_t start = bench_now();
  run(slots, (uint32_t)ws, (uint32_t)seed, iters, range, counts);
  double seconds = bench_seconds_since(start);
  free_all(slots, (uint32_t)ws, counts);

  printf("Throughput = %.0f ops/s [iter=%llu ws=%llu] time=%.3fs\n", (double)iters / seconds, (unsigned long long)iters,
         (unsigned long long)ws, seconds);
  bench_report_begin("random_mixed", iters, seconds);
  bench_report_integer("ws", ws);
  bench_report_integer("seed", seed);
  bench_report_integer("min", range.minimum);
  bench_report_integer("max", range.maximum);
  if (counts != NULL) {
    report_frees(counts);
  }
  bench_report_end();
  return 0;
}
