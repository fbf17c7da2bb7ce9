#include "os/code_place.h"

#include <stdint.h>
#include <string.h>

#include "os/pieces.h"

enum { BUFFER_BYTES = 4096, PATH_BYTES = 256, HEX = 16 };

/* A line of the table of mappings. */
struct mapping {
  uintptr_t start, end;
  bool executable;
  const char *path; /* empty: none */
};

static RARE_ZEROES char buffer[BUFFER_BYTES];
static RARE_ZEROES char last_path[PATH_BYTES]; /* the file of the mapping before, and where it begins */
static uintptr_t file_start;

static uintptr_t hexadecimal(const char **text) {
  uintptr_t value = 0;
  for (;; (*text)++) {
    char digit = **text;
    if (digit >= '0' && digit <= '9') {
      value = value * HEX + (uintptr_t)(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = value * HEX + (uintptr_t)(digit - 'a') + 10;
    } else {
      return value;
    }
  }
}

/* "start-end rwxp offset device inode   path" */
static struct mapping parse(const char *line) {
  struct mapping mapping = {.start = hexadecimal(&line)};
  line += *line == '-';
  mapping.end = hexadecimal(&line);
  mapping.executable = strlen(line) > 3 && line[3] == 'x';
  const char *path = strchr(line, '/');
  mapping.path = path != NULL ? path : "";
  return mapping;
}

static void name(struct code_place *place, const struct mapping *mapping) {
  place->is_code = mapping->executable;
  if (mapping->path[0] != '\0') {
    const char *file = strrchr(mapping->path, '/') + 1;
    size_t length = strnlen(file, sizeof place->file - 1);
    memcpy(place->file, file, length);
    place->file[length] = '\0';
    place->offset = (uintptr_t)place->address - file_start;
  }
}

static void take_line(const char *line, struct code_place *places, unsigned count) {
  struct mapping mapping = parse(line);
  if (strncmp(mapping.path, last_path, sizeof last_path - 1) != 0) {
    size_t length = strnlen(mapping.path, sizeof last_path - 1);
    memcpy(last_path, mapping.path, length);
    last_path[length] = '\0';
    file_start = mapping.start;
  }
  for (unsigned i = 0; i < count; i++) {
    if ((uintptr_t)places[i].address - mapping.start < mapping.end - mapping.start) {
      name(&places[i], &mapping);
    }
  }
}

/* Lines that are longer than the buffer do not occur: a path has 4,095 bytes, and then the line is cut. */
static void take_lines(int file, struct code_place *places, unsigned count) {
  size_t had = 0;
  size_t more;
  while ((more = os_pieces_read(file, buffer + had, sizeof buffer - 1 - had)) > 0) {
    had += more;
    char *line = buffer;
    for (char *end; (end = memchr(line, '\n', had - (size_t)(line - buffer))) != NULL; line = end + 1) {
      *end = '\0';
      take_line(line, places, count);
    }
    had -= (size_t)(line - buffer);
    memmove(buffer, line, had);
    had = had == sizeof buffer - 1 ? 0 : had;
  }
}

void code_places_find(struct code_place *places, unsigned count) {
  int file = os_pieces_open("/proc/self/maps");
  for (unsigned i = 0; i < count; i++) {
    places[i].offset = 0;
    places[i].is_code = file < 0;
    places[i].file[0] = '\0';
  }
  last_path[0] = '\0';
  if (file >= 0) {
    take_lines(file, places, count);
    os_pieces_close(file);
  }
}
