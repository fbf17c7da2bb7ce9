#include "config/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "os/fatal.h"

enum { PROFILE_BALANCED = 0, PROFILE_SPEED, PROFILE_LEAN, PROFILE_COUNT, NAME_MAX_LENGTH = 48 };

struct option {
  const char *name, *environment;
  long *value;
  long least, greatest;
  long in_profile[PROFILE_COUNT];
  bool changeable;
};

struct profile_name {
  const char *name;
  long profile;
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

/* Profiles of the first attempt are accepted by their old names. */
static const struct profile_name profile_names[] = {
    {"balanced", PROFILE_BALANCED},
    {"speed", PROFILE_SPEED},
    {"lean", PROFILE_LEAN},
    {"MIXED_TINYV3_C7_SAFE", PROFILE_BALANCED},
    {"C6_HEAVY_LEGACY_POOLV1", PROFILE_BALANCED},
};

enum { PROFILE_NAMES = sizeof profile_names / sizeof profile_names[0] };

static const char prefix[] = "HAKMEM_";

/* Names that begin so are read by the benchmarks and the tests, not by the library. */
static const char *const others_prefixes[] = {"HAKMEM_BENCH_", "HAKMEM_TEST_"};

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* Edit distance of two names, without regard to case. */
static unsigned distance(const char *a, size_t a_length, const char *b) {
  unsigned row[NAME_MAX_LENGTH + 1];
  size_t b_length = strlen(b);
  if (a_length > NAME_MAX_LENGTH || b_length > NAME_MAX_LENGTH) {
    return NAME_MAX_LENGTH;
  }
  for (unsigned j = 0; j <= b_length; j++) {
    row[j] = j;
  }
  for (unsigned i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b_length; j++) {
      unsigned above = row[j];
      unsigned differs = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
      row[j] = smaller(smaller(row[j] + 1, row[j - 1] + 1), diagonal + differs);
      diagonal = above;
    }
  }
  return row[b_length];
}

static void warn_unknown_name(const char *name, size_t length) {
  const char *nearest = table[0].environment;
  for (unsigned i = 1; i < OPTION_COUNT; i++) {
    if (distance(name, length, table[i].environment) < distance(name, length, nearest)) {
      nearest = table[i].environment;
    }
  }
  notice("hakmem: warning: unknown option %.*s is ignored; did you mean %s?", (int)length, name, nearest);
}

static void warn_unknown_profile(const char *value) {
  const char *nearest = profile_names[0].name;
  for (unsigned i = 1; i < PROFILE_NAMES; i++) {
    if (distance(value, strlen(value), profile_names[i].name) < distance(value, strlen(value), nearest)) {
      nearest = profile_names[i].name;
    }
  }
  notice("hakmem: warning: unknown profile HAKMEM_PROFILE=%s, balanced is used; did you mean %s?", value, nearest);
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

static void read_profile(const char *value) {
  for (unsigned i = 0; i < PROFILE_NAMES; i++) {
    if (strcmp(value, profile_names[i].name) == 0) {
      for (unsigned o = 0; o < OPTION_COUNT; o++) {
        *table[o].value = table[o].in_profile[profile_names[i].profile];
      }
      return;
    }
  }
  warn_unknown_profile(value);
}

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
  if (is_profile == profiles) {
    if (is_profile) {
      read_profile(equals + 1);
    } else if (option != NULL) {
      read_value(option, equals + 1);
    } else {
      warn_unknown_name(entry, (size_t)(equals - entry));
    }
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
