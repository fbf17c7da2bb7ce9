#include "secure/os_secure.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/os.h"

/* As <linux/mman.h> has it, where it is new enough. */
enum { GUARD_INSTALL = 102 };

bool os_mark(void *start, size_t bytes) {
  static atomic_bool unknown;
  if (atomic_load_explicit(&unknown, memory_order_relaxed)) {
    return false;
  }
  int saved = errno;
  bool done = madvise(start, bytes, GUARD_INSTALL) == 0;
  if (!done) {
    atomic_store_explicit(&unknown, true, memory_order_relaxed);
  }
  errno = saved;
  return done;
}

uint64_t os_secret(void) {
  int saved = errno;
  uint64_t secret = 0;
  long had = syscall(SYS_getrandom, &secret, sizeof secret, GRND_NONBLOCK); /* getrandom() is a point of cancellation */
  errno = saved;
  return had == (long)sizeof secret ? secret : os_random();
}
