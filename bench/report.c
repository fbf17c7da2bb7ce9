#include "report.h"

#include "provider.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- the figures

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

// ---- the line: put together here, so that neither stdio nor the allocator under test has a part in it

static char line[8192]; // a curve of 200 points takes half
static size_t line_length;
static const char *separator;

static __attribute__((format(printf, 1, 2))) void append(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang-tidy 14 overlooks va_start
  int wrote = vsnprintf(line + line_length, sizeof line - line_length, format, arguments);
  va_end(arguments);
  if (wrote < 0 || (size_t)wrote >= sizeof line - line_length) {
    bench_fail("the report is too long");
  }
  line_length += (size_t)wrote;
}

static void report_key(const char *key) {
  append("%s\"%s\": ", separator, key);
  separator = ", ";
}

void bench_report_real(const char *key, double value) {
  report_key(key);
  append("%.9g", value);
}

void bench_report_text(const char *key, const char *value) {
  report_key(key);
  append("\"");
  for (const char *c = value; *c != '\0'; c++) {
    append("%s%c", *c == '"' || *c == '\\' ? "\\" : "", (unsigned char)*c < 0x20 ? '?' : *c);
  }
  append("\"");
}

void bench_report_integer(const char *key, uint64_t value) {
  report_key(key);
  append("%" PRIu64, value);
}

void bench_report_object_begin(const char *key) {
  report_key(key);
  append("{");
  separator = "";
}

void bench_report_object_end(void) {
  append("}");
  separator = ", ";
}

void bench_report_list_begin(const char *key) {
  report_key(key);
  append("[");
  separator = "";
}

void bench_report_pair(uint64_t first, uint64_t second) {
  append("%s[%" PRIu64 ", %" PRIu64 "]", separator, first, second);
  separator = ", ";
}

void bench_report_list_end(void) {
  append("]");
  separator = ", ";
}

static void report_allocator(void) {
  const char *library = bench_provider("malloc");
  const char *other = bench_provider("free");
  if (strcmp(library, other) != 0) {
    bench_fail("malloc is served by %s but free by %s", library, other);
  }
  const char *slash = strrchr(library, '/');
  bench_report_text("allocator_library", slash != NULL ? slash + 1 : library);
  bench_report_text("allocator_path", library);
}

void bench_report_begin(const char *workload, uint64_t operations, double seconds) {
  uint64_t resident = bench_resident_kib();
  uint64_t peak = peak_kib(resident);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);

  line_length = 0;
  separator = "";
  append("{");
  bench_report_text("workload", workload);
  bench_report_integer("operations", operations);
  bench_report_real("seconds", seconds);
  bench_report_real("operations_per_second", seconds > 0 ? (double)operations / seconds : 0);
  bench_report_real("processor_seconds", bench_processor_seconds());
  bench_report_integer("peak_kib", peak);
  bench_report_integer("resident_kib", resident);
  bench_report_integer("minor_faults", (uint64_t)usage.ru_minflt);
  bench_report_integer("major_faults", (uint64_t)usage.ru_majflt);
  report_allocator();
}

void bench_report_end(void) {
  if (fflush(stdout) != 0) {
    bench_fail("standard output could not be written: %s", strerror(errno));
  }
  bench_report_end_in(STDOUT_FILENO);
}

void bench_report_end_in(int file) {
  append("}\n");
  for (size_t done = 0; done < line_length;) {
    ssize_t wrote = write(file, line + done, line_length - done);
    if (wrote < 0) {
      bench_fail("the report could not be written: %s", strerror(errno));
    }
    done += (size_t)wrote;
  }
}
