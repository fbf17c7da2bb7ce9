#include "config/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "config/distance.h"
#include "config/size_value.h"
#include "os/os.h"

enum { PROFILES = profile_lean + 1 };

struct option {
  const char *name, *environment;
  _Atomic long *value;
  long least, greatest;
  long in_profile[PROFILES];
  bool changeable;
};

/* A name for a value of an option. */
struct word {
  const _Atomic long *option;
  const char *text;
  long value;
  bool one_of_several;
};

struct options options = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help) .option = (balanced),
#include "config/options.def"
};

static const struct option table[] = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help)                          \
  {#option, environment, &options.option, least, greatest, {balanced, speed, lean}, changeable},
#include "config/options.def"
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

static const struct word words[] = {
#define OPTION_WORD(option, word, value) {&options.option, #word, value, false},
#define OPTION_BIT(option, word, value) {&options.option, #word, value, true},
#include "config/options.def"
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

/* Those that are sizes. */
static const _Atomic long *const sizes[] = {
#define OPTION_SIZE(option) &options.option,
#include "config/options.def"
};

static const char prefix[] = "HAKMEM_";

/* Names that begin so are read by the benchmarks and the tests, not by the library. */
static const char *const others_prefixes[] = {
    "HAKMEM_BENCH_", "HAKMEM_TEST_",
#if HAKMEM_PROFILE
    "HAKMEM_PROFILE_FILE=", /* a path: profile/occasions.c reads it */
#endif
};

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
    *option->value = number;
    return;
  }
  long nearest = !is_number ? *option->value : number < option->least ? option->least : option->greatest;
  notice("hakmem: warning: %s=%s is not a number from %ld to %ld, %ld is used; the nearest valid value is %ld",
         option->environment, text, option->least, option->greatest, *option->value, nearest);
}

static bool is_size(const struct option *option) {
  bool found = false;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    found = found || sizes[i] == option->value;
  }
  return found;
}

static void read_size(const struct option *option, const char *text) {
  long bytes;
  const char *nearest = size_value(text, option->greatest, &bytes);
  if (nearest == NULL) {
    *option->value = bytes;
  } else {
    notice("hakmem: warning: %s=%s is not a size like 512M or a percentage like 80%%, %ld is used; the nearest valid "
           "value is %s",
           option->environment, text, *option->value, nearest);
  }
}

/* ---- words ---- */

/* The first word of an option; NULL: it takes numbers. */
static const struct word *first_word(const struct option *option) {
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].option == option->value) {
      return &words[i];
    }
  }
  return NULL;
}

/* The option's word nearest to a text; *exact: it is that word. */
static const struct word *nearest_word(const struct option *option, const char *text, size_t length, bool *exact) {
  const struct word *nearest = first_word(option);
  for (unsigned i = 0; i < WORD_COUNT; i++) {
    if (words[i].option == option->value &&
        distance(text, length, words[i].text) < distance(text, length, nearest->text)) {
      nearest = &words[i];
    }
  }
  *exact = strlen(nearest->text) == length && strncmp(nearest->text, text, length) == 0;
  return nearest;
}

/* The first word of the option's value. */
static const struct word *word_in_use(const struct option *option) {
  const struct word *word = first_word(option);
  while (word->value != *option->value) {
    word++;
  }
  return word;
}

static void set_profile(long profile) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    *table[i].value = table[i].in_profile[profile];
  }
}

static void read_word(const struct option *option, const char *text) {
  bool exact;
  const struct word *nearest = nearest_word(option, text, strlen(text), &exact);
  if (!exact) {
    notice("hakmem: warning: unknown %s %s=%s, %s is used; did you mean %s?", option->name, option->environment, text,
           word_in_use(option)->text, nearest->text);
  } else if (option->value == &options.profile) {
    set_profile(nearest->value);
  } else {
    *option->value = nearest->value;
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
  *option->value = sum;
}

static void read_option(const struct option *option, const char *text) {
  const struct word *word = first_word(option);
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

static const struct option *find_environment(const char *name, size_t length) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    if (strlen(table[i].environment) == length && strncmp(table[i].environment, name, length) == 0) {
      return &table[i];
    }
  }
  return NULL;
}

static bool belongs_to_others(const char *entry) {
  for (unsigned i = 0; i < sizeof others_prefixes / sizeof others_prefixes[0]; i++) {
    if (begins_with(entry, others_prefixes[i])) {
      return true;
    }
  }
  return false;
}

static void read_entry(const char *entry, bool profiles) {
  const char *equals = strchr(entry, '=');
  if (equals == NULL || !begins_with(entry, prefix) || belongs_to_others(entry)) {
    return;
  }
  const struct option *option = find_environment(entry, (size_t)(equals - entry));
  bool is_profile = option != NULL && option->value == &options.profile;
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

static const struct option *find_name(const char *name) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    if (strcmp(table[i].name, name) == 0) {
      return &table[i];
    }
  }
  return NULL;
}

int option_get(const char *name, long *value) {
  if (name == NULL || value == NULL) {
    return EINVAL;
  }
  const struct option *option = find_name(name);
  if (option == NULL) {
    return ENOENT;
  }
  *value = *option->value;
  return 0;
}

int option_set(const char *name, long value) {
  if (name == NULL) {
    return EINVAL;
  }
  const struct option *option = find_name(name);
  if (option == NULL) {
    return ENOENT;
  }
  if (!option->changeable) {
    return EPERM;
  }
  if (value < option->least || value > option->greatest) {
    return EINVAL;
  }
  *option->value = value;
  return 0;
}
