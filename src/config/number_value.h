/* number_value: a number as a user writes it, and the one that may have been meant.
 *
 * Owns:     nothing.
 * Promises: decimal digits with a sign, in a range. What is near is of the same kind: the end of the range for a number
 *           outside it, 1 for "yes" and 0 for "no", 1024 for "1M" where a number of KiB is asked for.
 * Callers:  config/environment.c.
 */
#ifndef HAKMEM_CONFIG_NUMBER_VALUE_H
#define HAKMEM_CONFIG_NUMBER_VALUE_H

#include <stdbool.h>

enum number_kind {
  NUMBER_RIGHT, /* *number is it */
  NUMBER_NEAR,  /* not right; *number may have been meant */
  NUMBER_WRONG, /* nothing is near */
};

enum number_kind number_value(const char *text, long least, long greatest, bool in_kib, long *number);

#endif
