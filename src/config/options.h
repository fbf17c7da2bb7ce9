/* options: what a user may choose.
 *
 * Owns:     the values of options.def, and the names of those that are words.
 * Promises: each may be read and set on any thread at any time. HOT reads none.
 * Callers:  any box below HOT.
 */
#ifndef HAKMEM_CONFIG_OPTIONS_H
#define HAKMEM_CONFIG_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/base.h"

/* No memory limit is higher: what no address space holds. */
#define LIMIT_MAX (1L << 47)

/* May be set while others read it. */
typedef _Atomic long option_value;

struct options {
#define OPTION(name, environment, least, greatest, balanced, speed, lean, changeable, help) option_value name;
#include "config/options.def"
};

/* The words' values: profile_speed, stats_free_path and so on. */
enum {
#define OPTION_WORD(name, word, value) name##_##word = (value),
#define OPTION_BIT(name, word, value) name##_##word = (value),
#include "config/options.def"
};

extern HIDDEN struct options options;

#endif
