// Sleepers: many threads that have used the allocator a little, each in the same way, and then sleep. What a thread
// costs while it does nothing is the figure.
#include "curve.h"
#include "filled.h"
#include "report.h"
#include "support.h"

#include <string.h>

enum { ONE_SIZE = 100, SIZES = 64, SIZE_STEP = 16, TRAFFIC_BYTES = 1 << 20, SMALLEST = 64, LARGEST = 1024 };
enum { STACK_BYTES = 128 << 10 };

enum kind { ONE, ALL_SIZES, MEGABYTE };

static enum kind kind;
static pthread_barrier_t all_counted;
static atomic_uint_fast64_t asleep;

struct sleeper {
  uint64_t blocks; // allocated
  uint32_t random;
};

// A block of the traffic. They are chained, so that a thread needs no table, which would count as its memory.
struct link {
  char mark; // bench_allocate's
  uint32_t size;
  struct link *next;
};

static struct link *new_link(size_t size) {
  struct link *link = bench_allocate(size);
  memset(link, 1, size); // as the mark
  link->size = (uint32_t)size;
  link->next = NULL;
  return link;
}

// A megabyte in blocks of random sizes, all freed again, the oldest first.
static void use_a_megabyte(struct sleeper *sleeper) {
  struct link *first = NULL;
  struct link **end = &first;
  for (uint64_t bytes = 0; bytes < TRAFFIC_BYTES; sleeper->blocks++) {
    size_t size = SMALLEST + bench_random(&sleeper->random) % (LARGEST - SMALLEST + 1);
    *end = new_link(size);
    end = &(*end)->next;
    bytes += size;
  }
  uint64_t freed = 0;
  while (first != NULL) {
    struct link *next = first->next;
    bench_free_touched(first, first->size);
    first = next;
    freed++;
  }
  if (freed != sleeper->blocks) { // a block that is given out twice stands in the chain once
    bench_fail("a block of the chain was overwritten, or given out twice: %llu of %llu are left",
               (unsigned long long)freed, (unsigned long long)sleeper->blocks);
  }
}

static void fall_asleep(void) {
  atomic_fetch_add(&asleep, 1);
  pthread_barrier_wait(&all_counted);
}

// Has one block of each of so many sizes, from `smallest` in steps of SIZE_STEP, while it sleeps.
static void keep(struct sleeper *sleeper, unsigned sizes, size_t smallest) {
  void *kept[SIZES];
  for (unsigned i = 0; i < sizes; i++) {
    kept[i] = bench_filled_allocate(smallest + (size_t)i * SIZE_STEP);
  }
  sleeper->blocks += sizes;
  fall_asleep();
  for (unsigned i = 0; i < sizes; i++) {
    bench_filled_free(kept[i]);
  }
}

static void *live(void *argument) {
  switch (kind) {
  case ONE:
    keep(argument, 1, ONE_SIZE);
    break;
  case ALL_SIZES:
    keep(argument, SIZES, SIZE_STEP);
    break;
  case MEGABYTE:
    use_a_megabyte(argument);
    fall_asleep();
    break;
  }
  return NULL;
}

static enum kind chosen(uint64_t sizes, uint64_t megabyte) {
  if (sizes && megabyte) {
    bench_usage_error("--sizes and --megabyte both say what a thread does: give one");
  }
  return megabyte ? MEGABYTE : sizes ? ALL_SIZES : ONE;
}

int main(int argc, char **argv) {
  uint64_t threads = 1000, idle = 1000, sizes = 0, megabyte = 0;
  const struct bench_argument arguments[] = {
      {"--threads", "threads, all alive at once", &threads, 1, 100000, BENCH_OPTIONAL},
      {"--sizes", "each keeps a block of each of 64 sizes, 16 to 1024 B", &sizes, 0, 1, BENCH_FLAG},
      {"--megabyte", "each uses 1 MB in blocks of 64 to 1024 B, and frees all", &megabyte, 0, 1, BENCH_FLAG},
      {"--idle", "milliseconds that all sleep before the count", &idle, 0, 600000, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "sleepers",
      "Threads use the allocator a little, then all sleep; as it is, each keeps one block of 100 B.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "The time is that until all sleep; resident_kib_asleep is what the process then holds, and kib_a_thread what\n"
      "each thread added to it. That includes what the C library needs for a thread, its stack above all (128 KiB are\n"
      "mapped, some 8 KiB of them used): the same on each allocator. curve is the resident memory over time, as [ms,\n"
      "KiB].",
  };
  bench_parse(&program, argc, argv);
  kind = chosen(sizes, megabyte);

  struct sleeper *sleepers = bench_table(threads, sizeof *sleepers);
  pthread_t *running = bench_table(threads, sizeof *running);
  pthread_barrier_init(&all_counted, NULL, (unsigned)threads + 1);
  bench_curve_begin();
  uint64_t before = bench_resident_kib();

  uint64_t start = bench_now();
  for (uint64_t i = 0; i < threads; i++) {
    sleepers[i].random = bench_random_seed((uint32_t)(1 + i * 2654435761u));
    running[i] = bench_thread_start_on(STACK_BYTES, live, &sleepers[i]);
    bench_curve_sample();
  }
  bench_curve_await(&asleep, threads);
  double seconds = bench_seconds_since(start);
  bench_curve_sleep_ms(idle);
  bench_curve_end();
  uint64_t resident = bench_resident_kib();
  pthread_barrier_wait(&all_counted);

  uint64_t operations = 0;
  for (uint64_t i = 0; i < threads; i++) {
    bench_thread_join(running[i]);
    operations += sleepers[i].blocks;
  }

  bench_report_begin("sleepers", operations, seconds);
  bench_report_integer("threads", threads);
  bench_report_integer("resident_kib_before", before);
  bench_report_integer("resident_kib_asleep", resident);
  bench_report_real("kib_a_thread", resident > before ? (double)(resident - before) / (double)threads : 0);
  bench_report_curve();
  bench_report_end();
  return 0;
}
