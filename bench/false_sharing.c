// False sharing: threads that write small blocks of their own, which a careless allocator puts into one cache line.
//
// Active: each thread allocates a block, writes it many times, frees it, and repeats; bad when the allocator splits a
// line among threads. Passive: the blocks that the threads begin with come from the main thread, so they do lie in one
// line; each thread writes and frees its one, then goes on as before; bad when the allocator gives the piece of that
// line back to the thread that freed it.
#include "report.h"
#include "support.h"

#include <stdlib.h>

struct worker {
  volatile uint8_t *given; // the block from the main thread, or NULL
  uint64_t rounds;
  uint64_t writes;
  uint64_t size;
};

// Counts to `writes` in every byte of the block: what another thread writes there too would be missed in the end.
static void write_many_times(volatile uint8_t *block, uint64_t size, uint64_t writes) {
  for (uint64_t k = 0; k < size; k++) {
    block[k] = 0;
  }
  for (uint64_t i = 0; i < writes; i++) {
    for (uint64_t k = 0; k < size; k++) {
      block[k]++;
    }
  }
  for (uint64_t k = 0; k < size; k++) {
    if (block[k] != (uint8_t)writes) {
      bench_fail("another thread wrote the block at %p", (const void *)(uintptr_t)block);
    }
  }
}

static void *work(void *argument) {
  struct worker *worker = argument;
  for (uint64_t round = 0; round < worker->rounds; round++) {
    volatile uint8_t *block = worker->given != NULL ? worker->given : bench_allocate(worker->size);
    worker->given = NULL;
    write_many_times(block, worker->size, worker->writes);
    free((void *)(uintptr_t)block);
  }
  return NULL;
}

int main(int argc, char **argv) {
  enum { MAXIMUM_THREADS = 256 };
  uint64_t threads = 4, rounds = 10000, writes = 1000, size = 8, passive = 0;
  const struct bench_argument arguments[] = {
      {"--threads", "threads", &threads, 1, MAXIMUM_THREADS, BENCH_OPTIONAL},
      {"--rounds", "blocks of each thread, one after the other", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--writes", "times that each byte of a block is written", &writes, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--size", "bytes of a block", &size, 1, 4096, BENCH_OPTIONAL},
      {"--passive", "the first block of each thread comes from the main thread", &passive, 0, 1, BENCH_FLAG},
  };
  const struct bench_program program = {
      "false_sharing",
      "Threads allocate small blocks, each writes its own many times and frees it.",
      arguments,
      sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  static struct worker workers[MAXIMUM_THREADS];
  for (uint64_t i = 0; i < threads; i++) {
    workers[i] = (struct worker){passive ? bench_allocate(size) : NULL, rounds, writes, size};
  }
  double seconds = bench_run_threads(work, workers, sizeof *workers, threads);

  bench_report_begin("false_sharing", threads * rounds, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("rounds", rounds);
  bench_report_integer("writes", writes);
  bench_report_integer("size", size);
  bench_report_integer("passive", passive);
  bench_report_end();
  return 0;
}
