#include "config/number_value.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "config/size_value.h"

/* A number too large for a long becomes the largest, which is out of range as well. */
static bool parse(const char *text, long *number) {
  char *end;
  int saved = errno;
  *number = strtol(text, &end, 10);
  errno = saved;
  return end != text && *end == '\0';
}

static bool parse_word(const char *text, long *number) {
  static const struct {
    char word[8];
    long number;
  } words[] = {{"yes", 1}, {"on", 1}, {"true", 1}, {"y", 1}, {"no", 0}, {"off", 0}, {"false", 0}, {"n", 0}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strncasecmp(text, words[i].word, sizeof words[i].word) == 0) {
      *number = words[i].number;
      return true;
    }
  }
  return false;
}

/* A size with a unit, in KiB. */
static bool parse_kib(const char *text, long greatest, long *number) {
  long bytes;
  if (strchr(text, '%') != NULL || size_value(text, greatest * (long)KIB, &bytes) != NULL) {
    return false;
  }
  *number = bytes / (long)KIB;
  return true;
}

enum number_kind number_value(const char *text, long least, long greatest, bool in_kib, long *number) {
  if (parse(text, number)) {
    if (*number >= least && *number <= greatest) {
      return NUMBER_RIGHT;
    }
    *number = *number < least ? least : greatest;
    return NUMBER_NEAR;
  }
  bool near = in_kib ? parse_kib(text, greatest, number) : parse_word(text, number);
  return near && *number >= least && *number <= greatest ? NUMBER_NEAR : NUMBER_WRONG;
}
