// Waves: allocate N blocks of one size, free the first half in order and the second half in reverse; repeat.
#include "support.h"

#include <stdlib.h>

static void run_wave(void **blocks, uint64_t count, uint64_t size) {
  for (uint64_t i = 0; i < count; i++) {
    blocks[i] = bench_allocate(size);
  }
  for (uint64_t i = 0; i < count / 2; i++) {
    free(blocks[i]);
  }
  for (uint64_t i = count; i > count / 2; i--) {
    free(blocks[i - 1]);
  }
}

int main(int argc, char **argv) {
  uint64_t count = 1600, size = 128, rounds = 10000;
  const struct bench_argument arguments[] = {
      {"--blocks", "blocks in a wave", &count, 1, 100000000, BENCH_OPTIONAL},
      {"--size", "bytes of a block", &size, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--rounds", "waves", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
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
  run_wave(blocks, count, size); // warm-up
  uint64_t start = bench_now();
  for (uint64_t round = 0; round < rounds; round++) {
    run_wave(blocks, count, size);
  }
  double seconds = bench_seconds_since(start);

  bench_report_begin("waves", count * rounds, seconds);
  bench_report_integer("blocks", count);
  bench_report_integer("size", size);
  bench_report_integer("rounds", rounds);
  bench_report_end();
  return 0;
}
