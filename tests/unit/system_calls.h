/* system_calls: for a test that has a function `syscall` of its own, which looks at the calls of the library or refuses
 * them: what such a function was called with, and the call itself. */
#ifndef HAKMEM_TESTS_UNIT_SYSTEM_CALLS_H
#define HAKMEM_TESTS_UNIT_SYSTEM_CALLS_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PROCESS_MADVISE = 440 }; /* older headers do not know it */

struct system_call {
  long number, argument[6];
};

static inline struct system_call system_call(long number, va_list arguments) {
  struct system_call call = {.number = number};
  for (size_t i = 0; i < sizeof call.argument / sizeof *call.argument; i++) {
    call.argument[i] = va_arg(arguments, long);
  }
  return call;
}

/* -1 and errno where the system refuses, as syscall() does. */
static inline long system_call_make(const struct system_call *call) {
  const long *a = call->argument;
  long result;
#if defined(__x86_64__)
  register long r10 __asm__("r10") = a[3];
  register long r8 __asm__("r8") = a[4];
  register long r9 __asm__("r9") = a[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(call->number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = call->number;
  register long x0 __asm__("x0") = a[0];
  register long x1 __asm__("x1") = a[1];
  register long x2 __asm__("x2") = a[2];
  register long x3 __asm__("x3") = a[3];
  register long x4 __asm__("x4") = a[4];
  register long x5 __asm__("x5") = a[5];
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  result = x0;
#else
#error "a system call of this machine"
#endif
  if (result < 0 && result > -4096) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

/* Whether the system purges several ranges of the calling process by one call. */
static inline bool system_knows_process_madvise(void) {
  long page = sysconf(_SC_PAGESIZE);
  void *start = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct iovec range = {start, (size_t)page};
  struct system_call call = {PROCESS_MADVISE, {-10001, (long)&range, 1, MADV_DONTNEED, 0}};
  bool knows = system_call_make(&call) == page;
  munmap(start, (size_t)page);
  return knows;
}

#endif
