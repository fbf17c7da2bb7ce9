#include "os/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "os/output.h"

enum { LINE_BYTES = 640 };

/* glibc's and musl's vsnprintf allocate nothing for integers and strings. */
static void print_line(const char *prefix, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

static void print_line(const char *prefix, const char *format, va_list arguments) {
  char line[LINE_BYTES];
  int length = snprintf(line, sizeof line, "%s", prefix);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): both callers have started it */
  int more = vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
  length += more > 0 ? more : 0;
  if (length > LINE_BYTES - 2) {
    length = LINE_BYTES - 2;
  }
  line[length] = '\n';
  os_print(line, (size_t)length + 1);
}

void fatal(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line("hakmem: ", format, arguments);
  va_end(arguments);
  abort();
}

void notice(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line("", format, arguments);
  va_end(arguments);
}
