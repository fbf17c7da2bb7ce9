#include "config/environment.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "config/distance.h"
#include "config/number_value.h"
#include "config/option_table.h"
#include "config/option_text.h"
#include "config/retired.h"
#include "config/size_value.h"
#include "os/os.h"

static const char prefix[] = "HAKMEM_";

/* Instead of a suggestion. */
#define OTHERS "man 3 hakmem lists the values"

/* Names that begin so are read by the benchmarks and the tests, not by the library. */
static const char *const others_prefixes[] = {
    "HAKMEM_BENCH_", "HAKMEM_TEST_",
#if HAKMEM_PROFILE
    "HAKMEM_PROFILE_FILE=", /* a path, or nothing: profile/occasions.c reads it */
#endif
};

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static RARE void warn_unknown_name(const char *name, size_t length) {
  const size_t common = sizeof prefix - 1; /* a name is near by what it has beyond that */
  const char *nearest = option_nearest(name, length)->environment;
  enum { SLIP = 2 }; /* so near to a valid name it is no retired one */
  if (distance(name, length, nearest) > SLIP && retired_tell(name, length)) {
    return;
  }
  if (is_near(name + common, length - common, nearest + common)) {
    notice("hakmem: warning: unknown option %.*s is ignored; did you mean %s?", (int)length, name, nearest);
  } else {
    notice("hakmem: warning: unknown option %.*s is ignored; man 3 hakmem lists the options", (int)length, name);
  }
}

/* Who chose lines by a name that there is not gets none: the warning would be lost among all of them. */
static void refuse_choice(const struct option *option) {
  if (option_value_of(option) == &options.stats || option_value_of(option) == &options.free_path_stats ||
      option_value_of(option) == &options.free_dispatch_stats || option_value_of(option) == &options.warm_pool_stats) {
    options.stats |= stats_none;
  }
}

static void read_value(const struct option *option, const char *text) {
  static const char unit[] = "_kib";
  size_t length = strlen(option->name);
  bool in_kib = length >= sizeof unit && strcmp(option->name + length - (sizeof unit - 1), unit) == 0;
  long nearest;
  switch (number_value(text, option->least, option->greatest, in_kib, &nearest)) {
  case NUMBER_RIGHT:
    *option_value_of(option) = nearest;
    return;
  case NUMBER_NEAR:
    notice("hakmem: warning: %s=%s is not a number from %ld to %ld, %ld is used; the nearest valid value is %ld",
           option->environment, text, option->least, option->greatest, *option_value_of(option), nearest);
    break;
  case NUMBER_WRONG:
    notice("hakmem: warning: %s=%s is not a number from %ld to %ld, %ld is used", option->environment, text,
           option->least, option->greatest, *option_value_of(option));
    break;
  }
  refuse_choice(option);
}

static void read_size(const struct option *option, const char *text) {
  long bytes;
  const char *nearest = size_value(text, option->greatest, &bytes);
  if (nearest == NULL) {
    *option_value_of(option) = bytes;
  } else {
    notice("hakmem: warning: %s=%s is not a size like 512M or a percentage like 80%%, %ld is used%s%s",
           option->environment, text, *option_value_of(option), *nearest != '\0' ? "; the nearest valid value is " : "",
           nearest);
  }
}

/* ---- words ---- */

static void set_profile(long profile) {
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    *option_value_of(&option_table[i]) = option_table[i].in_profile[profile];
  }
}

static void read_word(const struct option *option, const char *text) {
  bool exact;
  const struct option_word *nearest = option_nearest_word(option, text, strlen(text), &exact);
  if (!exact) {
    bool near = is_near(text, strlen(text), nearest->text);
    notice("hakmem: warning: unknown %s %s=%s, %s is used; %s%s%s", option->name, option->environment, text,
           option_word(option)->text, near ? "did you mean " : "", near ? nearest->text : OTHERS, near ? "?" : "");
  } else if (option_value_of(option) == &options.profile) {
    set_profile(nearest->value);
  } else {
    *option_value_of(option) = nearest->value;
  }
}

/* The value of one word of several; 0, with a warning, for one that there is not. */
static long bit_of(const struct option *option, const char *text, size_t length) {
  bool exact;
  const struct option_word *nearest = option_nearest_word(option, text, length, &exact);
  if (!exact && length != 0) {
    bool near = is_near(text, length, nearest->text);
    notice("hakmem: warning: unknown name %.*s in %s is ignored; %s%s%s", (int)length, text, option->environment,
           near ? "did you mean " : "", near ? nearest->text : OTHERS, near ? "?" : "");
    refuse_choice(option);
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
  *option_value_of(option) |= sum; /* with what a wrong name has set */
}

/* Not beside what every process runs: most set none. */
static NOINLINE void read_option(const struct option *option, const char *text) {
  const struct option_word *word = option_first_word(option);
  if (option_text_takes(option_value_of(option))) {
    *option_value_of(option) = option_text_read(option_value_of(option), text);
  } else if (word == NULL && option_is_size(option)) {
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
  const struct option *option = option_of_environment(entry, (size_t)(equals - entry));
  bool is_profile = option != NULL && option_value_of(option) == &options.profile;
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
