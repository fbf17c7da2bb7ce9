// The resident memory of the process over time: samples that the main thread takes while others work or it sleeps.
//
// Owns      the samples, at most BENCH_CURVE_POINTS, outside the allocator under test. When there are so many, every
//           second one goes and the distance doubles: however long the run, they cover all of it.
// Promises  a sample asks nothing of the allocator, and takes no lock of the process's memory: it reads the counters of
//           /proc/self/statm. They lag by a batch of pages a processor at most, well below 1 MiB, and cost the
//           same at any size; smaps_rollup is exact, but walks all pages under that lock (12 ms for 500 MiB, and mmap
//           and munmap wait).
// Threads   the main thread only; bench_resident_about_kib from any.
#ifndef BENCH_CURVE_H
#define BENCH_CURVE_H

#include <stdatomic.h>
#include <stdint.h>

enum { BENCH_CURVE_POINTS = 200, BENCH_CURVE_STEP_MS = 10 };

// Resident KiB of this process now, by the counters.
uint64_t bench_resident_about_kib(void);

// Begins at 0 ms with a first sample.
void bench_curve_begin(void);

// A sample now, unless the last one is nearer than the distance. Returns the resident KiB that it read, or 0.
uint64_t bench_curve_sample(void);

// A last sample, of this moment. What follows is no part of the curve.
void bench_curve_end(void);

// Sleeps for so long, sampling.
void bench_curve_sleep_ms(uint64_t milliseconds);

// Sleeps until `count` has reached `wanted`, sampling.
void bench_curve_await(const atomic_uint_fast64_t *count, uint64_t wanted);

// Adds "curve": [[milliseconds, KiB], …] to the report.
void bench_report_curve(void);

#endif
