// Thread churn: many short-lived threads. Each allocates blocks of many sizes, frees most of them and leaves the rest
// behind; main frees what is left once the thread is gone. Resident memory must not grow with the number of threads.
#include "report.h"
#include "support.h"

enum { MAXIMUM_CONCURRENCY = 256, KEPT_ONE_IN = 8 };

struct visit {
  _Alignas(CACHE_LINE) void **blocks;
  uint64_t count;
  uint64_t maximum;
  uint32_t random;
};

static void *live(void *argument) {
  struct visit *visit = argument;
  for (uint64_t i = 0; i < visit->count; i++) {
    visit->blocks[i] = bench_allocate(1 + bench_random(&visit->random) % visit->maximum);
  }
  for (uint64_t i = 0; i < visit->count; i++) {
    if (i % KEPT_ONE_IN == 0) {
      continue;
    }
    bench_free(visit->blocks[i]);
  }
  return NULL;
}

static void free_the_rest(struct visit *visit) {
  for (uint64_t i = 0; i < visit->count; i += KEPT_ONE_IN) {
    bench_free(visit->blocks[i]);
  }
}

int main(int argc, char **argv) {
  uint64_t threads = 4000, concurrency = 2, count = 1000, maximum = 1024, seed = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads in all", &threads, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--concurrency", "threads at a time", &concurrency, 1, MAXIMUM_CONCURRENCY, BENCH_OPTIONAL},
      {"--blocks", "blocks of each thread", &count, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, 1 << 30, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "churn",   "Starts many short-lived threads; each leaves one block in eight to be freed after its end.",
      arguments, sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  static struct visit visits[MAXIMUM_CONCURRENCY];
  static pthread_t running[MAXIMUM_CONCURRENCY];
  for (uint64_t i = 0; i < concurrency; i++) {
    visits[i] = (struct visit){bench_table(count, sizeof(void *)), count, maximum,
                               bench_random_seed((uint32_t)(seed + i * 7919))};
  }

  uint64_t start = bench_now();
  uint64_t lane = 0;
  for (uint64_t i = 0; i < threads; i++) {
    if (i >= concurrency) {
      bench_thread_join(running[lane]);
      free_the_rest(&visits[lane]);
    }
    running[lane] = bench_thread_start(live, &visits[lane]);
    lane = lane + 1 < concurrency ? lane + 1 : 0;
  }
  for (lane = 0; lane < concurrency && lane < threads; lane++) {
    bench_thread_join(running[lane]);
    free_the_rest(&visits[lane]);
  }
  double seconds = bench_seconds_since(start);

  bench_report_begin("churn", threads * count, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("concurrency", concurrency);
  bench_report_integer("blocks", count);
  bench_report_end();
  return 0;
}
