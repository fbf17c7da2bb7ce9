// What every bench program shares: arguments, time, blocks and tables outside the allocator, and threads.
//
// Owns      nothing; only bench_allocate… call malloc, so that all blocks counted are the workload's own.
// Promises  bad arguments end the program with one sentence and exit status 2; what fails while running, with status 1.
// Threads   what draws, tells time, allocates, starts or joins, from any thread; the rest from the main thread only.
#ifndef BENCH_SUPPORT_H
#define BENCH_SUPPORT_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// One argument. A name that starts with "--" is an option (it takes a value unless it is a flag); any other is
// positional, in the order of the table. Parsing, its limits and --help come from this table alone.
struct bench_argument {
  const char *name;
  const char *help;
  uint64_t *value; // holds the default before, the result after
  uint64_t minimum;
  uint64_t maximum;
  enum { BENCH_OPTIONAL, BENCH_REQUIRED, BENCH_FLAG } kind;
};

struct bench_program {
  const char *name;
  const char *summary;
  const struct bench_argument *arguments;
  size_t argument_count;
  const char *notes; // more lines for --help, or NULL
};

// Reads the arguments into their values; returns how many positional ones were given.
size_t bench_parse(const struct bench_program *program, int argc, char **argv);

// One whole number in decimal or 0x form within [minimum, maximum], or a sentence that names `what`, and status 2.
uint64_t bench_number(const char *what, const char *text, uint64_t minimum, uint64_t maximum);

// The rule for --min and --max, in one place.
void bench_check_range(uint64_t minimum, uint64_t maximum);

_Noreturn void bench_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What two threads write lies on lines of its own, or the program would measure how a line goes to and fro.
enum { CACHE_LINE = 64 };

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t bench_now(void);
double bench_seconds_since(uint64_t start);

// What all threads have used of the processors since the arguments were read.
double bench_processor_seconds(void);

void bench_sleep_ms(uint64_t milliseconds);
void bench_sleep_until(uint64_t time); // of bench_now; returns at once if it has passed

// xorshift32, the generator of random mixed. The state is never zero: a zero seed counts as one.
static inline uint32_t bench_random_seed(uint32_t seed) { return seed != 0 ? seed : 1; }

static inline uint32_t bench_random(uint32_t *state) {
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

// A number in [minimum, maximum], which is drawn where there is a choice.
static inline uint64_t bench_draw(uint32_t *random, uint64_t minimum, uint64_t maximum) {
  uint32_t span = (uint32_t)(maximum - minimum + 1);
  return span == 1 ? minimum : minimum + bench_random(random) % span;
}

// A zeroed table straight from the operating system, so that the allocator under test does not serve it.
void *bench_table(size_t count, size_t size);

// malloc, and the first byte written. Ends the program when there is no memory.
void *bench_allocate(size_t size);

// Frees a block of bench_allocate after a look at that byte, which ends the program if anyone else wrote it.
void bench_free(void *block);

// The same for blocks that are used whole: every page of theirs is written, and the last byte.
void *bench_allocate_touched(size_t size);
void bench_free_touched(void *block, size_t size);

// Writes the pages that begin in [from, to) and the last byte of a block that has grown from `from` to `to` bytes.
void bench_touch(void *block, size_t from, size_t to);

// A size in [minimum, maximum], drawn evenly by magnitude.
uint64_t bench_draw_magnitude(uint32_t *random, uint64_t minimum, uint64_t maximum);

pthread_t bench_thread_start(void *(*body)(void *), void *argument);

// The same with a stack of so many bytes, where many threads are to be alive at once.
pthread_t bench_thread_start_on(size_t stack, void *(*body)(void *), void *argument);

void bench_thread_join(pthread_t thread);

// Runs `body` in as many threads, each on its own of the workers that lie one behind the other, to their end; in seconds.
double bench_run_threads(void *(*body)(void *), void *workers, size_t worker_size, uint64_t threads);

#endif
