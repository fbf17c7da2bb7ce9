#include "cold/huge_lock.h"

#include "cold/huge_places.h"
#include "cold/huge_table.h"
#include "cold/pool_parts.h"
#include "os/os.h"

void huge_lock(void) {
  if (unlikely(lock_take(LOCK_HUGE))) {
    huge_table_mend();
    places_mend();
  }
  parts_look(LOCK_HUGE);
}

void huge_unlock(void) { lock_drop(LOCK_HUGE); }
