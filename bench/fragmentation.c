// Fragmentation: fill, free most blocks at random, idle, refill with other sizes, free all, idle. Reports resident
// memory after each stage; the time is that of the active stages.
#include "curve.h"
#include "report.h"
#include "support.h"

#include <string.h>

struct heap {
  void **blocks;
  uint64_t capacity;
  uint64_t count;
  uint32_t random;
};

// Allocates blocks of minimum to maximum bytes, every byte written, until `bytes` are reached.
static void fill(struct heap *heap, uint64_t bytes, uint32_t minimum, uint32_t maximum) {
  while (bytes > 0 && heap->count < heap->capacity) {
    uint32_t size = minimum + bench_random(&heap->random) % (maximum - minimum + 1);
    char *block = bench_allocate(size);
    memset(block, 1, size);
    heap->blocks[heap->count++] = block;
    bytes -= size < bytes ? size : bytes;
  }
}

// Frees each block with a chance of `percent` in a hundred.
static void free_at_random(struct heap *heap, uint64_t percent) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < heap->count; i++) {
    if (bench_random(&heap->random) % 100 < percent) {
      bench_free(heap->blocks[i]);
    } else {
      heap->blocks[kept++] = heap->blocks[i];
    }
  }
  heap->count = kept;
}

static uint64_t look(void) {
  bench_curve_sample();
  return bench_resident_kib();
}

int main(int argc, char **argv) {
  enum { SMALLEST_BLOCK = 16, STAGES = 6 };
  uint64_t megabytes = 200, percent = 90, idle = 1000, seed = 1;
  const struct bench_argument arguments[] = {
      {"--megabytes", "live memory after each fill", &megabytes, 1, 1 << 20, BENCH_OPTIONAL},
      {"--percent", "share of the blocks that is freed at random", &percent, 0, 100, BENCH_OPTIONAL},
      {"--idle", "milliseconds without a call after freeing", &idle, 0, 600000, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "fragmentation",
      "Fills memory with small blocks, frees most at random, idles, refills with other sizes, frees all, idles.",
      arguments,
      sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  uint64_t bytes = megabytes << 20;
  struct heap heap = {.capacity = 2 * bytes / SMALLEST_BLOCK, .random = bench_random_seed((uint32_t)seed)};
  heap.blocks = bench_table(heap.capacity, sizeof(void *));
  uint64_t resident[STAGES];
  static const char *const stages[STAGES] = {"filled", "freed", "idled", "refilled", "emptied", "ended"};

  uint64_t operations = 0;
  bench_curve_begin();
  uint64_t start = bench_now();
  fill(&heap, bytes, SMALLEST_BLOCK, 512);
  operations += heap.count;
  resident[0] = look();
  free_at_random(&heap, percent);
  double seconds = bench_seconds_since(start);
  resident[1] = look();
  bench_curve_sleep_ms(idle);
  resident[2] = look();

  start = bench_now();
  uint64_t survivors = heap.count;
  fill(&heap, bytes * percent / 100, 513, 2048);
  operations += heap.count - survivors;
  resident[3] = look();
  free_at_random(&heap, 100);
  seconds += bench_seconds_since(start);
  resident[4] = look();
  bench_curve_sleep_ms(idle);
  resident[5] = look();

  bench_curve_end();
  bench_report_begin("fragmentation", operations, seconds);
  bench_report_object_begin("resident_kib_after");
  for (unsigned i = 0; i < STAGES; i++) {
    bench_report_integer(stages[i], resident[i]);
  }
  bench_report_object_end();
  bench_report_curve();
  bench_report_end();
  return 0;
}
