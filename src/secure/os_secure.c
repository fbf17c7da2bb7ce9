#include "secure/os_secure.h"

#include <errno.h>
#include <sys/random.h>

#include "os/os.h"

uint64_t os_secret(void) {
  int saved = errno;
  uint64_t secret = 0;
  ssize_t had = getrandom(&secret, sizeof secret, GRND_NONBLOCK);
  errno = saved;
  return had == (ssize_t)sizeof secret ? secret : os_random();
}
