#include "support.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "environment.h"

static const char *program_name = "bench";
static double processor_seconds_before; // the program's own work

// ---- failures

// In one piece, whatever other threads say at the same time.
static void complain(const char *format, va_list arguments, const char *ending) {
  char sentence[1024];
  vsnprintf(sentence, sizeof sentence, format, arguments);
  fflush(stdout);
  fprintf(stderr, "%s: %s%s\n", program_name, sentence, ending);
}

void bench_usage_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain(format, arguments, " (see --help)");
  va_end(arguments);
  exit(2);
}

void bench_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain(format, arguments, "");
  va_end(arguments);
  _exit(1); // not exit: other threads may still be at work, and what failed may be malloc
}

// ---- arguments

static bool is_option(const struct bench_argument *argument) { return strncmp(argument->name, "--", 2) == 0; }

static void print_usage_line(const struct bench_program *program) {
  printf("usage: %s", program->name);
  bool optional_open = false;
  for (size_t i = 0; i < program->argument_count; i++) {
    const struct bench_argument *argument = &program->arguments[i];
    if (is_option(argument)) {
      continue;
    }
    bool opens = argument->kind == BENCH_OPTIONAL && !optional_open;
    printf(opens ? " [%s" : " %s", argument->name);
    optional_open |= opens;
  }
  printf("%s [OPTION…]\n", optional_open ? "]" : "");
}

static _Noreturn void print_help(const struct bench_program *program) {
  print_usage_line(program);
  printf("\n%s\n\n", program->summary);
  for (size_t i = 0; i < program->argument_count; i++) {
    const struct bench_argument *argument = &program->arguments[i];
    const char *value = is_option(argument) && argument->kind != BENCH_FLAG ? " N" : "";
    printf("  %s%s%*s%s", argument->name, value, (int)(24 - strlen(argument->name) - strlen(value)), "",
           argument->help);
    if (argument->kind == BENCH_OPTIONAL) {
      printf(" (default %" PRIu64 ")", *argument->value);
    }
    printf("\n");
  }
  printf("  --help                  this text\n");
  if (program->notes != NULL) {
    printf("\n%s\n", program->notes);
  }
  printf(
      "\nThe last line printed is one JSON object: operations, seconds, resident memory, page faults, and the library\n"
      "that served malloc and free.\n");
  exit(0);
}

uint64_t bench_number(const char *what, const char *text, uint64_t minimum, uint64_t maximum) {
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
    bench_usage_error("%s must be a whole number, not '%s'", what, text);
  }
  if (value < minimum || value > maximum) {
    bench_usage_error("%s must lie between %" PRIu64 " and %" PRIu64 ", not %llu", what, minimum, maximum, value);
  }
  return value;
}

static void set_value(const struct bench_argument *argument, const char *text) {
  *argument->value = bench_number(argument->name, text, argument->minimum, argument->maximum);
}

static const struct bench_argument *find_option(const struct bench_program *program, const char *name) {
  for (size_t i = 0; i < program->argument_count; i++) {
    if (is_option(&program->arguments[i]) && strcmp(program->arguments[i].name, name) == 0) {
      return &program->arguments[i];
    }
  }
  bench_usage_error("there is no option '%s'", name);
}

static const struct bench_argument *nth_positional(const struct bench_program *program, size_t n) {
  for (size_t i = 0; i < program->argument_count; i++) {
    if (!is_option(&program->arguments[i]) && n-- == 0) {
      return &program->arguments[i];
    }
  }
  return NULL;
}

size_t bench_parse(const struct bench_program *program, int argc, char **argv) {
  static char output[1 << 16]; // stdout's buffer, or printf would ask the allocator under test for one
  setvbuf(stdout, output, _IOLBF, sizeof output);
  program_name = program->name;

  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(program);
    }
  }

  bench_check_environment();
  size_t positional = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      const struct bench_argument *argument = nth_positional(program, positional);
      if (argument == NULL) {
        bench_usage_error("'%s' is one argument too many", argv[i]);
      }
      set_value(argument, argv[i]);
      positional++;
      continue;
    }
    const struct bench_argument *option = find_option(program, argv[i]);
    if (option->kind == BENCH_FLAG) {
      *option->value = 1;
      continue;
    }
    if (i + 1 == argc) {
      bench_usage_error("%s needs a value", argv[i]);
    }
    set_value(option, argv[++i]);
  }

  const struct bench_argument *missing = nth_positional(program, positional);
  if (missing != NULL && missing->kind == BENCH_REQUIRED) {
    bench_usage_error("%s is missing", missing->name);
  }
  processor_seconds_before = bench_processor_seconds();
  return positional;
}

