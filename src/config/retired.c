#include "config/retired.h"

#include <string.h>

#include "os/os.h"

static const char prefix[] = "HAKMEM_";

/* Pattern, answer, pattern, answer, and an empty one: text alone, which the loader need not touch. */
static const char table[] =
#define RETIRED(pattern, answer) pattern "\0" answer "\0"
#include "config/retired.def"
    ;

/* A * of the pattern stands for any letters, or none: tried for each rest of the name. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the pattern is long
static bool fits(const char *pattern, const char *name, size_t length) {
  if (*pattern == '*') {
    return fits(pattern + 1, name, length) || (length > 0 && fits(pattern, name + 1, length - 1));
  }
  if (*pattern == '\0') {
    return length == 0;
  }
  return length > 0 && *pattern == *name && fits(pattern + 1, name + 1, length - 1);
}

static const char *behind(const char *text) { return text + strlen(text) + 1; }

const char *retired_answer(const char *name, size_t length) {
  enum { PREFIX = sizeof prefix - 1, LONGEST = 64 };
  if (length <= PREFIX || length > LONGEST || strncmp(name, prefix, PREFIX) != 0) {
    return NULL;
  }
  for (const char *pattern = table; *pattern != '\0'; pattern = behind(behind(pattern))) {
    if (fits(pattern, name + PREFIX, length - PREFIX)) {
      return behind(pattern);
    }
  }
  return NULL;
}

bool retired_tell(const char *name, size_t length) {
  const char *answer = retired_answer(name, length);
  if (answer != NULL) {
    notice("hakmem: warning: %.*s is retired: %s; see docs/from-the-first-design.md", (int)length, name, answer);
  }
  return answer != NULL;
}
