/* option_text: the options that take a text (OPTION_TEXT in config/options.def).
 *
 * Owns:     the address of each text, which lies in the environment: the program may change it once it runs.
 * Promises: allocates nothing.
 * Callers:  config/environment.c; option_texts: constructors of the library.
 */
#ifndef HAKMEM_CONFIG_OPTION_TEXT_H
#define HAKMEM_CONFIG_OPTION_TEXT_H

#include <stdbool.h>

#include "config/options.h"

/* NULL: nothing. */
struct option_texts {
#define OPTION_TEXT(name) const char *name;
#include "config/options.def"
};

extern HIDDEN struct option_texts option_texts;

/* Whether the option with this value takes a text. */
bool option_text_takes(const option_value *option);

/* Keeps the text of such an option; whether there is one. */
bool option_text_read(const option_value *option, const char *text);

#endif
