/* compiler: macros for what C17 does not have.
 *
 * Owns:     nothing.
 * Promises: GCC and Clang understand them.
 * Callers:  any box.
 */
#ifndef HAKMEM_BASE_COMPILER_H
#define HAKMEM_BASE_COMPILER_H

#include <stddef.h>

#define KIB ((size_t)1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Data of the library's own, reached without the global offset table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Gives a variable of a file a name by which its address, and nothing else, is known elsewhere in the library. */
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is declared
#define ADDRESS_KNOWN_AS(name, variable) extern HIDDEN __typeof__(variable) name __attribute__((alias(#variable)))

/* Zeroed data that few programs touch lies behind all other, so that the rest keeps to a page or two: each page of the
 * library's data that a process writes is its own. The name is of a kind that compilers take for zeroed data, and that
 * linkers do not sort in with .bss. */
#define RARE_ZEROES __attribute__((section(".sbss.rare")))

/* Code that hardly ever runs is kept out of line, away from the pages of the common path. */
#define RARE __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))

/* One text for several functions, each with a constant of its own. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* A function that reads what its thread writes meanwhile by plain stores: the thread sanitizer is not to complain. */
#define LOOKS_ON __attribute__((no_sanitize("thread")))

/* An entry point begins on a cache line: its common path then lies in one or two. Random mixed: 1 to 1.5 % of the
 * time. */
#define ENTRY __attribute__((aligned(64)))

/* Tells the processor that a loop waits for another thread. */
#if defined(__x86_64__)
#define SPIN_PAUSE() __builtin_ia32_pause()
#else
#define SPIN_PAUSE() __asm__ volatile("yield" ::: "memory")
#endif

/* Names the register in which a function returns its value for `pointer`, which saves a move. */
#if defined(__x86_64__)
#define IN_RESULT_REGISTER(pointer) __asm__("" : "+a"(pointer))
#else
#define IN_RESULT_REGISTER(pointer) ((void)0)
#endif

/* Lets a loop use an address that it has computed; compilers would compute it anew for each access. */
#define KEEP_COMPUTED(pointer) __asm__("" : "+r"(pointer))

#endif
