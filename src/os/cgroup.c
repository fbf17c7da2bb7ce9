#include "os/cgroup.h"

#include <stdbool.h>
#include <string.h>

#include "os/file.h"
#include "os/machine.h"

const char *cgroup_of_process = "/proc/self/cgroup";
const char *cgroup_tree = "/sys/fs/cgroup";

enum { PATH_BYTES = 1024, LIST_BYTES = 4096, NUMBER_BYTES = 32 };

/* The number in a file; SIZE_MAX: there is none, or "max". */
static size_t read_number(const char *path) {
  char text[NUMBER_BYTES];
  os_file_read(path, text, sizeof text);
  size_t number = 0;
  const char *digit = text;
  for (; *digit >= '0' && *digit <= '9'; digit++) {
    size_t value = (size_t)(*digit - '0');
    number = number > (SIZE_MAX - value) / 10 ? SIZE_MAX : number * 10 + value;
  }
  return digit == text ? SIZE_MAX : number;
}

/* Appends to a path at `*length`; false: it does not fit. */
static bool append(char *path, size_t *length, const char *text, size_t text_length) {
  if (*length + text_length >= PATH_BYTES) {
    return false;
  }
  memcpy(path + *length, text, text_length);
  *length += text_length;
  path[*length] = '\0';
  return true;
}

/* The least limit of a group and all above it; `base` is where the groups' tree is. */
static size_t least_limit(const char *base, const char *group, size_t group_length, const char *file) {
  char path[PATH_BYTES];
  size_t base_length = 0;
  size_t least = SIZE_MAX;
  if (!append(path, &base_length, cgroup_tree, strlen(cgroup_tree)) ||
      !append(path, &base_length, base, strlen(base))) {
    return SIZE_MAX;
  }
  for (bool more = true; more;) {
    while (group_length > 0 && group[group_length - 1] == '/') {
      group_length--;
    }
    size_t length = base_length;
    if (append(path, &length, group, group_length) && append(path, &length, file, strlen(file))) {
      size_t limit = read_number(path);
      least = limit < least ? limit : least;
    }
    more = group_length > 0;
    while (group_length > 0 && group[group_length - 1] != '/') {
      group_length--;
    }
  }
  return least;
}

static bool names_memory(const char *names, const char *end) {
  static const char memory[] = "memory";
  size_t length = sizeof memory - 1;
  for (const char *name = names; name < end; name++) {
    bool begins = name == names || name[-1] == ',';
    if (begins && (size_t)(end - name) >= length && memcmp(name, memory, length) == 0 &&
        (name + length == end || name[length] == ',')) {
      return true;
    }
  }
  return false;
}

/* A line "number:names:group"; version 2 has no names. */
static size_t limit_of_line(const char *line, const char *end) {
  const char *names = memchr(line, ':', (size_t)(end - line));
  const char *group = names == NULL ? NULL : memchr(names + 1, ':', (size_t)(end - names - 1));
  if (group == NULL) {
    return SIZE_MAX;
  }
  size_t group_length = (size_t)(end - group - 1);
  if (group == names + 1) {
    return least_limit("", group + 1, group_length, "/memory.max");
  }
  return names_memory(names + 1, group) ? least_limit("/memory", group + 1, group_length, "/memory.limit_in_bytes")
                                        : SIZE_MAX;
}

size_t os_memory_limit(void) {
  char list[LIST_BYTES];
  size_t least = os_physical_memory();
  os_file_read(cgroup_of_process, list, sizeof list);
  for (const char *line = list, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    size_t limit = limit_of_line(line, end);
    least = limit < least ? limit : least;
  }
  return least;
}
