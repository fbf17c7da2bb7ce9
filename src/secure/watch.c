#include "secure/watch.h"

#include "config/config.h"
#include "os/os.h"
#include "secure/check.h"

static _Atomic uint32_t main_ended;

static void *watch(void *unused) {
  os_name_thread("hakmem-check");
  uint64_t due = os_milliseconds();
  while (main_ended == 0) {
    uint64_t now = os_milliseconds();
    if (now < due) {
      os_wait_for(&main_ended, 0, (uint32_t)(due - now));
    } else {
      check_all();
      due = os_milliseconds() + (uint64_t)options.secure_check * 1000;
    }
  }
  return unused;
}

void watch_start(void) {
  if (options.secure_check != 0 && !os_thread_start(watch, 0)) {
    notice("hakmem: warning: HAKMEM_SECURE_CHECK has no effect, the system has no thread for it; blocks are checked at "
           "exit");
  }
}

void watch_thread_ended(void) {
  if (os_thread_id() == os_process_id()) {
    main_ended = 1;
    os_wake(&main_ended);
  }
}
