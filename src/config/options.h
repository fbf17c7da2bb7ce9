/* options: what a user may choose, read once when the process starts.
 *
 * Owns:     the values of options.def.
 * Promises: the environment is read once; a name or value that is not valid gives one warning that names the nearest
 *           valid one, and the default is used. Programs that run with raised privileges ignore the environment. HOT
 *           reads no option.
 * Callers:  any box below HOT reads `options`, on any thread, while another may set one. options_read: under the lock
 *           of the process's start.
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

/* What an option says that takes a text, in the environment: the program may change it once it runs. NULL: nothing. */
struct option_texts {
#define OPTION_TEXT(name) const char *name;
#include "config/options.def"
};

extern HIDDEN struct option_texts option_texts;

/* Does nothing after the first time that there is an environment. Allocates nothing. */
void options_read(void);

/* As hak_option_get and hak_option_set (include/hakmem.h). */
int option_get(const char *name, long *value);
int option_set(const char *name, long value);

#endif
