// Exchange: threads put blocks into slots that they share, and free what another one of them has left there. Sizes are
// drawn evenly by magnitude, and every page is written.
#include "report.h"
#include "support.h"

#include <stdatomic.h>

// Behind the first byte, by which bench_free_touched knows the block.
struct block {
  unsigned char mark;
  uint64_t size;
};

struct worker {
  _Alignas(CACHE_LINE) struct block *_Atomic *slots;
  uint64_t count;
  uint64_t operations;
  uint64_t minimum;
  uint64_t maximum;
  uint32_t random;
};

static struct block *fill(struct worker *worker) {
  uint64_t size = bench_draw_magnitude(&worker->random, worker->minimum, worker->maximum);
  struct block *block = bench_allocate_touched(size);
  block->size = size;
  return block;
}

static void empty(struct block *block) {
  if (block != NULL) {
    bench_free_touched(block, block->size);
  }
}

static void *work(void *argument) {
  struct worker *worker = argument;
  for (uint64_t i = 0; i < worker->operations; i++) {
    struct block *block = fill(worker);
    empty(atomic_exchange(&worker->slots[bench_random(&worker->random) % worker->count], block));
  }
  return NULL;
}

int main(int argc, char **argv) {
  enum { MAXIMUM_THREADS = 256 };
  uint64_t threads = 8, slots = 4096, operations = 50000, minimum = 8 << 10, maximum = 32 << 10, seed = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads", &threads, 1, MAXIMUM_THREADS, BENCH_OPTIONAL},
      {"--slots", "slots that all threads share", &slots, 1, 1 << 24, BENCH_OPTIONAL},
      {"--operations", "blocks of each thread", &operations, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, sizeof(struct block) + 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, sizeof(struct block) + 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "exchange", "Threads fill random slots that they share with blocks, and free what was there.",
      arguments,  sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  static struct worker workers[MAXIMUM_THREADS];
  struct block *_Atomic *table = bench_table(slots, sizeof *table);
  for (uint64_t i = 0; i < threads; i++) {
    workers[i] = (struct worker){
        .slots = table,
        .count = slots,
        .operations = operations,
        .minimum = minimum,
        .maximum = maximum,
        .random = bench_random_seed((uint32_t)(seed + i * 7919)),
    };
  }

  double seconds = bench_run_threads(work, workers, sizeof *workers, threads);
  for (uint64_t k = 0; k < slots; k++) {
    empty(table[k]);
  }

  bench_report_begin("exchange", threads * operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("slots", slots);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
