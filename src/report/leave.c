/* leave: _exit and _Exit, at which no handler runs: sh and whoever forks leave by them. They end the process by the
 * system call, as the C library's do, after the lines that an option asks for. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hakmem.h"
#include "report/process_report.h"

HAK_API _Noreturn void _exit(int status) {
  process_report_leave();
  for (;;) {
    syscall(SYS_exit_group, status);
  }
}

HAK_API _Noreturn void _Exit(int status) { _exit(status); }
