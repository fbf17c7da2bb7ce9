#include "config/size_value.h"

#include <stdbool.h>
#include <stddef.h>

#include "os/os.h"

enum { SUFFIX_SHIFT = 10, PERCENT_MAX = 100 };

/* How many times 1024; -1: no suffix. */
static int power_of(char suffix) {
  static const char suffixes[] = "\0KMGT";
  for (int power = 0; power < (int)sizeof suffixes - 1; power++) {
    if (suffix == suffixes[power] || (power > 0 && suffix == suffixes[power] - 'A' + 'a')) {
      return power;
    }
  }
  return -1;
}

/* The digits' value, `most` at most; *end is behind them. */
static size_t digits(const char *text, size_t most, const char **end) {
  size_t number = 0;
  for (; *text >= '0' && *text <= '9'; text++) {
    size_t value = (size_t)(*text - '0');
    number = number > (most - value) / 10 ? most : number * 10 + value;
  }
  *end = text;
  return number;
}

static const char *percentage(size_t number, long greatest, long *bytes) {
  if (number == 0 || number > PERCENT_MAX) {
    return number == 0 ? "1%" : "100%";
  }
  size_t limit = os_memory_limit();
  size_t part = limit / PERCENT_MAX * number + limit % PERCENT_MAX * number / PERCENT_MAX;
  *bytes = part < (size_t)greatest ? (long)part : greatest;
  return NULL;
}

const char *size_value(const char *text, long greatest, long *bytes) {
  const char *end;
  size_t most = (size_t)greatest + 1;
  size_t number = digits(text, most, &end);
  bool is_number = end != text;
  if (is_number && end[0] == '%' && end[1] == '\0') {
    return percentage(number, greatest, bytes);
  }
  int power = power_of(*end);
  if (!is_number || power < 0 || (power > 0 && end[1] != '\0')) {
    return text[0] == '-' && text[1] >= '0' && text[1] <= '9' ? "0" : "";
  }
  size_t unit = (size_t)1 << (power * SUFFIX_SHIFT);
  if (number > (size_t)greatest / unit) {
    return "128T";
  }
  *bytes = (long)(number * unit);
  return NULL;
}
