// What every bench program shares: arguments, time, tables outside the allocator, threads, and the report.
//
// Owns      nothing; only bench_allocate calls malloc, so that all blocks counted are the workload's own.
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

_Noreturn void bench_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t bench_now(void);
double bench_seconds_since(uint64_t start);
void bench_sleep_ms(uint64_t milliseconds);

// xorshift32, the generator of random mixed. The state is never zero: a zero seed counts as one.
static inline uint32_t bench_random_seed(uint32_t seed) { return seed != 0 ? seed : 1; }

static inline uint32_t bench_random(uint32_t *state) {
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

// A zeroed table straight from the operating system, so that the allocator under test does not serve it.
void *bench_table(size_t count, size_t size);

// malloc, and the first byte written. Ends the program when there is no memory.
void *bench_allocate(size_t size);

pthread_t bench_thread_start(void *(*body)(void *), void *argument);
void bench_thread_join(pthread_t thread);

// Resident KiB of this process now, exact.
uint64_t bench_resident_kib(void);

// The report: one JSON object on one line. begin writes the fields that all programs share: operations, seconds,
// operations per second, resident memory, page faults, and the library that malloc and free resolve to.
void bench_report_begin(const char *workload, uint64_t operations, double seconds);
void bench_report_integer(const char *key, uint64_t value);
void bench_report_object_begin(const char *key);
void bench_report_object_end(void);
void bench_report_end(void);

#endif
