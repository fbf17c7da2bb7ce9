/* text: the one formatter of figures: as lines for people, as one JSON object, or as XML.
 *
 *   human   [FREE_PATH_STATS] total=7 cache=5 ...      a line each
 *   json    {"free_path_stats":{"total":7,...},...}    all on one line
 *           rows: {"waste_stats_by_class":[{"size":8,...},{"size":16,...}]}
 *   xml     <malloc version="1"> <free_path_stats total="7" .../> ... </malloc>    as malloc_info(3) has it
 *   plain   nothing but what text_plain is given
 *
 * Owns:     a buffer, in the caller's struct text.
 * Promises: no malloc; no stdio unless a stream is given. What does not fit in the buffer is written in pieces.
 * Callers:  report/.
 */
#ifndef HAKMEM_REPORT_TEXT_H
#define HAKMEM_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_BYTES = 4096 };

enum text_style { TEXT_HUMAN, TEXT_JSON, TEXT_XML, TEXT_PLAIN };

/* Takes the next part of a text. False: it could not. */
typedef bool text_sink(void *context, const char *part, size_t length);

struct text {
  enum text_style style;
  text_sink *sink;
  void *context;    /* the sink's */
  const char *rows; /* the list that the line is in, or NULL */
  bool in_line;     /* a line has been begun; a field of it came before */
  bool has_field;
  bool failed;
  size_t length;
  char buffer[TEXT_BYTES];
};

/* `stream` NULL: standard error, without stdio. */
void text_begin(struct text *text, enum text_style style, FILE *stream);

/* To a sink. */
void text_begin_to(struct text *text, enum text_style style, text_sink *sink, void *context);

/* Begins a line; `name` is in small letters. */
void text_line(struct text *text, const char *name);

/* Begins a line of several of the same name, one after the other: in JSON a list of objects. */
void text_row(struct text *text, const char *name);
void text_number(struct text *text, const char *name, uint64_t value);
void text_word(struct text *text, const char *name, const char *word);

/* part / whole in percent, with two places; 0 of nothing. */
void text_percent(struct text *text, const char *name, uint64_t part, uint64_t whole);

/* Characters, and then a number in decimal, as they are: for a style that this box does not know. */
void text_plain(struct text *text, const char *characters);
void text_plain_number(struct text *text, uint64_t value);

/* Ends the text and writes it. False: the stream or sink has failed; of a stream, errno says how. */
bool text_end(struct text *text);

#endif
