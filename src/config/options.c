#include "config/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "config/distance.h"
#include "config/size_value.h"
#include "os/os.h"

enum { PROFILES = profile_lean + 1 };

/* No pointers in the tables: the dynamic linker would write them at each process's start. */
struct option {
  char name[20], environment[32];
  uint16_t at; /* of its value in `options` */
  long least, greatest;
  long in_profile[PROFILES];
  bool changeable;
};

/* A name for a value of an option. */
struct word {
  uint16_t at;
  char text[24];
  long value;
  bool one_of_several;
};

struct option_texts option_texts;

struct options options = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help) .option = (balanced),
#include "config/options.def"
};

static const struct option table[] = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help)                          \
  {#option, environment, offsetof(struct options, option), least, greatest, {balanced, speed, lean}, changeable},
#include "config/options.def"
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

static const struct word words[] = {
#define OPTION_WORD(option, word, value) {offsetof(struct options, option), #word, value, false},
#define OPTION_BIT(option, word, value) {offsetof(struct options, option), #word, value, true},
#include "config/options.def"
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

static option_value *value_of(const struct option *option) {
  return (option_value *)(void *)((char *)&options + option->at);
}

static const char prefix[] = "HAKMEM_";

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static void warn_unknown_name(const char *name, size_t length) {
  const char *nearest = table[0].environment;
  for (unsigned i = 1; i < OPTION_COUNT; i++) {
    if (distance(name, length, table[i].environment) < distance(name, length, nearest)) {
      nearest = table[i].environment;
    }
  }
  notice("hakmem: warning: unknown option %.*s is ignored; did you mean %s?", (int)length, name, nearest);
}

/* A number too large for a long becomes the largest, which is out of range as well. */
static bool parse_number(const char *text, long *number) {
  char *end;
  int saved = errno;
  *number = strtol(text, &end, 10);
  errno = saved;
  return end != text && *end == '\0';
}

static void read_value(const struct option *option, const char *text) {
  long number;
  bool is_number = parse_number(text, &number);
  if (is_number && number >= option->least && number <= option->greatest) {
    *value_of(option) = number;
    return;
  }
  long nearest = !is_number ? *value_of(option) : number < option->least ? option->least : option->greatest;
  notice("hakmem: warning: %s=%s is not a number from %ld to %ld, %ld is used; the nearest valid value is %ld",
         option->environment, text, option->least, option->greatest, *value_of(option), nearest);
}

static bool is_size(const struct option *option) {
  bool found = false;
#define OPTION_SIZE(name) found = found || option->at == offsetof(struct options, name);
#include "config/options.def"
  return found;
}

static void read_size(const struct option *option, const char *text) {
  long bytes;
  const char *nearest = size_value(text, option->greatest, &bytes);
  if (nearest == NULL) {
    *value_of(option) = bytes;
  } else {
    notice("hakmem: warning: %s=%s is not a size like 512M or a percentage like 80%%, %ld is used; the nearest valid "
           "value is %s",
           option->environment, text, *value_of(option), nearest);
  }
}

/* ---- words ---- */

/* The first word of an option; NULL: it takes numbers. */
static const struct word *first_word(const struct option *option) {
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].at == option->at) {
      return &words[i];
    }
  }
  return NULL;
}

/* The option's word nearest to a text; *exact: it is that word. */
static const struct word *nearest_word(const struct option *option, const char *text, size_t length, bool *exact) {
  const struct word *nearest = first_word(option);
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].at == option->at && distance(text, length, words[i].text) < distance(text, length, nearest->text)) {
      nearest = &words[i];
    }
  }
  *exact = strlen(nearest->text) == length && strncmp(nearest->text, text, length) == 0;
  return nearest;
}

/* The first word of the option's value. */
static const struct word *word_in_use(const struct option *option) {
  const struct word *word = first_word(option);
  while (word->value != *value_of(option)) {
    word++;
  }
  return word;
}

static void set_profile(long profile) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    *value_of(&table[i]) = table[i].in_profile[profile];
  }
}

