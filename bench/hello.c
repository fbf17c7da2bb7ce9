// Hello: the cheapest program that uses stdio, for start-up time and the resident memory an allocator costs by itself.
//
// It keeps to what an ordinary program does: puts, through a buffer that malloc serves. Only --json makes it report,
// after the greeting is out.
#include "report.h"
#include "support.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  bool report = argc == 2 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !report) {
    uint64_t json = 0;
    const struct bench_argument arguments[] = {
        {"--json", "also report, as one JSON line", &json, 0, 1, BENCH_FLAG},
    };
    const struct bench_program program = {"hello", "Prints \"hello\".", arguments, 1, NULL};
    bench_parse(&program, argc, argv);
  }

  uint64_t start = bench_now();
  puts("hello");
  if (!report) {
    return 0;
  }
  fflush(stdout);
  bench_report_begin("hello", 1, bench_seconds_since(start));
  bench_report_end();
  return 0;
}
