// Idle: threads fill memory with small blocks, each frees most of its own at random, and then none calls the allocator
// any more. Reports resident memory after each stage; the time is that of the stages in which the threads work.
#include "curve.h"
#include "filled.h"
#include "report.h"
#include "support.h"

enum { STAGES = 3 }; // fill, free most, free the survivors

static pthread_barrier_t gate;       // each stage begins here
static atomic_uint_fast64_t arrived; // threads at the end of a stage, over all stages

struct worker {
  void **blocks;
  uint64_t capacity;
  uint64_t count;
  uint64_t bytes;
  uint64_t minimum;
  uint64_t maximum;
  uint64_t percent;
  uint64_t operations; // blocks allocated
  uint64_t ended[STAGES];
  uint32_t random;
};

// Allocates blocks of evenly drawn sizes until `bytes` are reached.
static void fill(struct worker *worker) {
  for (uint64_t bytes = 0; bytes < worker->bytes;) {
    size_t size = worker->minimum + bench_random(&worker->random) % (worker->maximum - worker->minimum + 1);
    worker->blocks[worker->count++] = bench_filled_allocate(size);
    bytes += size;
  }
  worker->operations = worker->count;
}

static void free_most(struct worker *worker) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < worker->count; i++) {
    if (bench_random(&worker->random) % 100 < worker->percent) {
      bench_free(worker->blocks[i]);
    } else {
      worker->blocks[kept++] = worker->blocks[i];
    }
  }
  worker->count = kept;
}

static void free_survivors(struct worker *worker) {
  for (uint64_t i = 0; i < worker->count; i++) {
    bench_filled_free(worker->blocks[i]);
  }
}

static void *work(void *argument) {
  static void (*const stages[STAGES])(struct worker *) = {fill, free_most, free_survivors};
  struct worker *worker = argument;
  for (unsigned i = 0; i < STAGES; i++) {
    pthread_barrier_wait(&gate);
    stages[i](worker);
    worker->ended[i] = bench_now();
    atomic_fetch_add(&arrived, 1);
  }
  return NULL;
}

// Lets all threads do the stage, and samples meanwhile. Returns its seconds, to the end of the last thread.
static double run_stage(unsigned stage, const struct worker *workers, uint64_t threads) {
  uint64_t start = bench_now();
  pthread_barrier_wait(&gate);
  bench_curve_await(&arrived, (stage + 1) * threads);
  uint64_t end = start;
  for (uint64_t i = 0; i < threads; i++) {
    end = workers[i].ended[stage] > end ? workers[i].ended[stage] : end;
  }
  return (double)(end - start) * 1e-9;
}

int main(int argc, char **argv) {
  uint64_t threads = 4, megabytes = 500, percent = 90, idle = 5000, minimum = 16, maximum = 1024, seed = 1;
  const struct bench_argument arguments[] = {
      {"--threads", "threads, which fill and free at once", &threads, 1, 1000, BENCH_OPTIONAL},
      {"--megabytes", "live memory of all threads after the fill", &megabytes, 1, 1 << 20, BENCH_OPTIONAL},
      {"--percent", "share of the blocks that is freed at random", &percent, 0, 100, BENCH_OPTIONAL},
      {"--idle", "milliseconds without a call after freeing", &idle, 0, 600000, BENCH_OPTIONAL},
      {"--min", "smallest size in bytes", &minimum, BENCH_FILLED_SMALLEST, 1 << 20, BENCH_OPTIONAL},
      {"--max", "largest size in bytes", &maximum, BENCH_FILLED_SMALLEST, 1 << 20, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "idle",
      "Threads fill memory with small blocks, free most at random, and then make no call for a while.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "The time is that of filling and freeing; curve is the resident memory over time, as [ms, KiB].",
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  struct worker *workers = bench_table(threads, sizeof *workers);
  pthread_t *running = bench_table(threads, sizeof *running);
  pthread_barrier_init(&gate, NULL, (unsigned)threads + 1);
  bench_curve_begin();
  for (uint64_t i = 0; i < threads; i++) {
    uint64_t bytes = (megabytes << 20) / threads;
    workers[i] = (struct worker){.capacity = bytes / minimum + 1, .bytes = bytes, .minimum = minimum};
    workers[i].maximum = maximum;
    workers[i].percent = percent;
    workers[i].random = bench_random_seed((uint32_t)(seed + i * 2654435761u));
    workers[i].blocks = bench_table(workers[i].capacity, sizeof(void *));
    running[i] = bench_thread_start(work, &workers[i]);
  }

  double seconds = run_stage(0, workers, threads);
  uint64_t filled = bench_resident_kib();
  seconds += run_stage(1, workers, threads);
  uint64_t freed = bench_resident_kib();
  bench_curve_sleep_ms(idle);
  uint64_t idled = bench_resident_kib();
  bench_curve_end();
  seconds += run_stage(2, workers, threads);

  uint64_t operations = 0, survivors = 0;
  for (uint64_t i = 0; i < threads; i++) {
    bench_thread_join(running[i]);
    operations += workers[i].operations;
    survivors += workers[i].count;
  }

  bench_report_begin("idle", operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("survivors", survivors);
  bench_report_object_begin("resident_kib_after");
  bench_report_integer("filled", filled);
  bench_report_integer("freed", freed);
  bench_report_integer("idled", idled);
  bench_report_object_end();
  bench_report_curve();
  bench_report_end();
  return 0;
}
