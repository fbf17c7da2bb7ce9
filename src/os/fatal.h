/* fatal: stops the program with one line.
 *
 * Owns:     the wording "hakmem: ..." on standard error and the abort that follows it.
 * Promises: allocates nothing, takes no lock, writes one line in one call.
 * Callers:  any box that finds a broken contract at its boundary. Any thread.
 */
#ifndef HAKMEM_OS_FATAL_H
#define HAKMEM_OS_FATAL_H

#include "os/system.h"

/* printf-like, with %s %p %u %x %zu %d %ld; a final newline is added. */
_Noreturn RARE void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same line without the abort; for warnings and for the exit line. */
RARE void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In debug builds a broken invariant stops the program; in release builds it costs nothing. */
#if HAKMEM_VALIDATE
#define INVARIANT(condition)                                                                                           \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fatal("invariant broken: %s at %s:%d", #condition, __FILE__, __LINE__);                                          \
    }                                                                                                                  \
  } while (0)
#else
#define INVARIANT(condition) ((void)0)
#endif

#endif
