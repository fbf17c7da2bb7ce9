#include "secure/canary.h"

#include "secure/os_secure.h"

struct canary_key canary_key;

void canary_start(void) {
  canary_key.mask = os_secret() | 1; /* both odd: so is every canary, and its first byte is not zero */
  canary_key.factor = os_secret() | 1;
}
