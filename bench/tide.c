// Tide: a server whose heap swells and ebbs. Its live bytes follow a slow wave by the clock, so that the shape over
// time is the same for each allocator; which block goes is left to chance. The figure is how much memory it holds over
// all that time for a byte that is alive. The time is that spent in operations, without the sleep between them.
#include "curve.h"
#include "filled.h"
#include "report.h"
#include "support.h"

enum { SMALLEST = 16, LARGEST = 2048, STEP_MS = 10, EBB_PERCENT = 10 };

struct heap {
  void **blocks;
  uint64_t count;
  uint64_t live; // bytes
  uint64_t allocated;
  uint32_t random;
};

// What is integrated over time, in KiB × ns.
struct sums {
  double resident;
  double live;
  double time;
};

// Live bytes after `elapsed` ns. Between ebb and flood the wave is x²(3 − 2x), within 1 % of a cosine, without libm.
static uint64_t level(uint64_t elapsed, uint64_t period, uint64_t bytes) {
  double place = (double)(elapsed % period) / (double)period;
  double x = place < 0.5 ? 2 * place : 2 - 2 * place;
  double height = x * x * (3 - 2 * x);
  double low = EBB_PERCENT / 100.0;
  return (uint64_t)((double)bytes * (low + (1 - low) * height));
}

static void put(struct heap *heap) {
  size_t size = SMALLEST + bench_random(&heap->random) % (LARGEST - SMALLEST + 1);
  heap->blocks[heap->count++] = bench_filled_allocate(size);
  heap->live += size;
  heap->allocated++;
}

static void drop_one(struct heap *heap) {
  uint64_t chosen = bench_random(&heap->random) % heap->count;
  void *block = heap->blocks[chosen];
  heap->blocks[chosen] = heap->blocks[--heap->count];
  heap->live -= bench_filled_size(block);
  bench_filled_free(block);
}

// Goes to the level, with the server's steady traffic: at least so many operations.
static void step(struct heap *heap, uint64_t wanted, uint64_t operations) {
  int rising = heap->live < wanted;
  for (uint64_t done = 0; done < operations || (heap->live < wanted) == rising; done++) {
    if (heap->live < wanted || heap->count == 0) {
      put(heap);
    } else {
      drop_one(heap);
    }
  }
}

static void integrate(struct sums *sums, const struct heap *heap, uint64_t nanoseconds) {
  double time = (double)nanoseconds;
  sums->resident += (double)bench_resident_about_kib() * time;
  sums->live += (double)heap->live / 1024 * time;
  sums->time += time;
}

int main(int argc, char **argv) {
  uint64_t seconds_long = 60, megabytes = 200, periods = 4, operations = 500, seed = 1;
  const struct bench_argument arguments[] = {
      {"--seconds", "from first to last", &seconds_long, 1, 36000, BENCH_OPTIONAL},
      {"--megabytes", "live memory at flood; at ebb it is a tenth", &megabytes, 1, 1 << 20, BENCH_OPTIONAL},
      {"--periods", "waves in that time", &periods, 1, 1000, BENCH_OPTIONAL},
      {"--operations", "every 10 ms at least, also at a constant level", &operations, 0, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "tide",
      "Live memory in blocks of 16 to 2048 B swells and ebbs by the clock; a random block goes each time.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "resident_to_live is resident memory ÷ live bytes, each integrated over time; resident_kib_mean and "
      "live_kib_mean\n"
      "are both integrals ÷ the time. The time is that spent in operations; curve is the resident memory over time, "
      "as\n"
      "[ms, KiB].",
  };
  bench_parse(&program, argc, argv);

  uint64_t bytes = megabytes << 20;
  uint64_t whole = seconds_long * 1000000000u;
  struct heap heap = {.random = bench_random_seed((uint32_t)seed)};
  heap.blocks = bench_table(bytes / SMALLEST + operations + 2, sizeof(void *));
  struct sums sums = {0};
  double seconds = 0;
  bench_curve_begin();

  uint64_t begun = bench_now();
  uint64_t integrated = begun;
  for (uint64_t now = begun; now - begun < whole; now = bench_now()) {
    step(&heap, level(now - begun, whole / periods, bytes), operations);
    seconds += bench_seconds_since(now);
    uint64_t next = now + (uint64_t)STEP_MS * 1000000;
    bench_sleep_until(next < begun + whole ? next : begun + whole);
    bench_curve_sample();
    uint64_t until = bench_now();
    integrate(&sums, &heap, until - integrated);
    integrated = until;
  }
  bench_curve_end();
  while (heap.count > 0) {
    drop_one(&heap);
  }

  bench_report_begin("tide", heap.allocated, seconds);
  bench_report_real("resident_to_live", sums.resident / sums.live);
  bench_report_integer("resident_kib_mean", (uint64_t)(sums.resident / sums.time));
  bench_report_integer("live_kib_mean", (uint64_t)(sums.live / sums.time));
  bench_report_curve();
  bench_report_end();
  return 0;
}
