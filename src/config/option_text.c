#include "config/option_text.h"

#include <stddef.h>

struct option_texts option_texts;

static const char **place_of(const option_value *option) {
  const char **found = NULL;
#define OPTION_TEXT(name) found = option == &options.name ? &option_texts.name : found;
#include "config/options.def"
  return found;
}

bool option_text_takes(const option_value *option) { return place_of(option) != NULL; }

bool option_text_read(const option_value *option, const char *text) {
  bool is_there = *text != '\0';
  *place_of(option) = is_there ? text : NULL;
  return is_there;
}
