#include "cold/huge_lock.h"

#include "cold/huge_ranges.h"
#include "cold/huge_table.h"
#include "cold/residency.h"
#include "os/os.h"

void huge_lock(void) {
  if (unlikely(lock_take(LOCK_HUGE))) {
    huge_table_mend();
    residency_recount(HOLDER_HUGE, huge_table_bytes(), huge_ranges_bytes());
  }
}

void huge_unlock(void) { lock_drop(LOCK_HUGE); }
