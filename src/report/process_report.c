/* What a process prints at its start and at its end, because an option asks for it. */
#include "config/config.h"
#include "report/exit_line.h"
#include "report/stats.h"
#include "warm/warm.h"

__attribute__((constructor(102))) static void report_start(void) {
  process_start();
  stats_start();
}

__attribute__((destructor(101))) static void report_end(void) {
  if (options.verbose) {
    exit_line_print();
  }
  stats_print();
}
