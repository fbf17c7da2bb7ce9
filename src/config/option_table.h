/* option_table: what options there are, from options.def.
 *
 * Owns:     the table of options, of their words, and of those that are sizes.
 * Promises: constant but for the values, which are in config/options.h.
 * Callers:  config/environment.c; any thread gets and sets.
 */
#ifndef HAKMEM_CONFIG_OPTION_TABLE_H
#define HAKMEM_CONFIG_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "config/options.h"

enum { PROFILES = profile_lean + 1 };

/* No pointers in the tables: the dynamic linker would write them at each process's start. */
struct option {
  char name[20], environment[32];
  uint16_t at; /* of its value in `options` */
  bool changeable;
  long least, greatest;
  long in_profile[PROFILES];
};

/* A name for a value of an option. */
struct option_word {
  uint16_t at; /* as the option's */
  bool one_of_several;
  char text[24];
  long value;
};

enum {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help) OPTION_##option,
#include "config/options.def"
  OPTION_COUNT
};

extern HIDDEN const struct option option_table[OPTION_COUNT];

static inline option_value *option_value_of(const struct option *option) {
  return (option_value *)(void *)((char *)&options + option->at);
}

/* NULL: there is none of that name. */
const struct option *option_of_name(const char *name);
const struct option *option_of_environment(const char *name, size_t length);

/* The option with the environment name that differs least. */
const struct option *option_nearest(const char *name, size_t length);

bool option_is_size(const struct option *option);

/* The first word of an option; NULL: it takes numbers. */
const struct option_word *option_first_word(const struct option *option);

/* The first word of the option's value. */
const struct option_word *option_word(const struct option *option);

/* The option's word nearest to a text; *exact: it is that word. */
const struct option_word *option_nearest_word(const struct option *option, const char *text, size_t length,
                                              bool *exact);

/* As hak_option_get and hak_option_set (include/hakmem.h). */
int option_get(const char *name, long *value);
int option_set(const char *name, long value);

#endif
