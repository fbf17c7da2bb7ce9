/* options: what a user may choose. Each environment is tried on a process of its own. */
#include "config/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

struct declared {
  const char *name, *environment;
  long least, greatest, in_profile[3];
  bool changeable;
};

static const struct declared table[] = {
#define OPTION(name, environment, least, greatest, balanced, speed, lean, changeable, help)                            \
  {#name, environment, least, greatest, {balanced, speed, lean}, changeable},
#include "config/options.def"
};

enum { OPTIONS = sizeof table / sizeof table[0] };

enum { BALANCED, SPEED, LEAN };

static long get(const char *name) {
  long value = -4711;
  EXPECT_EQ(option_get(name, &value), 0);
  return value;
}

static void expect_profile(void *profile) {
  for (size_t i = 0; i < OPTIONS; i++) {
    NOTE("%s", table[i].name);
    EXPECT_EQ(get(table[i].name), table[i].in_profile[(uintptr_t)profile]);
  }
}

static void nothing_more(void *unused) { (void)unused; }

/* A process with one variable more comes to its end, says `text`, and its options are those of a profile. */
static void expect_said(const char *name, const char *value, int profile, const char *text) {
  NOTE("%s=%s", name, value);
  setenv(name, value, 1);
  EXPECT_RUNS(expect_profile, (void *)(uintptr_t)profile, text);
  unsetenv(name);
}

TEST(OptionsTest, DefaultsAreThoseOfTheBalancedProfile) {
  EXPECT_RUNS(expect_profile, (void *)BALANCED, "");
  for (size_t i = 0; i < OPTIONS; i++) {
    for (int profile = BALANCED; profile <= LEAN; profile++) {
      EXPECT_TRUE(table[i].in_profile[profile] >= table[i].least && table[i].in_profile[profile] <= table[i].greatest);
    }
  }
}

struct setting {
  const char *name;
  long value;
};

static void expect_setting(void *argument) {
  const struct setting *setting = argument;
  EXPECT_EQ(get(setting->name), setting->value);
}

TEST(OptionsTest, EveryOptionIsReadFromTheEnvironment) {
  for (size_t i = 0; i < OPTIONS; i++) {
    if (strcmp(table[i].name, "profile") == 0 || strcmp(table[i].name, "thp") == 0 ||
        strcmp(table[i].name, "verbose") == 0 || strcmp(table[i].name, "exit_file") == 0 ||
        strstr(table[i].name, "stats") != NULL) {
      continue; /* words, and what prints a line: below; a file: tests/options/test_output.py */
    }
    struct setting settings[] = {{table[i].name, table[i].least}, {table[i].name, table[i].greatest}};
    for (size_t s = 0; s < 2; s++) {
      char value[32];
      snprintf(value, sizeof value, "%ld", settings[s].value);
      NOTE("%s=%s", table[i].environment, value);
      setenv(table[i].environment, value, 1);
      EXPECT_RUNS(expect_setting, &settings[s], "");
      unsetenv(table[i].environment);
    }
  }
}

TEST(OptionsTest, VerboseIsOneLineAtExit) {
  setenv("HAKMEM_VERBOSE", "1", 1);
  EXPECT_RUNS(nothing_more, NULL, "\\[HAKMEM\\] version=[^\n]*\n");
  setenv("HAKMEM_VERBOSE", "0", 1);
  EXPECT_RUNS(nothing_more, NULL, "");
  unsetenv("HAKMEM_VERBOSE");
}

/* This library counts nothing, and says so once when it is asked for counts. */
#define COUNTS_NOTHING                                                                                                 \
  "hakmem: warning: this library counts nothing for HAKMEM_STATS; libhakmem-observe.so does: [^\n]*\n"

static void expect_stats(const char *name, const char *value, struct setting setting, const char *text) {
  NOTE("%s=%s", name, value);
  setenv(name, value, 1);
  EXPECT_RUNS(expect_setting, &setting, text);
  unsetenv(name);
}

TEST(OptionsTest, StatsAreASetOfWords) {
  expect_stats("HAKMEM_STATS", "", (struct setting){"stats", 0}, "");
  expect_stats("HAKMEM_STATS", ",", (struct setting){"stats", 0}, "");
#define WORD(word)                                                                                                     \
  expect_stats("HAKMEM_STATS", #word, (struct setting){"stats", stats_##word}, COUNTS_NOTHING);                        \
  expect_stats("HAKMEM_STATS", "os," #word, (struct setting){"stats", stats_os | stats_##word}, COUNTS_NOTHING);
  WORD(free_path)
  WORD(dispatch)
  WORD(process)
  WORD(locks)
  WORD(waste)
  WORD(all)
#undef WORD
  expect_stats("HAKMEM_FREE_PATH_STATS", "1", (struct setting){"free_path_stats", 1}, COUNTS_NOTHING);
  expect_stats("HAKMEM_FREE_DISPATCH_STATS", "1", (struct setting){"free_dispatch_stats", 1}, COUNTS_NOTHING);
  expect_stats("HAKMEM_WARM_POOL_STATS", "1", (struct setting){"warm_pool_stats", 1}, COUNTS_NOTHING);
  expect_stats("HAKMEM_WARM_POOL_STATS", "0", (struct setting){"warm_pool_stats", 0}, "");
}

TEST(OptionsTest, AnUnknownBoxGetsOneWarningWithTheNearest) {
#define UNKNOWN(name, nearest)                                                                                         \
  "hakmem: warning: unknown name " name " in HAKMEM_STATS is ignored; did you mean " nearest "\\?\n"
  expect_stats("HAKMEM_STATS", "free_pth", (struct setting){"stats", stats_none}, UNKNOWN("free_pth", "free_path"));
  expect_stats("HAKMEM_STATS", "FREE_PATH", (struct setting){"stats", stats_none}, UNKNOWN("FREE_PATH", "free_path"));
  expect_stats("HAKMEM_STATS", "free", (struct setting){"stats", stats_none}, UNKNOWN("free", "free_path"));
  expect_stats("HAKMEM_STATS", "warmpool,os", (struct setting){"stats", stats_os | stats_none},
               UNKNOWN("warmpool", "warm_pool") COUNTS_NOTHING);
  expect_stats("HAKMEM_STATS", "slabs,depo", (struct setting){"stats", stats_none},
               UNKNOWN("slabs", "slab") UNKNOWN("depo", "depot"));
#undef UNKNOWN
  expect_stats("HAKMEM_STATS", "unheard_of", (struct setting){"stats", stats_none},
               "hakmem: warning: unknown name unheard_of in HAKMEM_STATS is ignored; man 3 hakmem lists the values\n");
  expect_stats("HAKMEM_STATS", "none", (struct setting){"stats", stats_none}, "");
}

TEST(OptionsTest, AWrongChoiceOfLinesIsOfNone) {
#define WRONG(name, value, nearest)                                                                                    \
  expect_stats(name, value, (struct setting){"stats", stats_none},                                                     \
               "hakmem: warning: " name "=" value " is not a number from 0 to 1, 0 is used" nearest "\n")
  WRONG("HAKMEM_FREE_PATH_STATS", "yes", "; the nearest valid value is 1");
  WRONG("HAKMEM_FREE_DISPATCH_STATS", "off", "; the nearest valid value is 0");
  WRONG("HAKMEM_WARM_POOL_STATS", "2", "; the nearest valid value is 1");
  WRONG("HAKMEM_WARM_POOL_STATS", "maybe", "");
#undef WRONG
}

TEST(OptionsTest, HugePagesAreAWord) {
  expect_stats("HAKMEM_THP", "never", (struct setting){"thp", thp_never}, "");
  expect_stats("HAKMEM_THP", "default", (struct setting){"thp", thp_default}, "");
  expect_stats("HAKMEM_THP", "always", (struct setting){"thp", thp_always}, "");
  /* The warning names the word that is used, which is not the first one. */
  expect_stats("HAKMEM_THP", "alway", (struct setting){"thp", thp_default},
               "hakmem: warning: unknown thp HAKMEM_THP=alway, default is used; did you mean always\\?\n");
  setenv("HAKMEM_PROFILE", "lean", 1);
  expect_stats("HAKMEM_THP", "nevr", (struct setting){"thp", thp_never},
               "hakmem: warning: unknown thp HAKMEM_THP=nevr, never is used; did you mean never\\?\n");
  unsetenv("HAKMEM_PROFILE");
}

TEST(OptionsTest, TheFormatOfStatsIsAWord) {
  expect_stats("HAKMEM_STATS_FORMAT", "json", (struct setting){"stats_format", stats_format_json}, "");
  expect_stats("HAKMEM_STATS_FORMAT", "human", (struct setting){"stats_format", stats_format_human}, "");
  expect_stats("HAKMEM_STATS_FORMAT", "jsn", (struct setting){"stats_format", stats_format_human},
               "hakmem: warning: unknown stats_format HAKMEM_STATS_FORMAT=jsn, human is used; did you mean json\\?\n");
}

TEST(OptionsTest, AProfileSetsEveryOption) {
  expect_said("HAKMEM_PROFILE", "balanced", BALANCED, "");
  expect_said("HAKMEM_PROFILE", "speed", SPEED, "");
  expect_said("HAKMEM_PROFILE", "lean", LEAN, "");
}

TEST(OptionsTest, OldNamesOfProfilesAreAccepted) {
  expect_said("HAKMEM_PROFILE", "MIXED_TINYV3_C7_SAFE", BALANCED, "");
  expect_said("HAKMEM_PROFILE", "C6_HEAVY_LEGACY_POOLV1", BALANCED, "");
}

TEST(OptionsTest, ASingleOptionIsAChoiceWithinTheProfile) {
  /* Whichever of the two comes first in the environment. */
  struct setting setting = {"retain_kib", 77};
  setenv("HAKMEM_PROFILE", "speed", 1);
  setenv("HAKMEM_RETAIN_KIB", "77", 1);
  EXPECT_RUNS(expect_setting, &setting, "");
  unsetenv("HAKMEM_PROFILE");
  setenv("HAKMEM_PROFILE", "speed", 1);
  EXPECT_RUNS(expect_setting, &setting, "");
  struct setting other = {"depot_kib", 2048};
  EXPECT_RUNS(expect_setting, &other, "");
  unsetenv("HAKMEM_PROFILE");
  unsetenv("HAKMEM_RETAIN_KIB");
}

TEST(OptionsTest, AnUnknownNameGetsOneWarningWithTheNearest) {
#define UNKNOWN(name, nearest)                                                                                         \
  expect_said(name, "1", BALANCED, "hakmem: warning: unknown option " name " is ignored; did you mean " nearest "\\?\n")
  UNKNOWN("HAKMEM_VERBOS", "HAKMEM_VERBOSE");
  UNKNOWN("HAKMEM_RETAIN", "HAKMEM_RETAIN_KIB");
  UNKNOWN("HAKMEM_RETAINKIB", "HAKMEM_RETAIN_KIB");
  UNKNOWN("HAKMEM_DEPOT_KB", "HAKMEM_DEPOT_KIB");
  UNKNOWN("HAKMEM_SS_PREFUALT", "HAKMEM_SS_PREFAULT");
  UNKNOWN("HAKMEM_profile", "HAKMEM_PROFILE");
#undef UNKNOWN
}

TEST(OptionsTest, ANameLikeNothingGetsNoSuggestion) {
#define UNKNOWN(name)                                                                                                  \
  expect_said(name, "1", BALANCED,                                                                                     \
              "hakmem: warning: unknown option " name " is ignored; man 3 hakmem lists the options\n")
  UNKNOWN("HAKMEM_A_NAME_THAT_IS_LONGER_THAN_ANY_NAME_OF_AN_OPTION_WILL_EVER_BE");
  UNKNOWN("HAKMEM_SOMETHING_ELSE");
  UNKNOWN("HAKMEM_Q");
  UNKNOWN("HAKMEM_");
#undef UNKNOWN
}

TEST(OptionsTest, NamesOfOthersAreNotOurs) {
  expect_said("HAKMEM", "1", BALANCED, "");
  expect_said("HAKMEMORY", "1", BALANCED, "");
  expect_said("hakmem_verbose", "1", BALANCED, "");
  expect_said("MY_HAKMEM_VERBOSE", "1", BALANCED, "");
  expect_said("HAKMEM_BENCH_MIN_SIZE", "1", BALANCED, "");
  expect_said("HAKMEM_TEST_SEED", "1", BALANCED, "");
}

TEST(OptionsTest, ABadValueGetsOneWarningWithTheNearest) {
#define BAD(name, value, range, used, nearest)                                                                         \
  expect_said(name, value, BALANCED,                                                                                   \
              "hakmem: warning: " name "=" value " is not a number from " range ", " used                              \
              " is used; the nearest valid value is " nearest "\n")
  BAD("HAKMEM_VERBOSE", "2", "0 to 1", "0", "1");
  BAD("HAKMEM_VERBOSE", "yes", "0 to 1", "0", "1");
  BAD("HAKMEM_VERBOSE", "ON", "0 to 1", "0", "1");
  BAD("HAKMEM_BACKGROUND", "false", "0 to 1", "0", "0");
  BAD("HAKMEM_SS_PREFAULT", "3", "0 to 2", "0", "2");
  BAD("HAKMEM_SS_PREFAULT", "-1", "0 to 2", "0", "0");
  BAD("HAKMEM_RETAIN_KIB", "-5", "0 to 1073741824", "2048", "0");
  BAD("HAKMEM_RETAIN_KIB", "1073741825", "0 to 1073741824", "2048", "1073741824");
  BAD("HAKMEM_RETAIN_KIB", "1M", "0 to 1073741824", "2048", "1024");
  BAD("HAKMEM_DEPOT_KIB", "64k", "0 to 1073741824", "256", "64");
  BAD("HAKMEM_DEPOT_KIB", "1T", "0 to 1073741824", "256", "1073741824");
  BAD("HAKMEM_DEPOT_KIB", "99999999999999999999", "0 to 1073741824", "256", "1073741824");
  BAD("HAKMEM_DEPOT_KIB", "-99999999999999999999", "0 to 1073741824", "256", "0");
#undef BAD
}

TEST(OptionsTest, AValueLikeNothingGetsNoSuggestion) {
#define BAD(name, value, range, used)                                                                                  \
  expect_said(name, value, BALANCED,                                                                                   \
              "hakmem: warning: " name "=" value " is not a number from " range ", " used " is used\n")
  BAD("HAKMEM_VERBOSE", "1M", "0 to 1", "0");
  BAD("HAKMEM_RETAIN_KIB", "1.5", "0 to 1073741824", "2048");
  BAD("HAKMEM_RETAIN_KIB", "0x10", "0 to 1073741824", "2048");
  BAD("HAKMEM_RETAIN_KIB", "50%", "0 to 1073741824", "2048");
  BAD("HAKMEM_RETAIN_KIB", "yes", "0 to 1073741824", "2048");
  BAD("HAKMEM_DEPOT_KIB", "", "0 to 1073741824", "256");
  BAD("HAKMEM_DEPOT_KIB", "lots", "0 to 1073741824", "256");
  BAD("HAKMEM_DEPOT_KIB", "2T", "0 to 1073741824", "256");
#undef BAD
}

TEST(OptionsTest, AnUnknownProfileGetsOneWarningWithTheNearest) {
#define UNKNOWN(value, nearest)                                                                                        \
  expect_said("HAKMEM_PROFILE", value, BALANCED,                                                                       \
              "hakmem: warning: unknown profile HAKMEM_PROFILE=" value ", balanced is used; did you mean " nearest     \
              "\\?\n")
  UNKNOWN("sped", "speed");
  UNKNOWN("SPEED", "speed");
  UNKNOWN("leen", "lean");
  UNKNOWN("ballanced", "balanced");
  UNKNOWN("MIXED_TINYV3_C7", "MIXED_TINYV3_C7_SAFE");
#undef UNKNOWN
#define UNKNOWN(value)                                                                                                 \
  expect_said("HAKMEM_PROFILE", value, BALANCED,                                                                       \
              "hakmem: warning: unknown profile HAKMEM_PROFILE=" value ", balanced is used; man 3 hakmem lists the "   \
              "values\n")
  UNKNOWN("fast");
  UNKNOWN("1");
  UNKNOWN("");
#undef UNKNOWN
}

TEST(OptionsTest, EachMistakeGetsItsOwnWarning) {
  setenv("HAKMEM_VERBOS", "1", 1);
  setenv("HAKMEM_PROFILE", "sped", 1);
  setenv("HAKMEM_SS_PREFAULT", "9", 1);
  EXPECT_RUNS(expect_profile, (void *)BALANCED, "(hakmem: warning: [^\n]*\n){3}");
  unsetenv("HAKMEM_VERBOS");
  unsetenv("HAKMEM_PROFILE");
  unsetenv("HAKMEM_SS_PREFAULT");
}

static void read_again(void *unused) {
  (void)unused;
  setenv("HAKMEM_RETAIN_KIB", "12345", 1);
  setenv("HAKMEM_UNHEARD_OF", "1", 1);
  options_read();
  EXPECT_EQ(get("retain_kib"), 2048);
}

TEST(OptionsTest, TheEnvironmentIsReadOnce) { EXPECT_RUNS(read_again, NULL, ""); }

/* ---- at run time ---- */

TEST(OptionsTest, GettingRefusesWhatIsNotThere) {
  long value = 5;
  EXPECT_EQ(option_get("no_such_option", &value), ENOENT);
  EXPECT_EQ(option_get("RETAIN_KIB", &value), ENOENT);
  EXPECT_EQ(option_get("", &value), ENOENT);
  EXPECT_EQ(option_get(NULL, &value), EINVAL);
  EXPECT_EQ(option_get("verbose", NULL), EINVAL);
  EXPECT_EQ(value, 5);
}

static void set_all(void *unused) {
  (void)unused;
  for (size_t i = 0; i < OPTIONS; i++) {
    NOTE("%s", table[i].name);
    long before = get(table[i].name);
    if (!table[i].changeable) {
      EXPECT_EQ(option_set(table[i].name, table[i].greatest), EPERM);
      EXPECT_EQ(get(table[i].name), before);
      continue;
    }
    EXPECT_EQ(option_set(table[i].name, table[i].least - 1), EINVAL);
    EXPECT_EQ(option_set(table[i].name, table[i].greatest + 1), EINVAL);
    EXPECT_EQ(get(table[i].name), before);
    EXPECT_EQ(option_set(table[i].name, table[i].greatest), 0);
    EXPECT_EQ(get(table[i].name), table[i].greatest);
    EXPECT_EQ(option_set(table[i].name, table[i].least), 0);
    EXPECT_EQ(get(table[i].name), table[i].least);
  }
  EXPECT_EQ(option_set("no_such_option", 1), ENOENT);
  EXPECT_EQ(option_set(NULL, 1), EINVAL);
}

TEST(OptionsTest, SettingKeepsTheBoundsOfTheTable) { EXPECT_RUNS(set_all, NULL, ""); }

static void expect_file(void *text) {
  EXPECT_EQ(strcmp(option_texts.stats_file, text), 0);
  EXPECT_EQ(get("stats_file"), 1);
  EXPECT_EQ(option_set("stats_file", 0), EPERM);
}

static void expect_no_file(void *unused) {
  (void)unused;
  EXPECT_EQ(option_texts.stats_file, NULL);
  EXPECT_EQ(get("stats_file"), 0);
}

TEST(OptionsTest, AnOptionMayTakeAText) {
  EXPECT_RUNS(expect_no_file, NULL, "");
  setenv("HAKMEM_STATS_FILE", "/dev/null", 1);
  EXPECT_RUNS(expect_file, "/dev/null", "");
  setenv("HAKMEM_STATS_FILE", "", 1);
  EXPECT_RUNS(expect_no_file, NULL, "");
  unsetenv("HAKMEM_STATS_FILE");
}
