// Waves: allocate N blocks of one size, free the first half in order and the second half in reverse; repeat. Or free
// them all in one random order, the same in each wave.
#include "report.h"
#include "support.h"

static void allocate_wave(void **blocks, uint64_t count, uint64_t size) {
  for (uint64_t i = 0; i < count; i++) {
    blocks[i] = bench_allocate(size);
  }
}

static void free_both_ways(void **blocks, uint64_t count) {
  for (uint64_t i = 0; i < count / 2; i++) {
    bench_free(blocks[i]);
  }
  for (uint64_t i = count; i > count / 2; i--) {
    bench_free(blocks[i - 1]);
  }
}

static void free_in_order(void **blocks, uint64_t count, const uint32_t *order) {
  for (uint64_t i = 0; i < count; i++) {
    bench_free(blocks[order[i]]);
  }
}

static void run_wave(void **blocks, uint64_t count, uint64_t size, const uint32_t *order) {
  allocate_wave(blocks, count, size);
  if (order != NULL) {
    free_in_order(blocks, count, order);
  } else {
    free_both_ways(blocks, count);
  }
}

// 0 … count - 1, shuffled.
static uint32_t *random_order(uint64_t count) {
  uint32_t *order = bench_table(count, sizeof *order);
  uint32_t random = bench_random_seed(1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = bench_random(&random) % (i + 1);
    order[i] = order[other];
    order[other] = i;
  }
  return order;
}

int main(int argc, char **argv) {
  uint64_t count = 1600, size = 128, rounds = 10000, shuffled = 0;
  const struct bench_argument arguments[] = {
      {"--blocks", "blocks in a wave", &count, 1, 100000000, BENCH_OPTIONAL},
      {"--size", "bytes of a block", &size, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--rounds", "waves", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--random", "free in random order", &shuffled, 0, 1, BENCH_FLAG},
  };
  const struct bench_program program = {
      "waves",
      "Allocates blocks of one size, frees the first half in order and the second half in reverse, and repeats.",
      arguments,
      sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  void **blocks = bench_table(count, sizeof *blocks);
  const uint32_t *order = shuffled ? random_order(count) : NULL;
  run_wave(blocks, count, size, order); // warm-up
  uint64_t start = bench_now();
  for (uint64_t round = 0; round < rounds; round++) {
    run_wave(blocks, count, size, order);
  }
  double seconds = bench_seconds_since(start);

  bench_report_begin("waves", count * rounds, seconds);
  bench_report_integer("blocks", count);
  bench_report_integer("size", size);
  bench_report_integer("rounds", rounds);
  bench_report_integer("random", shuffled);
  bench_report_end();
  return 0;
}
