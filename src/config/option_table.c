#include "config/option_table.h"

#include <errno.h>
#include <string.h>

#include "config/distance.h"

const struct option option_table[OPTION_COUNT] = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help)                          \
  {#option, environment, offsetof(struct options, option), changeable, least, greatest, {balanced, speed, lean}},
#include "config/options.def"
};

static const struct option_word words[] = {
#define OPTION_WORD(option, word, value) {offsetof(struct options, option), false, #word, value},
#define OPTION_BIT(option, word, value) {offsetof(struct options, option), true, #word, value},
#include "config/options.def"
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

const struct option *option_of_name(const char *name) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    if (strcmp(option_table[i].name, name) == 0) {
      return &option_table[i];
    }
  }
  return NULL;
}

const struct option *option_of_environment(const char *name, size_t length) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    const char *environment = option_table[i].environment;
    if (strlen(environment) == length && strncmp(environment, name, length) == 0) {
      return &option_table[i];
    }
  }
  return NULL;
}

const struct option *option_nearest(const char *name, size_t length) {
  const struct option *nearest = &option_table[0];
  for (unsigned i = 1; i < OPTION_COUNT; i++) {
    if (distance(name, length, option_table[i].environment) < distance(name, length, nearest->environment)) {
      nearest = &option_table[i];
    }
  }
  return nearest;
}

bool option_is_size(const struct option *option) {
  bool found = false;
#define OPTION_SIZE(name) found = found || option->at == offsetof(struct options, name);
#include "config/options.def"
  return found;
}

const struct option_word *option_first_word(const struct option *option) {
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].at == option->at) {
      return &words[i];
    }
  }
  return NULL;
}

const struct option_word *option_word(const struct option *option) {
  const struct option_word *word = option_first_word(option);
  while (word->value != *option_value_of(option)) {
    word++;
  }
  return word;
}

const struct option_word *option_nearest_word(const struct option *option, const char *text, size_t length,
                                              bool *exact) {
  const struct option_word *nearest = option_first_word(option);
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].at == option->at && distance(text, length, words[i].text) < distance(text, length, nearest->text)) {
      nearest = &words[i];
    }
  }
  *exact = strlen(nearest->text) == length && strncmp(nearest->text, text, length) == 0;
  return nearest;
}

/* ---- at run time ---- */

int option_get(const char *name, long *value) {
  if (name == NULL || value == NULL) {
    return EINVAL;
  }
  const struct option *option = option_of_name(name);
  if (option == NULL) {
    return ENOENT;
  }
  *value = *option_value_of(option);
  return 0;
}

int option_set(const char *name, long value) {
  if (name == NULL) {
    return EINVAL;
  }
  const struct option *option = option_of_name(name);
  if (option == NULL) {
    return ENOENT;
  }
  if (!option->changeable) {
    return EPERM;
  }
  if (value < option->least || value > option->greatest) {
    return EINVAL;
  }
  *option_value_of(option) = value;
  return 0;
}
