// The report of a process: what it did, its memory, and the library that served it, as one JSON object on one line.
//
// Owns      the line, which is put together outside the allocator under test.
// Promises  a figure that cannot be had ends the program with one sentence.
// Threads   the main thread only; bench_resident_kib from any.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdint.h>

// Resident KiB of this process now, exact.
uint64_t bench_resident_kib(void);

// begin writes the fields that all programs share: operations, seconds,
// operations per second, resident memory, page faults, and the library that malloc and free resolve to.
void bench_report_begin(const char *workload, uint64_t operations, double seconds);
void bench_report_integer(const char *key, uint64_t value);
void bench_report_text(const char *key, const char *value);
void bench_report_real(const char *key, double value);
void bench_report_object_begin(const char *key);
void bench_report_object_end(void);
void bench_report_list_begin(const char *key); // of pairs
void bench_report_pair(uint64_t first, uint64_t second);
void bench_report_list_end(void);
void bench_report_end(void);        // to standard output
void bench_report_end_in(int file); // to an open file

#endif
