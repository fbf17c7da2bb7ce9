/* text: figures as lines for people, or as one JSON object.
 *
 *   human   [FREE_PATH_STATS] total=7 cache=5 ...      a line each
 *   json    {"free_path_stats":{"total":7,...},...}    all on one line
 *
 * Owns:     a buffer on the caller's stack.
 * Promises: no malloc, no stdio; what does not fit in the buffer is written in pieces.
 * Callers:  observe/stats/lines.c.
 */
#ifndef HAKMEM_OBSERVE_STATS_TEXT_H
#define HAKMEM_OBSERVE_STATS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BYTES = 4096 };

struct text {
  bool json;
  bool in_line, in_object; /* a field of the line, or a line, came before */
  size_t length;
  char buffer[TEXT_BYTES];
};

void text_begin(struct text *text, bool json);

/* Begins a line; `name` is in small letters. */
void text_line(struct text *text, const char *name);
void text_number(struct text *text, const char *name, uint64_t value);

/* part / whole in percent, with two places; 0 of nothing. */
void text_percent(struct text *text, const char *name, uint64_t part, uint64_t whole);

/* Ends the text and writes it. */
void text_end(struct text *text);

#endif
