#include "support.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *program_name = "bench";

// ---- failures

static void complain(const char *format, va_list arguments, const char *ending) {
  fflush(stdout);
  fprintf(stderr, "%s: ", program_name);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "%s\n", ending);
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
  exit(1);
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
  return positional;
}

// ---- time

uint64_t bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double bench_seconds_since(uint64_t start) { return (double)(bench_now() - start) * 1e-9; }

void bench_sleep_ms(uint64_t milliseconds) {
  struct timespec rest = {.tv_sec = (time_t)(milliseconds / 1000), .tv_nsec = (long)(milliseconds % 1000) * 1000000};
  int result;
  do {
    result = nanosleep(&rest, &rest);
  } while (result != 0 && errno == EINTR);
}

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

void *bench_allocate(size_t size) {
  char *block = malloc(size);
  if (block == NULL) {
    bench_fail("malloc(%zu) failed: %s", size, strerror(errno));
  }
  *block = 1;
  return block;
}

// The number after `key` in a /proc file of "Key:   1234 kB" lines, or 0.
static uint64_t read_proc_kib(const char *path, const char *key) {
  char text[8192];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  size_t length = 0;
  ssize_t got;
  while (length < sizeof text - 1 && (got = read(file, text + length, sizeof text - 1 - length)) > 0) {
    length += (size_t)got;
  }
  close(file);
  text[length] = '\0';
  const char *found = strstr(text, key);
  return found != NULL ? strtoull(found + strlen(key), NULL, 10) : 0;
}

// smaps_rollup walks the pages and is exact; VmRSS lags by the kernel's per-processor counters.
uint64_t bench_resident_kib(void) {
  uint64_t exact = read_proc_kib("/proc/self/smaps_rollup", "\nRss:");
  return exact != 0 ? exact : read_proc_kib("/proc/self/status", "\nVmRSS:");
}

// VmHWM, not getrusage's ru_maxrss: the latter keeps the peak of the process that forked us, across exec.
static uint64_t peak_kib(uint64_t resident) {
  uint64_t peak = read_proc_kib("/proc/self/status", "\nVmHWM:");
  return peak > resident ? peak : resident;
}

// ---- threads

pthread_t bench_thread_start(void *(*body)(void *), void *argument) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, body, argument);
  if (error != 0) {
    bench_fail("no thread could be started: %s", strerror(error));
  }
  return thread;
}

void bench_thread_join(pthread_t thread) { pthread_join(thread, NULL); }

// ---- the report

static const char *separator = "";

static void report_key(const char *key) {
  printf("%s\"%s\": ", separator, key);
  separator = ", ";
}

static void report_real(const char *key, double value) {
  report_key(key);
  printf("%.9g", value);
}

static void report_text(const char *key, const char *value) {
  report_key(key);
  putchar('"');
  for (const char *c = value; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      putchar('\\');
    }
    putchar((unsigned char)*c < 0x20 ? '?' : *c);
  }
  putchar('"');
}

void bench_report_integer(const char *key, uint64_t value) {
  report_key(key);
  printf("%" PRIu64, value);
}

void bench_report_object_begin(const char *key) {
  report_key(key);
  putchar('{');
  separator = "";
}

void bench_report_object_end(void) {
  putchar('}');
  separator = ", ";
}

// The path of the object that the dynamic linker chose for `symbol`.
static const char *library_of(const char *symbol) {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
    bench_fail("the library that serves %s could not be found", symbol);
  }
  return info.dli_fname;
}

static void report_allocator(void) {
  const char *library = library_of("malloc");
  const char *other = library_of("free");
  if (strcmp(library, other) != 0) {
    bench_fail("malloc is served by %s but free by %s", library, other);
  }
  const char *slash = strrchr(library, '/');
  report_text("allocator_library", slash != NULL ? slash + 1 : library);
  report_text("allocator_path", library);
}

void bench_report_begin(const char *workload, uint64_t operations, double seconds) {
  uint64_t resident = bench_resident_kib();
  uint64_t peak = peak_kib(resident);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);

  putchar('{');
  report_text("workload", workload);
  bench_report_integer("operations", operations);
  report_real("seconds", seconds);
  report_real("operations_per_second", seconds > 0 ? (double)operations / seconds : 0);
  bench_report_integer("peak_kib", peak);
  bench_report_integer("resident_kib", resident);
  bench_report_integer("minor_faults", (uint64_t)usage.ru_minflt);
  bench_report_integer("major_faults", (uint64_t)usage.ru_majflt);
  report_allocator();
}

void bench_report_end(void) {
  printf("}\n");
  if (fflush(stdout) != 0 || ferror(stdout)) {
    bench_fail("the report could not be written: %s", strerror(errno));
  }
}
