// Consumers: some threads only allocate, others only free what those have allocated.
//
// Blocks are handed over by the batch, the newest first, through one stack under a lock: a producer waits while all
// batches are full, a consumer while all are empty. Where fewer run than there are threads, producers and consumers
// take turns at the processors, and all batches are full and empty by turns.
#include "report.h"
#include "support.h"

enum { MAXIMUM_PAIRS = 128 };

struct batch {
  struct batch *next;
  void *blocks[];
};

struct stack {
  struct batch *first;
  pthread_cond_t gained;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stack filled = {NULL, PTHREAD_COND_INITIALIZER};
static struct stack emptied = {NULL, PTHREAD_COND_INITIALIZER};

static uint64_t pairs = 2, batches = 250, batch_blocks = 4096, waiting = 100, minimum = 64, maximum = 64;

struct worker {
  uint32_t seed;
};

static struct batch *take(struct stack *stack) {
  pthread_mutex_lock(&lock);
  while (stack->first == NULL) {
    pthread_cond_wait(&stack->gained, &lock);
  }
  struct batch *batch = stack->first;
  stack->first = batch->next;
  pthread_mutex_unlock(&lock);
  return batch;
}

static void give(struct stack *stack, struct batch *batch) {
  pthread_mutex_lock(&lock);
  batch->next = stack->first;
  stack->first = batch;
  pthread_cond_signal(&stack->gained);
  pthread_mutex_unlock(&lock);
}

static void produce(uint32_t seed) {
  uint32_t random = bench_random_seed(seed);
  for (uint64_t i = 0; i < batches; i++) {
    struct batch *batch = take(&emptied);
    for (uint64_t k = 0; k < batch_blocks; k++) {
      batch->blocks[k] = bench_allocate(bench_draw(&random, minimum, maximum));
    }
    give(&filled, batch);
  }
}

static void consume(void) {
  for (uint64_t i = 0; i < batches; i++) {
    struct batch *batch = take(&filled);
    for (uint64_t k = 0; k < batch_blocks; k++) {
      bench_free(batch->blocks[k]);
    }
    give(&emptied, batch);
  }
}

// Every other thread is a consumer, which has no seed.
static void *work(void *argument) {
  const struct worker *worker = argument;
  if (worker->seed != 0) {
    produce(worker->seed);
  } else {
    consume();
  }
  return NULL;
}

int main(int argc, char **argv) {
  const struct bench_argument arguments[] = {
      {"--pairs", "threads that allocate, and as many that free", &pairs, 1, MAXIMUM_PAIRS, BENCH_OPTIONAL},
      {"--batches", "batches that each of them fills or empties", &batches, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--batch", "blocks of a batch", &batch_blocks, 1, 1 << 20, BENCH_OPTIONAL},
      {"--waiting", "batches that there are", &waiting, 1, 1 << 20, BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, 1, 1 << 30, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, 1 << 30, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "consumers", "Threads that only allocate hand batches of blocks to threads that only free.",
      arguments,   sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  const size_t batch_bytes = sizeof(struct batch) + batch_blocks * sizeof(void *);
  char *memory = bench_table(waiting, batch_bytes);
  for (uint64_t i = 0; i < waiting; i++) {
    give(&emptied, (struct batch *)(void *)(memory + i * batch_bytes));
  }
  static struct worker workers[2 * MAXIMUM_PAIRS];
  for (uint64_t i = 0; i < pairs; i++) {
    workers[2 * i].seed = (uint32_t)i + 1;
  }
  double seconds = bench_run_threads(work, workers, sizeof *workers, 2 * pairs);

  bench_report_begin("consumers", pairs * batches * batch_blocks, seconds);
  bench_report_integer("pairs", pairs);
  bench_report_integer("batch", batch_blocks);
  bench_report_integer("waiting", waiting);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
