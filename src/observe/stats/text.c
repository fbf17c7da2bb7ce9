#include "observe/stats/text.h"

#include <ctype.h>

#include "os/os.h"

enum { DIGITS_MAX = 20 };

static void flush(struct text *text) {
  os_print(text->buffer, text->length);
  text->length = 0;
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

static void put_name(struct text *text, const char *name) {
  put_all(text, text->json ? text->in_line ? ",\"" : "\"" : " ");
  put_all(text, name);
  put_all(text, text->json ? "\":" : "=");
  text->in_line = true;
}

static void end_line(struct text *text) {
  if (text->in_object) {
    put(text, text->json ? '}' : '\n');
  }
}

void text_begin(struct text *text, bool json) {
  text->json = json;
  text->in_line = false;
  text->in_object = false;
  text->length = 0;
  if (json) {
    put(text, '{');
  }
}

void text_line(struct text *text, const char *name) {
  end_line(text);
  if (text->json) {
    put_all(text, text->in_object ? ",\"" : "\"");
    put_all(text, name);
    put_all(text, "\":{");
  } else {
    put(text, '[');
    put_capitals(text, name);
    put(text, ']');
  }
  text->in_object = true;
  text->in_line = false;
}

void text_number(struct text *text, const char *name, uint64_t value) {
  put_name(text, name);
  put_number(text, value, 1);
}

void text_percent(struct text *text, const char *name, uint64_t part, uint64_t whole) {
  uint64_t hundredths = whole == 0 ? 0 : (uint64_t)((unsigned __int128)part * 10000 / whole);
  put_name(text, name);
  put_number(text, hundredths / 100, 1);
  put(text, '.');
  put_number(text, hundredths % 100, 2);
}

void text_end(struct text *text) {
  end_line(text);
  if (text->json) {
    put_all(text, "}\n");
  }
  flush(text);
}
