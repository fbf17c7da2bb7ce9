// Crowd: many threads, all alive at once, each of which has used every size class and sleeps. What the allocator then
// holds for threads that do nothing is the figure: the resident memory while all sleep.
#include "curve.h"
#include "report.h"
#include "support.h"

#include <string.h>

enum { SMALLEST_SIZE = 8, LARGEST_SIZE = 32 << 10, STEPS_PER_DOUBLING = 8, BLOCKS_OF_A_SIZE = 2 };

static pthread_barrier_t all_slept;
static pthread_barrier_t all_counted;

struct sleeper {
  uint64_t rounds;
  uint64_t blocks;
};

static size_t next_size(size_t size) {
  size_t step = ((size_t)1 << (63 - __builtin_clzl(size))) / STEPS_PER_DOUBLING;
  return size + (step > 0 ? step : 1);
}

// Two blocks of each size, close enough together to reach every class of any allocator; returns how many.
static uint64_t use_every_class(void) {
  uint64_t blocks = 0;
  for (size_t size = SMALLEST_SIZE; size <= LARGEST_SIZE; size = next_size(size)) {
    char *pair[BLOCKS_OF_A_SIZE];
    for (unsigned i = 0; i < BLOCKS_OF_A_SIZE; i++) {
      pair[i] = bench_allocate(size);
      memset(pair[i], 1, size);
    }
    for (unsigned i = 0; i < BLOCKS_OF_A_SIZE; i++) {
      bench_free_touched(pair[i], size);
      blocks++;
    }
  }
  return blocks;
}

static void *live(void *argument) {
  struct sleeper *sleeper = argument;
  for (uint64_t round = 0; round < sleeper->rounds; round++) {
    sleeper->blocks += use_every_class();
  }
  pthread_barrier_wait(&all_slept);
  pthread_barrier_wait(&all_counted);
  return NULL;
}

int main(int argc, char **argv) {
  uint64_t threads = 1000, rounds = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads, all alive at once", &threads, 1, 100000, BENCH_OPTIONAL},
      {"--rounds", "times that each uses every class before it sleeps", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "crowd",
      "Threads use every size class, then sleep until all have; all are alive at once.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "The time is that until all sleep; resident_kib_asleep is what the process then holds.",
  };
  bench_parse(&program, argc, argv);

  struct sleeper *sleepers = bench_table(threads, sizeof *sleepers);
  pthread_t *running = bench_table(threads, sizeof *running);
  pthread_barrier_init(&all_slept, NULL, (unsigned)threads + 1);
  pthread_barrier_init(&all_counted, NULL, (unsigned)threads + 1);

  bench_curve_begin();
  uint64_t start = bench_now();
  for (uint64_t i = 0; i < threads; i++) {
    sleepers[i].rounds = rounds;
    running[i] = bench_thread_start(live, &sleepers[i]);
    bench_curve_sample();
  }
  pthread_barrier_wait(&all_slept);
  double seconds = bench_seconds_since(start);
  bench_curve_end();
  uint64_t asleep = bench_resident_kib();
  pthread_barrier_wait(&all_counted);

  uint64_t operations = 0;
  for (uint64_t i = 0; i < threads; i++) {
    bench_thread_join(running[i]);
    operations += sleepers[i].blocks;
  }

  bench_report_begin("crowd", operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("rounds", rounds);
  bench_report_integer("resident_kib_asleep", asleep);
  bench_report_curve();
  bench_report_end();
  return 0;
}
