#include "os/critical.h"

_Thread_local uint32_t critical_depth;
void (*critical_deferred)(void);

RARE void critical_run_deferred(void) {
  void (*work)(void) = __atomic_exchange_n(&critical_deferred, NULL, __ATOMIC_SEQ_CST);
  if (work != NULL) { /* else another thread does it */
    work();
  }
}

void critical_defer(void (*work)(void)) {
  __atomic_store_n(&critical_deferred, work, __ATOMIC_SEQ_CST);
  if (critical_depth == 0) {
    critical_run_deferred();
  }
}

bool critical_try_defer(void (*work)(void)) {
  void (*none)(void) = NULL;
  bool deferred =
      __atomic_compare_exchange_n(&critical_deferred, &none, work, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
      none == work;
  if (deferred && critical_depth == 0) {
    critical_run_deferred();
  }
  return deferred;
}
