/* larger_pages: preloaded, it tells the library that the system has pages of PAGE_KIB, as machines with aarch64 may have,
 * and places mappings as such a system would. A process whose hakmem did not ask fails. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = PAGE_KIB * 1024 };

typedef unsigned long auxiliary_value(unsigned long type);

static _Atomic unsigned asked;

unsigned long getauxval(unsigned long type) {
  if (type == AT_PAGESZ) {
    asked++;
    return PAGE;
  }
  auxiliary_value *next = (auxiliary_value *)dlsym(RTLD_NEXT, "getauxval");
  return next(type);
}

__attribute__((destructor)) static void end(void) {
  static const char line[] = "larger_pages: nobody has asked how large a page is\n";
  if (asked == 0 && dlsym(RTLD_DEFAULT, "hak_malloc") != NULL) {
    write(STDERR_FILENO, line, sizeof line - 1);
    _exit(EXIT_FAILURE);
  }
}

static int begins_a_page(const void *start) { return ((uintptr_t)start & (PAGE - 1)) == 0; }

static void *map(void *there, size_t bytes, int access, int flags, int file, off_t offset) {
  return (void *)syscall(SYS_mmap, there, bytes, access, flags, file, offset);
}

void *mmap(void *hint, size_t bytes, int access, int flags, int file, off_t offset) {
  char *start = map(hint, bytes, access, flags, file, offset);
  if (start == MAP_FAILED || begins_a_page(start) || (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0 ||
      (flags & MAP_ANONYMOUS) == 0) {
    return start;
  }
  munmap(start, bytes);
  char *wide = map(NULL, bytes + PAGE, access, flags, file, offset);
  if (wide == MAP_FAILED) {
    return wide;
  }
  size_t before = -(uintptr_t)wide & (PAGE - 1);
  if (before > 0) {
    munmap(wide, before);
  }
  munmap(wide + before + bytes, PAGE - before);
  return wide + before;
}

void *mremap(void *start, size_t bytes, size_t wanted, int flags, ...) {
  if ((flags & MREMAP_FIXED) != 0) {
    va_list rest;
    va_start(rest, flags);
    void *there = va_arg(rest, void *);
    va_end(rest);
    return (void *)syscall(SYS_mremap, start, bytes, wanted, flags, there);
  }
  void *moved = (void *)syscall(SYS_mremap, start, bytes, wanted, 0);
  if (moved != MAP_FAILED || errno != ENOMEM || (flags & MREMAP_MAYMOVE) == 0) {
    return moved;
  }
  void *there = mmap(NULL, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (there == MAP_FAILED) {
    return there;
  }
  moved = (void *)syscall(SYS_mremap, start, bytes, wanted, flags | MREMAP_FIXED, there);
  if (moved == MAP_FAILED) {
    int error = errno;
    munmap(there, wanted);
    errno = error;
  }
  return moved;
}
