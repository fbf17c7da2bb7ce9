#include "report/text.h"

#include <ctype.h>
#include <string.h>

#include "os/os.h"

enum { DIGITS_MAX = 20 };

/* What stands around the parts of a text; nothing, where it is not named. No pointers: the dynamic linker would write
 * them at each process's start. */
static const struct {
  char before_text[24], after_text[12];
  char before_line[4], after_name[4], before_field[4], before_value[4], after_value[4], after_line[4];
  char between_lines[4], between_fields[4];
  char after_rows_name[8], between_rows[4], after_rows[4]; /* of a list of lines; nothing between: each has the name */
} styles[] = {
    [TEXT_HUMAN] = {.before_line = "[",
                    .after_name = "] ",
                    .before_value = "=",
                    .after_line = "\n",
                    .between_fields = " ",
                    .after_rows_name = "] "},
    [TEXT_JSON] = {.before_text = "{",
                   .before_line = "\"",
                   .after_name = "\":{",
                   .before_field = "\"",
                   .before_value = "\":",
                   .after_line = "}",
                   .after_text = "}\n",
                   .between_lines = ",",
                   .between_fields = ",",
                   .after_rows_name = "\":[{",
                   .between_rows = ",{",
                   .after_rows = "]"},
    [TEXT_XML] = {.before_text = "<malloc version=\"1\">\n",
                  .before_line = "  <",
                  .after_name = " ",
                  .before_value = "=\"",
                  .after_value = "\"",
                  .after_line = "/>\n",
                  .after_text = "</malloc>\n",
                  .between_fields = " ",
                  .after_rows_name = " "},
};

static void flush(struct text *text) {
  if (text->length > 0 && !text->sink(text->context, text->buffer, text->length)) {
    text->failed = true;
  }
  text->length = 0;
}

static bool to_standard_error(void *unused, const char *part, size_t length) {
  (void)unused;
  os_print(part, length);
  return true;
}

static bool to_stream(void *stream, const char *part, size_t length) {
  return fwrite(part, 1, length, (FILE *)stream) == length;
}

static void put(struct text *text, char character) {
  if (text->length == TEXT_BYTES) {
    flush(text);
  }
  text->buffer[text->length++] = character;
}

static void put_all(struct text *text, const char *characters) {
  for (; *characters != '\0'; characters++) {
    put(text, *characters);
  }
}

static void put_capitals(struct text *text, const char *characters) {
  for (; *characters != '\0'; characters++) {
    put(text, (char)toupper((unsigned char)*characters));
  }
}

/* At least `least` digits. */
static void put_number(struct text *text, uint64_t value, unsigned least) {
  char digits[DIGITS_MAX];
  unsigned count = 0;
  for (; value != 0 || count < least; value /= 10) {
    digits[count++] = (char)('0' + value % 10);
  }
  while (count > 0) {
    put(text, digits[--count]);
  }
}

static void begin_field(struct text *text, const char *name) {
  put_all(text, text->has_field ? styles[text->style].between_fields : "");
  put_all(text, styles[text->style].before_field);
  put_all(text, name);
  put_all(text, styles[text->style].before_value);
  text->has_field = true;
}

static void end_field(struct text *text) { put_all(text, styles[text->style].after_value); }

static void end_line(struct text *text) {
  if (text->in_line) {
    put_all(text, styles[text->style].after_line);
  }
}

void text_begin(struct text *text, enum text_style style, FILE *stream) {
  text_begin_to(text, style, stream == NULL ? to_standard_error : to_stream, stream);
}

void text_begin_to(struct text *text, enum text_style style, text_sink *sink, void *context) {
  text->style = style;
  text->sink = sink;
  text->context = context;
  text->rows = NULL;
  text->in_line = text->has_field = text->failed = false;
  text->length = 0;
  put_all(text, style == TEXT_PLAIN ? "" : styles[style].before_text);
}

static void end_rows(struct text *text) {
  put_all(text, text->rows != NULL ? styles[text->style].after_rows : "");
  text->rows = NULL;
}

static void begin_line(struct text *text, const char *name, const char *after_name) {
  end_line(text);
  end_rows(text);
  put_all(text, text->in_line ? styles[text->style].between_lines : "");
  put_all(text, styles[text->style].before_line);
  if (text->style == TEXT_HUMAN) {
    put_capitals(text, name);
  } else {
    put_all(text, name);
  }
  put_all(text, after_name);
  text->in_line = true;
  text->has_field = false;
}

void text_line(struct text *text, const char *name) { begin_line(text, name, styles[text->style].after_name); }

void text_row(struct text *text, const char *name) {
  const char *between_rows = styles[text->style].between_rows;
  if (*between_rows != '\0' && text->rows != NULL && strcmp(text->rows, name) == 0) {
    end_line(text);
    put_all(text, between_rows);
    text->has_field = false;
    return;
  }
  begin_line(text, name, styles[text->style].after_rows_name);
  text->rows = name;
}

void text_number(struct text *text, const char *name, uint64_t value) {
  begin_field(text, name);
  put_number(text, value, 1);
  end_field(text);
}

void text_word(struct text *text, const char *name, const char *word) {
  begin_field(text, name);
  put_all(text, text->style == TEXT_JSON ? "\"" : "");
  put_all(text, word);
  put_all(text, text->style == TEXT_JSON ? "\"" : "");
  end_field(text);
}

void text_percent(struct text *text, const char *name, uint64_t part, uint64_t whole) {
  uint64_t hundredths = whole == 0 ? 0 : (uint64_t)((unsigned __int128)part * 10000 / whole);
  begin_field(text, name);
  put_number(text, hundredths / 100, 1);
  put(text, '.');
  put_number(text, hundredths % 100, 2);
  end_field(text);
}

void text_plain(struct text *text, const char *characters) { put_all(text, characters); }
void text_plain_number(struct text *text, uint64_t value) { put_number(text, value, 1); }

bool text_end(struct text *text) {
  end_line(text);
  end_rows(text);
  put_all(text, text->style == TEXT_PLAIN ? "" : styles[text->style].after_text);
  flush(text);
  return !text->failed;
}
