#include "curve.h"

#include "report.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct point {
  uint64_t ms;
  uint64_t kib;
};

static struct point *points;
static unsigned count;
static uint64_t begun;
static uint64_t distance_ms;

uint64_t bench_resident_about_kib(void) {
  char text[256];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
  if (length <= 0) {
    bench_fail("/proc/self/statm could not be read: %s", strerror(errno));
  }
  close(file);
  text[length] = '\0';
  const char *resident = strchr(text, ' '); // the second number
  uint64_t pages = resident != NULL ? strtoull(resident, NULL, 10) : 0;
  return pages * ((uint64_t)sysconf(_SC_PAGESIZE) / 1024);
}

static uint64_t elapsed_ms(void) { return (bench_now() - begun) / 1000000; }

// Keeps the first of each two samples.
static void thin_out(void) {
  for (unsigned i = 0; i < count / 2; i++) {
    points[i] = points[2 * (size_t)i];
  }
  count /= 2;
  distance_ms *= 2;
}

static uint64_t add(uint64_t ms) {
  if (count == BENCH_CURVE_POINTS) {
    thin_out();
  }
  uint64_t kib = bench_resident_about_kib();
  points[count++] = (struct point){ms, kib};
  return kib;
}

void bench_curve_begin(void) {
  points = bench_table(BENCH_CURVE_POINTS, sizeof *points);
  count = 0;
  distance_ms = BENCH_CURVE_STEP_MS;
  begun = bench_now();
  add(0);
}

uint64_t bench_curve_sample(void) {
  uint64_t ms = elapsed_ms();
  return ms >= points[count - 1].ms + distance_ms ? add(ms) : 0;
}

void bench_curve_end(void) {
  uint64_t ms = elapsed_ms();
  if (points[count - 1].ms == ms) {
    count--;
  }
  add(ms);
  distance_ms = UINT64_MAX / 2;
}

void bench_curve_sleep_ms(uint64_t milliseconds) {
  uint64_t end = bench_now() + milliseconds * 1000000;
  for (uint64_t now = bench_now(); now < end; now = bench_now()) {
    uint64_t next = now + (uint64_t)BENCH_CURVE_STEP_MS * 1000000;
    bench_sleep_until(next < end ? next : end);
    bench_curve_sample();
  }
}

void bench_curve_await(const atomic_uint_fast64_t *reached, uint64_t wanted) {
  while (atomic_load(reached) < wanted) {
    bench_sleep_ms(1);
    bench_curve_sample();
  }
}

void bench_report_curve(void) {
  bench_report_list_begin("curve");
  for (unsigned i = 0; i < count; i++) {
    bench_report_pair(points[i].ms, points[i].kib);
  }
  bench_report_list_end();
}
