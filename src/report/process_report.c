#include "report/process_report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "os/os.h"
#include "report/exit_line.h"
#include "report/stats.h"
#include "report/stats_file.h"

static atomic_bool printed;
static long process; /* whose end is reported at quick_exit and _exit; 0: nobody's */

static void print(void) {
  if (!atomic_exchange(&printed, true)) {
    output_begin();
    if (options.verbose) {
      exit_line_print();
    }
    stats_print();
    output_end();
    stats_file_end();
  }
}

/* ---- the end ---- */

/* In the child of vfork() the memory is the parent's: its number is not that of the process. */
void process_report_leave(void) {
  if (process != 0 && process == os_process_id() && critical_depth == 0) {
    print();
  }
}

__attribute__((destructor(101))) static void report_end(void) { print(); }

/* ---- the start ---- */

static void fork_child(void) {
  process = os_process_id();
  atomic_store(&printed, false);
}

static void keep_output(void) {
  int error = options.exit_file ? output_keep_file(option_texts.exit_file) : 0;
  if (error != 0) {
    notice("hakmem: warning: HAKMEM_EXIT_FILE=%s cannot be written: %s; standard error is used", option_texts.exit_file,
           strerror(error));
  }
  if (!options.exit_file || error != 0) {
    output_keep();
  }
}

static RARE void follow(bool prints) {
  if (prints) {
    keep_output();
  }
  process = os_process_id();
  pthread_atfork(NULL, NULL, fork_child);
  at_quick_exit(process_report_leave);
}

/* After warm/process.c's, which has read the options. What nobody asked for costs nothing. */
__attribute__((constructor(102))) static void report_start(void) {
  stats_start();
  stats_file_start();
  bool prints = options.verbose || stats_will_print();
  if (prints || options.stats_file) {
    follow(prints);
  }
}
