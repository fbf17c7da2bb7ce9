// Huge, then small: huge blocks come and go, all are freed, and from then on the process has but a little traffic of
// small blocks. Does what the huge blocks took go back? Reports resident memory after both; the time is that spent in
// operations, without the sleep between them.
#include "curve.h"
#include "filled.h"
#include "report.h"
#include "support.h"

enum { HUGE_SLOTS = 10, SMALLEST_HUGE = 2560 << 10, LARGEST_HUGE = 6 << 20 };
enum { SMALL_SLOTS = 400, SMALLEST = 16, LARGEST = 1024, STEP_MS = 10 };

struct huge {
  void *block;
  size_t size;
};

static void drop(struct huge *slot, uint64_t *live) {
  bench_free_touched(slot->block, slot->size);
  *live -= slot->size;
  slot->block = NULL;
}

// Frees the block of a random slot, or puts one into it if it fits below the limit; frees all in the end. Returns how
// many were allocated.
static uint64_t churn_huge(uint64_t rounds, uint64_t limit, uint32_t *random) {
  struct huge slots[HUGE_SLOTS] = {0};
  uint64_t live = 0, operations = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    struct huge *slot = &slots[bench_random(random) % HUGE_SLOTS];
    size_t size = SMALLEST_HUGE + bench_random(random) % (LARGEST_HUGE - SMALLEST_HUGE + 1);
    if (slot->block != NULL) {
      drop(slot, &live);
    } else if (live + size <= limit) {
      *slot = (struct huge){bench_allocate_touched(size), size};
      live += size;
      operations++;
    }
    bench_curve_sample();
  }
  for (unsigned i = 0; i < HUGE_SLOTS; i++) {
    if (slots[i].block != NULL) {
      drop(&slots[i], &live);
    }
  }
  return operations;
}

// As many operations, each on a random slot: the block in it is freed, or one is put there. Returns how many were put.
static uint64_t small_traffic(uint64_t operations, void **slots, uint32_t *random) {
  uint64_t allocated = 0;
  for (uint64_t i = 0; i < operations; i++) {
    void **slot = &slots[bench_random(random) % SMALL_SLOTS];
    if (*slot != NULL) {
      bench_filled_free(*slot);
      *slot = NULL;
    } else {
      *slot = bench_filled_allocate(SMALLEST + bench_random(random) % (LARGEST - SMALLEST + 1));
      allocated++;
    }
  }
  return allocated;
}

int main(int argc, char **argv) {
  uint64_t rounds = 400, megabytes = 40, seconds_small = 6, each_step = 2000, seed = 1;
  const struct bench_argument arguments[] = {
      {"--rounds", "huge blocks put or freed at first", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--megabytes", "of huge blocks alive at most", &megabytes, LARGEST_HUGE >> 20, 1 << 20, BENCH_OPTIONAL},
      {"--seconds", "of small traffic afterwards", &seconds_small, 0, 3600, BENCH_OPTIONAL},
      {"--operations", "small blocks put or freed every 10 ms", &each_step, 0, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "huge_then_small",
      "Blocks of 2.5 to 6 MB come and go, all are freed; then 16 to 1024 B in 400 slots, with sleep in between.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "The time is that spent in operations; curve is the resident memory over time, as [ms, KiB].",
  };
  bench_parse(&program, argc, argv);

  uint32_t random = bench_random_seed((uint32_t)seed);
  void **slots = bench_table(SMALL_SLOTS, sizeof(void *));
  bench_curve_begin();

  uint64_t start = bench_now();
  uint64_t operations = churn_huge(rounds, megabytes << 20, &random);
  double seconds = bench_seconds_since(start);
  uint64_t churned = bench_resident_kib();

  uint64_t begun = bench_now();
  for (uint64_t step = 1; step <= seconds_small * 1000 / STEP_MS; step++) {
    start = bench_now();
    operations += small_traffic(each_step, slots, &random);
    seconds += bench_seconds_since(start);
    bench_curve_sample();
    bench_sleep_until(begun + step * STEP_MS * 1000000);
  }
  bench_curve_end();
  uint64_t ended = bench_resident_kib();
  for (unsigned i = 0; i < SMALL_SLOTS; i++) {
    if (slots[i] != NULL) {
      bench_filled_free(slots[i]);
    }
  }

  bench_report_begin("huge_then_small", operations, seconds);
  bench_report_object_begin("resident_kib_after");
  bench_report_integer("churned", churned);
  bench_report_integer("ended", ended);
  bench_report_object_end();
  bench_report_curve();
  bench_report_end();
  return 0;
}
