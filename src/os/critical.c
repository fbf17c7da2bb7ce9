#include "os/critical.h"

_Thread_local uint32_t critical_depth;
void (*critical_deferred)(void);

RARE void critical_run_deferred(void) {
  void (*work)(void) = critical_deferred;
  critical_deferred = NULL;
  work();
}

void critical_defer(void (*work)(void)) {
  critical_deferred = work;
  if (critical_depth == 0) {
    critical_run_deferred();
  }
}