static void read_word(const struct option *option, const char *text) {
  bool exact;
  const struct word *nearest = nearest_word(option, text, strlen(text), &exact);
  if (!exact) {
    notice("hakmem: warning: unknown %s %s=%s, %s is used; did you mean %s?", option->name, option->environment, text,
           word_in_use(option)->text, nearest->text);
  } else if (value_of(option) == &options.profile) {
    set_profile(nearest->value);
  } else {
    *value_of(option) = nearest->value;
  }
}

/* The value of one word of several; 0, with a warning, for one that there is not. */
static long bit_of(const struct option *option, const char *text, size_t length) {
  bool exact;
  const struct word *nearest = nearest_word(option, text, length, &exact);
  if (!exact && length != 0) {
    notice("hakmem: warning: unknown name %.*s in %s is ignored; did you mean %s?", (int)length, text,
           option->environment, nearest->text);
  }
  return exact ? nearest->value : 0;
}

static void read_words(const struct option *option, const char *text) {
  long sum = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, ",");
    sum |= bit_of(option, text, length);
    text += length;
    text += *text == ',';
  }
  *value_of(option) = sum;
}

/* False: it takes none. */
static bool read_text(const struct option *option, const char *text) {
  bool takes = false;
#define OPTION_TEXT(name)                                                                                              \
  if (option->at == offsetof(struct options, name)) {                                                                  \
    takes = true;                                                                                                      \
    options.name = *text != '\0';                                                                                      \
    option_texts.name = options.name != 0 ? text : NULL;                                                               \
  }
#include "config/options.def"
  return takes;
}

static void read_option(const struct option *option, const char *text) {
  const struct word *word = first_word(option);
  if (read_text(option, text)) {
    return;
  }
  if (word == NULL && is_size(option)) {
    read_size(option, text);
  } else if (word == NULL) {
    read_value(option, text);
  } else if (word->one_of_several) {
    read_words(option, text);
  } else {
    read_word(option, text);
  }
}

/* ---- the environment ---- */

/* By what is at `place` of struct option. */
static const struct option *find(size_t place, const char *name, size_t length) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    const char *its = (const char *)&table[i] + place;
    if (strlen(its) == length && strncmp(its, name, length) == 0) {
      return &table[i];
    }
  }
  return NULL;
}

/* To the benchmarks and the tests, and not to the library. */
static bool belongs_to_others(const char *entry) {
  return begins_with(entry, "HAKMEM_BENCH_") || begins_with(entry, "HAKMEM_TEST_");
}

static void read_entry(const char *entry, bool profiles) {
  const char *equals = strchr(entry, '=');
  if (equals == NULL || !begins_with(entry, prefix) || belongs_to_others(entry)) {
    return;
  }
  const struct option *option = find(offsetof(struct option, environment), entry, (size_t)(equals - entry));
  bool is_profile = option != NULL && value_of(option) == &options.profile;
  if (is_profile != profiles) {
    return;
  }
  if (option != NULL) {
    read_option(option, equals + 1);
  } else {
    warn_unknown_name(entry, (size_t)(equals - entry));
  }
}

void options_read(void) {
  extern char **environ;
  static bool done;
  if (done || environ == NULL) {
    return;
  }
  done = true;
  if (getauxval(AT_SECURE) != 0) {
    return;
  }
  /* The profile first: single options are choices within it. */
  for (int pass = 0; pass < 2; pass++) {
    for (char **entry = environ; *entry != NULL; entry++) {
      read_entry(*entry, pass == 0);
    }
  }
}

int option_get(const char *name, long *value) {
  if (name == NULL || value == NULL) {
    return EINVAL;
  }
  const struct option *option = find(offsetof(struct option, name), name, strlen(name));
  if (option == NULL) {
    return ENOENT;
  }
  *value = *value_of(option);
  return 0;
}

int option_set(const char *name, long value) {
  if (name == NULL) {
    return EINVAL;
  }
  const struct option *option = find(offsetof(struct option, name), name, strlen(name));
  if (option == NULL) {
    return ENOENT;
  }
  if (!option->changeable) {
    return EPERM;
  }
  if (value < option->least || value > option->greatest) {
    return EINVAL;
  }
  *value_of(option) = value;
  return 0;
}
