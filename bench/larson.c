// Larson: a server whose threads come and go while the blocks stay.
//
// Each lane is a table of blocks and the one thread that works on it now: it frees a random block and allocates another
// in its place, many times, then starts its successor on the same table and ends. So most blocks are freed by another
// thread than the one that allocated them, and that one is often gone.
#include "report.h"
#include "support.h"

#include <stdlib.h>

struct lane {
  _Alignas(CACHE_LINE) void **blocks;
  uint64_t operations; // of one thread
  uint64_t generations_left;
  uint32_t slots;
  uint32_t minimum;
  uint32_t span;
  uint32_t random;
  pthread_t *threads; // one for each generation, the last one first; started by the one before it
};

static uint32_t next_size(struct lane *lane) { return lane->minimum + bench_random(&lane->random) % lane->span; }

static void *work(void *argument);

static void start_next(struct lane *lane) {
  uint64_t left = --lane->generations_left;
  lane->threads[left] = bench_thread_start(work, lane);
}

static void *work(void *argument) {
  struct lane *lane = argument;
  for (uint64_t i = 0; i < lane->operations; i++) {
    uint32_t k = bench_random(&lane->random) % lane->slots;
    bench_free(lane->blocks[k]);
    lane->blocks[k] = bench_allocate(next_size(lane));
  }
  if (lane->generations_left > 0) {
    start_next(lane);
  }
  return NULL;
}

// Follows a lane from its first thread to its last: a thread's entry is written before its writer can be joined.
static void join_lane(struct lane *lane, uint64_t generations) {
  while (generations > 0) {
    bench_thread_join(lane->threads[--generations]);
  }
}

int main(int argc, char **argv) {
  enum { MAXIMUM_LANES = 256 };
  uint64_t threads = 2, slots = 5000, operations = 100000, rounds = 20, minimum = 8, maximum = 1000, seed = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads at a time", &threads, 1, MAXIMUM_LANES, BENCH_OPTIONAL},
      {"--slots", "blocks that a thread keeps", &slots, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--operations", "replacements by one thread before its successor takes over", &operations, 1, UINT32_MAX,
       BENCH_OPTIONAL},
      {"--rounds", "threads one after the other", &rounds, 1, 1000000, BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, 1, 1 << 30, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, 1 << 30, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "larson",  "Threads replace random blocks, then hand all blocks to a successor and end.",
      arguments, sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  static struct lane lanes[MAXIMUM_LANES];
  for (uint64_t i = 0; i < threads; i++) {
    lanes[i] = (struct lane){
        .blocks = bench_table(slots, sizeof(void *)),
        .threads = bench_table(rounds, sizeof(pthread_t)),
        .slots = (uint32_t)slots,
        .operations = operations,
        .generations_left = rounds,
        .minimum = (uint32_t)minimum,
        .span = (uint32_t)(maximum - minimum + 1),
        .random = bench_random_seed((uint32_t)(seed + i * 7919)),
    };
    for (uint64_t k = 0; k < slots; k++) {
      lanes[i].blocks[k] = bench_allocate(next_size(&lanes[i]));
    }
  }

  uint64_t start = bench_now();
  for (uint64_t i = 0; i < threads; i++) {
    start_next(&lanes[i]);
  }
  for (uint64_t i = 0; i < threads; i++) {
    join_lane(&lanes[i], rounds);
  }
  double seconds = bench_seconds_since(start);

  bench_report_begin("larson", threads * rounds * operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("slots", slots);
  bench_report_integer("rounds", rounds);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
