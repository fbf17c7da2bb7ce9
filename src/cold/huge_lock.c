#include "cold/huge_lock.h"

#include "cold/huge_table.h"
#include "os/os.h"

void huge_lock(void) {
  if (unlikely(lock_take(LOCK_HUGE))) {
    huge_table_mend();
  }
}

void huge_unlock(void) { lock_drop(LOCK_HUGE); }
