// Hand-over: one thread allocates and touches blocks, another frees them.
//
// The queue between them is a ring that is published and taken in batches, so that it costs little against malloc: one
// release store and one acquire load for BATCH blocks, and a wait only when it is full or empty. It is bounded, so that
// resident memory shows what the allocator holds and not how far the threads drifted apart.
#include "report.h"
#include "support.h"

#include <sched.h>
#include <stdatomic.h>

enum { RING = 4096, BATCH = 64, SPINS = 200 };
_Static_assert(RING % BATCH == 0, "a batch never wraps around the end of the ring");

struct channel {
  _Alignas(CACHE_LINE) atomic_uint_least64_t published; // blocks written by the producer
  _Alignas(CACHE_LINE) atomic_uint_least64_t taken;     // blocks freed by the consumer
  _Alignas(CACHE_LINE) void *ring[RING];
};

struct work {
  struct channel *channel;
  uint64_t batches;
  uint64_t minimum;
  uint64_t maximum;
};

// Waits until `counter` has reached `wanted`.
static void wait_for(atomic_uint_least64_t *counter, uint64_t wanted) {
  for (unsigned spins = 0; atomic_load_explicit(counter, memory_order_acquire) < wanted; spins++) {
    if (spins >= SPINS) {
      sched_yield();
    }
  }
}

static void *produce(void *argument) {
  const struct work *work = argument;
  struct channel *channel = work->channel;
  uint32_t random = bench_random_seed(1);
  for (uint64_t batch = 0; batch < work->batches; batch++) {
    uint64_t first = batch * BATCH;
    if (first >= RING) {
      wait_for(&channel->taken, first + BATCH - RING);
    }
    void **slots = &channel->ring[first % RING];
    for (unsigned i = 0; i < BATCH; i++) {
      slots[i] = bench_allocate(bench_draw(&random, work->minimum, work->maximum));
    }
    atomic_store_explicit(&channel->published, first + BATCH, memory_order_release);
  }
  return NULL;
}

static void consume(const struct work *work) {
  struct channel *channel = work->channel;
  for (uint64_t batch = 0; batch < work->batches; batch++) {
    uint64_t first = batch * BATCH;
    wait_for(&channel->published, first + BATCH);
    void **slots = &channel->ring[first % RING];
    for (unsigned i = 0; i < BATCH; i++) {
      bench_free(slots[i]);
    }
    atomic_store_explicit(&channel->taken, first + BATCH, memory_order_release);
  }
}

int main(int argc, char **argv) {
  uint64_t blocks = 10000000, minimum = 64, maximum = 64;
  const struct bench_argument arguments[] = {
      {"--blocks", "blocks handed over, rounded up to batches of 64", &blocks, 1, UINT64_MAX / 2, BENCH_OPTIONAL},
      {"--min", "smallest size", &minimum, 1, 1 << 30, BENCH_OPTIONAL},
      {"--max", "largest size", &maximum, 1, 1 << 30, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "handover", "One thread allocates blocks and writes their first byte, another frees them.",
      arguments,  sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);
  bench_check_range(minimum, maximum);

  struct work work = {bench_table(1, sizeof *work.channel), (blocks + BATCH - 1) / BATCH, minimum, maximum};
  uint64_t start = bench_now();
  pthread_t producer = bench_thread_start(produce, &work);
  consume(&work);
  bench_thread_join(producer);
  double seconds = bench_seconds_since(start);

  bench_report_begin("handover", work.batches * BATCH, seconds);
  bench_report_integer("min", minimum);
  bench_report_integer("max", maximum);
  bench_report_end();
  return 0;
}
