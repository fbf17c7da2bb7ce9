#include "environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

static const char *const none[] = {NULL};
static const char *const *known = none;

void bench_reads(const char *const *names) { known = names; }

static bool is_known(const char *name, size_t length) {
  for (const char *const *one = known; *one != NULL; one++) {
    if (strlen(*one) == length && strncmp(*one, name, length) == 0) {
      return true;
    }
  }
  return false;
}

static _Noreturn void refuse(const char *name, int length) {
  char names[512] = "";
  size_t used = 0;
  for (const char *const *one = known; *one != NULL && used < sizeof names; one++) {
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", *one);
  }
  if (used == 0) {
    bench_usage_error("%.*s is set, and this program reads no variable of that kind", length, name);
  }
  bench_usage_error("there is no %.*s; there are %s", length, name, names);
}

void bench_check_environment(void) {
  static const char prefix[] = "HAKMEM_BENCH_";
  extern char **environ;
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
    size_t length = strcspn(*entry, "=");
    if (strncmp(*entry, prefix, sizeof prefix - 1) == 0 && !is_known(*entry, length)) {
      refuse(*entry, (int)length);
    }
  }
}
