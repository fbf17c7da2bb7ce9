/* What a process prints at its start and at its end, because an option asks for it. */
#include "config/config.h"
#include "report/exit_line.h"
#include "report/stats.h"
#include "report/stats_file.h"

/* After warm/process.c's, which has read the options. */
__attribute__((constructor(102))) static void report_start(void) {
  stats_start();
  stats_file_start();
}

__attribute__((destructor(101))) static void report_end(void) {
  if (options.verbose) {
    exit_line_print();
  }
  stats_print();
  stats_file_end();
}
