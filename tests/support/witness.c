// The witness: a library preloaded beside an allocator into a program that is not ours. Every process that ends adds a
// line to the file that the variable WITNESS names: its program, its id, the library that serves its malloc and how
// many slabs hakmem gave it. The program's own output stays as it is, so that it can be compared to the letter.
//
// It is to be named before the allocator in LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hakmem.h"

__attribute__((weak)) bool hak_heap_summarize(hak_heap_summary *summary) HAK_NOEXCEPT;

// Found at the start: later the program may have changed its name and environment, or hold the loader's locks.
static char path[4096];
static const char *library;
static char program[64];

// The address of a function that a program takes is its own stub, which leads to the next object that defines it.
static const char *library_of(const char *function) {
  Dl_info info = {0};
  const ElfW(Sym) *symbol = NULL;
  if (dladdr1(dlsym(RTLD_DEFAULT, function), &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
      symbol->st_shndx == SHN_UNDEF) {
    dladdr(dlsym(RTLD_NEXT, function), &info);
  }
  return info.dli_fname ? info.dli_fname : "?";
}

static size_t slabs_bound(void) {
  hak_heap_summary summary = {.struct_size = sizeof summary};
  return hak_heap_summarize && hak_heap_summarize(&summary) ? summary.slabs_bound : 0;
}

static void report(void) {
  static pid_t reported; // once for a process, also where it leaves by _exit from within exit
  int kept = errno;
  int file = path[0] && reported != getpid() ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file >= 0) {
    char line[8192];
    int length = snprintf(line, sizeof line, "%s\t%d\t%s\t%zu\n", program, (int)getpid(), library, slabs_bound());
    if (length > 0 && (size_t)length < sizeof line && write(file, line, (size_t)length) == length) {
      reported = getpid();
    }
    close(file);
  }
  errno = kept;
}

static __attribute__((constructor)) void begin(void) {
  const char *name = getenv("WITNESS");
  if (name && strlen(name) < sizeof path) {
    strcpy(path, name);
  }
  library = library_of("malloc");
  snprintf(program, sizeof program, "%s", program_invocation_short_name);
}

static __attribute__((destructor)) void end(void) { report(); }

// The children of fork often leave this way, past all destructors.
_Noreturn void _exit(int status) {
  report();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

_Noreturn void _Exit(int status) { _exit(status); }
