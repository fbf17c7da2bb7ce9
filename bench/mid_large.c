// Mid-large: several threads, each with slots of its own that it fills and empties at random with blocks of 8 KiB to
// 1 MiB, every page written. Sizes are drawn evenly by magnitude.
#include "report.h"
#include "support.h"

struct worker {
  _Alignas(CACHE_LINE) void **blocks;
  uint64_t *sizes;
  uint64_t slots;
  uint64_t operations;
  uint64_t minimum;
  uint64_t maximum;
  uint32_t random;
};

static void replace(struct worker *worker, uint64_t k) {
  if (worker->blocks[k] != NULL) {
    bench_free_touched(worker->blocks[k], worker->sizes[k]);
    worker->blocks[k] = NULL;
    return;
  }
  worker->sizes[k] = bench_draw_magnitude(&worker->random, worker->minimum, worker->maximum);
  worker->blocks[k] = bench_allocate_touched(worker->sizes[k]);
}

static void *work(void *argument) {
  struct worker *worker = argument;
  for (uint64_t i = 0; i < worker->operations; i++) {
    replace(worker, bench_random(&worker->random) % worker->slots);
  }
  for (uint64_t k = 0; k < worker->slots; k++) {
    if (worker->blocks[k] != NULL) {
      replace(worker, k);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  enum { MAXIMUM_THREADS = 256 };
  uint64_t threads = 4, slots = 40, operations = 50000, minimum = 8 << 10, maximum = 1 << 20, seed = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads", &threads, 1, MAXIMUM_THREADS, BENCH_OPTIONAL},
      {"--slots", "slots of each thread", &slots, 1, 1 << 20, BENCH_OPTIONAL},
      {"--operations", "draws of each thread: a full slot is freed, an empty one filled", &operations, 1, UINT32_MAX,
       BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "mid_large", "Threads fill and empty random slots with blocks of 8 KiB to 1 MiB, every page of them written.",
      arguments,   sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  static struct worker workers[MAXIMUM_THREADS];
  for (uint64_t i = 0; i < threads; i++) {
    workers[i] = (struct worker){
        .blocks = bench_table(slots, sizeof(void *)),
        .sizes = bench_table(slots, sizeof(uint64_t)),
        .slots = slots,
        .operations = operations,
        .minimum = minimum,
        .maximum = maximum,
        .random = bench_random_seed((uint32_t)(seed + i * 7919)),
    };
  }

  double seconds = bench_run_threads(work, workers, sizeof *workers, threads);

  bench_report_begin("mid_large", threads * operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("slots", slots);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