void bench_check_range(uint64_t minimum, uint64_t maximum) {
  if (minimum > maximum) {
    bench_usage_error("--min %" PRIu64 " is above --max %" PRIu64, minimum, maximum);
  }
}

// ---- time

uint64_t bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static double processor_seconds_now(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

double bench_processor_seconds(void) { return processor_seconds_now() - processor_seconds_before; }

double bench_seconds_since(uint64_t start) { return (double)(bench_now() - start) * 1e-9; }

void bench_sleep_until(uint64_t time) {
  struct timespec then = {.tv_sec = (time_t)(time / 1000000000u), .tv_nsec = (long)(time % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) == EINTR) {
  }
}

void bench_sleep_ms(uint64_t milliseconds) { bench_sleep_until(bench_now() + milliseconds * 1000000); }

// ---- memory

void *bench_table(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    bench_fail("a table of %zu entries is too large", count);
  }
  void *table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (table == MAP_FAILED) {
    bench_fail("no memory for a table of %zu bytes: %s", bytes, strerror(errno));
  }
  return table;
}

enum { DEAD, LIVE }; // what the first byte of a block says

void *bench_allocate(size_t size) {
  char *block = malloc(size);
  if (block == NULL) {
    bench_fail("malloc(%zu) failed: %s", size, strerror(errno));
  }
  *block = LIVE;
  return block;
}

void bench_free(void *block) {
  volatile char *first = block; // volatile: a compiler drops what is written to a block just before its end
  if (*first != LIVE) {
    bench_fail("the block at %p was overwritten, or given out twice", block);
  }
  *first = DEAD;
  free(block);
}

// The whole pages of a block are marked at their first byte, its end at the last one.
enum { PAGE = 4096 };

void *bench_allocate_touched(size_t size) {
  char *block = bench_allocate(size);
  bench_touch(block, 0, size);
  return block;
}

void bench_touch(void *block, size_t from, size_t to) {
  char *bytes = block;
  for (size_t offset = (from + PAGE - 1) / PAGE * PAGE; offset < to; offset += PAGE) {
    bytes[offset] = LIVE;
  }
  bytes[to - 1] = LIVE;
}

void bench_free_touched(void *block, size_t size) {
  const char *bytes = block;
  if (bytes[size - 1] != LIVE || bytes[(size - 1) / PAGE * PAGE] != LIVE) {
    bench_fail("the block of %zu bytes at %p was overwritten", size, block);
  }
  bench_free(block);
}

uint64_t bench_draw_magnitude(uint32_t *random, uint64_t minimum, uint64_t maximum) {
  unsigned doublings = 0;
  while ((minimum << (doublings + 1)) <= maximum) {
    doublings++;
  }
  uint64_t low = minimum << bench_random(random) % (doublings + 1);
  uint64_t high = low * 2 - 1 < maximum ? low * 2 - 1 : maximum;
  return low + bench_random(random) % (high - low + 1);
}

// ---- threads

static pthread_t start_thread(const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  pthread_t thread;
  int error = pthread_create(&thread, attributes, body, argument);
  if (error != 0) {
    bench_fail("no thread could be started: %s", strerror(error));
  }
  return thread;
}

pthread_t bench_thread_start(void *(*body)(void *), void *argument) { return start_thread(NULL, body, argument); }

pthread_t bench_thread_start_on(size_t stack, void *(*body)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_t thread = start_thread(&attributes, body, argument);
  pthread_attr_destroy(&attributes);
  return thread;
}

void bench_thread_join(pthread_t thread) { pthread_join(thread, NULL); }

double bench_run_threads(void *(*body)(void *), void *workers, size_t worker_size, uint64_t threads) {
  pthread_t *running = bench_table(threads, sizeof *running);
  uint64_t start = bench_now();
  for (uint64_t i = 0; i < threads; i++) {
    running[i] = bench_thread_start(body, (char *)workers + i * worker_size);
  }
  for (uint64_t i = 0; i < threads; i++) {
    bench_thread_join(running[i]);
  }
  return bench_seconds_since(start);
}
