#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/pieces.h"
#include "os/system.h"
#include "os/threads.h"

/* Nothing is opened that waits, becomes the terminal of the process, or is handed on to another program. */
enum { WRITES = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, ACCESS = 0644 };

static bool is_regular(const char *path) {
  struct stat found;
  return lstat(path, &found) != 0 || S_ISREG(found.st_mode);
}

static void open_it(struct os_file *file) {
  int length = snprintf(file->draft, sizeof file->draft, "%s.%ld.tmp", file->path, os_process_id());
  if (length < 0 || (size_t)length >= sizeof file->draft) {
    file->error = ENAMETOOLONG;
    return;
  }
  file->renames = is_regular(file->path);
  file->descriptor = file->renames
                         ? syscall(SYS_openat, AT_FDCWD, file->draft, WRITES | O_CREAT | O_TRUNC | O_NOFOLLOW, ACCESS)
                         : syscall(SYS_openat, AT_FDCWD, file->path, WRITES | O_TRUNC);
  file->error = file->descriptor < 0 ? errno : 0;
}

void os_file_begin(struct os_file *file, const char *path) {
  int saved = errno;
  file->path = path;
  file->descriptor = -1;
  file->renames = false;
  open_it(file);
  errno = saved;
}

bool os_file_write(struct os_file *file, const char *part, size_t length) {
  int saved = errno;
  if (file->error == 0) {
    file->error = os_pieces_write((int)file->descriptor, part, length);
  }
  errno = saved;
  return file->error == 0;
}

int os_file_end(struct os_file *file) {
  int saved = errno;
  if (file->descriptor >= 0 && syscall(SYS_close, file->descriptor) != 0 && file->error == 0 && errno != EINTR) {
    file->error = errno; /* a quota, where the file is on another machine */
  }
  if (file->renames && file->error == 0 && rename(file->draft, file->path) != 0) {
    file->error = errno;
  }
  if (file->renames && file->error != 0 && file->descriptor >= 0) {
    unlink(file->draft);
  }
  file->descriptor = -1;
  errno = saved;
  return file->error;
}

/* strerror translates, and may allocate for that. */
const char *os_file_error(int error) {
  switch (error) {
  case EACCES:
  case EPERM:
    return "it may not be written there";
  case ENOENT:
  case ENOTDIR:
    return "there is no such folder";
  case EROFS:
    return "the file system can only be read";
  case ENOSPC:
  case EDQUOT:
    return "no space is left";
  case EMFILE:
  case ENFILE:
    return "too many files are open";
  case ENAMETOOLONG:
    return "its name is too long";
  case EISDIR:
    return "it is a folder";
  default:
    return "the system has refused";
  }
}

bool os_path_of_process(char *path, const char *pattern, const char *behind) {
  size_t length = 0;
  for (const char *from = pattern; *from != '\0'; from++) {
    char part[24] = {*from, '\0'};
    if (from[0] == '%' && from[1] == 'p') {
      snprintf(part, sizeof part, "%ld", os_process_id());
      from++;
    }
    size_t more = strlen(part);
    if (length + more >= OS_PATH_BYTES) {
      return false;
    }
    memcpy(path + length, part, more); // NOLINT(bugprone-not-null-terminated-result): `behind` ends it
    length += more;
  }
  size_t more = strlen(behind) + 1;
  if (length + more > OS_PATH_BYTES) {
    return false;
  }
  memcpy(path + length, behind, more);
  return true;
}

bool os_path_absolute(char *absolute, const char *path) {
  size_t length = 0;
  int saved = errno;
  if (path[0] != '/' && syscall(SYS_getcwd, absolute, (size_t)OS_PATH_BYTES - 1) > 0 && absolute[0] == '/') {
    length = strlen(absolute);
    absolute[length++] = '/';
  }
  errno = saved;
  int more = snprintf(absolute + length, OS_PATH_BYTES - length, "%s", path);
  return more >= 0 && length + (size_t)more < OS_PATH_BYTES;
}

void os_file_read(const char *path, char *text, size_t size) {
  int file = os_pieces_open(path);
  size_t length = 0;
  if (file >= 0) {
    for (size_t got; (got = os_pieces_read(file, text + length, size - 1 - length)) > 0; length += got) {
    }
    os_pieces_close(file);
  }
  text[length] = '\0';
}

size_t os_process_resident(void) {
  char text[64];
  os_file_read("/proc/self/statm", text, sizeof text);
  const char *second = strchr(text, ' ');
  size_t pages = 0;
  for (const char *digit = second == NULL ? "" : second + 1; *digit >= '0' && *digit <= '9'; digit++) {
    pages = pages * 10 + (size_t)(*digit - '0');
  }
  return pages * os_page_size();
}
