// Large mix: blocks of 0.1 to 30 MB in random slots, each page touched once. Sizes are drawn evenly by magnitude.
#include "report.h"
#include "support.h"

int main(int argc, char **argv) {
  uint64_t operations = 4000, slots = 20, minimum = 100000, maximum = 30000000, seed = 1;
  const struct bench_argument arguments[] = {
      {"--operations", "draws: a full slot is freed, an empty one filled", &operations, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--slots", "slots", &slots, 1, 1 << 20, BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "large_mix",
      "Each operation draws a random slot: a full one is freed, an empty one gets a large block that is touched whole.",
      arguments,
      sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  void **blocks = bench_table(slots, sizeof *blocks);
  uint64_t *sizes = bench_table(slots, sizeof *sizes);
  uint32_t random = bench_random_seed((uint32_t)seed);
  uint64_t start = bench_now();
  for (uint64_t i = 0; i < operations; i++) {
    uint64_t k = bench_random(&random) % slots;
    if (blocks[k] != NULL) {
      bench_free_touched(blocks[k], sizes[k]);
      blocks[k] = NULL;
    } else {
      sizes[k] = bench_draw_magnitude(&random, minimum, maximum);
      blocks[k] = bench_allocate_touched(sizes[k]);
    }
  }
  double seconds = bench_seconds_since(start);
  for (uint64_t k = 0; k < slots; k++) {
    if (blocks[k] != NULL) {
      bench_free_touched(blocks[k], sizes[k]);
    }
  }

  bench_report_begin("large_mix", operations, seconds);
  bench_report_integer("slots", slots);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
