#include "os/critical.h"

_Thread_local uint32_t critical_depth;
void (*_Atomic critical_deferred)(void);

RARE void critical_run_deferred(void) {
  void (*work)(void) = atomic_exchange(&critical_deferred, NULL);
  if (work != NULL) { /* else another thread does it */
    work();
  }
}

void critical_defer(void (*work)(void)) {
  atomic_store(&critical_deferred, work);
  if (critical_depth == 0) {
    critical_run_deferred();
  }
}

bool critical_try_defer(void (*work)(void)) {
  void (*none)(void) = NULL;
  bool deferred = atomic_compare_exchange_strong(&critical_deferred, &none, work) || none == work;
  if (deferred && critical_depth == 0) {
    critical_run_deferred();
  }
  return deferred;
}
