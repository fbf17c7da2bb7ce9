/* POSIX, and so musl, knows no \1 in an extended regular expression: here it becomes a group with the same expression as
 * the one that it names, and what the two have matched is compared. */
#include "unit/pattern.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_BYTES = 8192, GROUPS = 20 };

struct pattern {
  char text[PATTERN_BYTES];
  size_t length;
  unsigned written, groups;   /* groups of the expression, and of `text` */
  const char *inside[GROUPS]; /* what the n-th group of the expression looks like, */
  unsigned number[GROUPS];    /* and which one of `text` it is */
  unsigned same[GROUPS];      /* the group that the n-th one of `text` must equal; 0: none */
};

static void add(struct pattern *pattern, const char *part, size_t length) {
  if (pattern->length + length >= PATTERN_BYTES || pattern->groups + 1 >= GROUPS) {
    fputs("a regular expression is too long or has too many groups\n", stderr);
    abort();
  }
  memcpy(pattern->text + pattern->length, part, length);
  pattern->length += length;
}

/* A group, from its parenthesis to the one that closes it. */
static size_t group_length(const char *group) {
  const char *at = group;
  while (*at != ')' && *at != '\0') {
    at += *at == '\\' ? 2 : 1;
  }
  return (size_t)(at - group) + 1;
}

static void add_group_again(struct pattern *pattern, unsigned written) {
  if (written > pattern->written) {
    fprintf(stderr, "no group comes before \\%u\n", written);
    abort();
  }
  pattern->same[++pattern->groups] = pattern->number[written];
  add(pattern, pattern->inside[written], group_length(pattern->inside[written]));
}

static void translate(struct pattern *pattern, const char *expression) {
  for (const char *at = expression; *at != '\0'; at++) {
    if (*at == '\\' && at[1] >= '1' && at[1] <= '9') {
      add_group_again(pattern, (unsigned)(*++at - '0'));
    } else if (*at == '\\') {
      add(pattern, at++, 2);
    } else {
      if (*at == '(') {
        pattern->number[++pattern->written] = ++pattern->groups;
        pattern->inside[pattern->written] = at;
      }
      add(pattern, at, 1);
    }
  }
}

static bool equal(const char *text, const regmatch_t *one, const regmatch_t *other) {
  regoff_t length = one->rm_eo - one->rm_so;
  return other->rm_eo - other->rm_so == length && memcmp(text + one->rm_so, text + other->rm_so, (size_t)length) == 0;
}

bool pattern_matches(const char *expression, const char *text) {
  struct pattern pattern = {.groups = 0};
  regmatch_t match[GROUPS];
  regex_t compiled;
  translate(&pattern, expression);
  if (regcomp(&compiled, pattern.text, REG_EXTENDED) != 0) {
    fprintf(stderr, "not a regular expression: %s\n", expression);
    abort();
  }
  /* The leftmost match is the longest one: it is the whole text, or nothing is. */
  bool matches = regexec(&compiled, text, GROUPS, match, 0) == 0 && match[0].rm_so == 0 && text[match[0].rm_eo] == '\0';
  regfree(&compiled);
  for (unsigned group = 1; matches && group <= pattern.groups; group++) {
    matches = pattern.same[group] == 0 || equal(text, &match[group], &match[pattern.same[group]]);
  }
  return matches;
}
