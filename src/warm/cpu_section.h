/* cpu_section: four operations on a row of magazines, each a restartable sequence (rseq, Linux).
 *
 * A sequence finds the row of the CPU that it runs on, and ends with the only store that counts. The kernel abandons it
 * when the thread loses the CPU, or gets a signal, before that store: it has then not happened, and says that it
 * failed. It is never repeated here, so that a debugger that stops after each instruction, which abandons every
 * sequence, stops no program.
 *
 * Owns:     the instructions, and what the kernel is told of them.
 * Promises: no lock, no atomic instruction. A failure has changed nothing.
 * Callers:  warm/cpu_cache.c, on a thread whose struct cpu_area the kernel keeps up to date. Not in a child of vfork().
 */
#ifndef HAKMEM_WARM_CPU_SECTION_H
#define HAKMEM_WARM_CPU_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* ThreadSanitizer does not see what these do. */
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__) && !defined(__ILP32__) &&                      \
    !defined(__SANITIZE_THREAD__)
#define HAKMEM_CPU_CACHES 1
#else
#define HAKMEM_CPU_CACHES 0
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef HAKMEM_CPU_CACHES
#define HAKMEM_CPU_CACHES 0
#endif
#endif

enum { CPU_ROWS = 256, CPU_ROW_TOPS = 64 };

/* One CPU's magazines: the top of each class's, NULL where there is none. */
struct cpu_row {
  _Alignas(64) void **top[CPU_ROW_TOPS];
};

_Static_assert(sizeof(struct cpu_row) == 512 && CPU_ROWS == 256 && (int)SIZE_CLASS_COUNT <= CPU_ROW_TOPS,
               "as the sequences have them");

/* The kernel's struct rseq, as far as it is used. */
struct cpu_area {
  uint32_t cpu_id_start, cpu_id;
  uint64_t section;
  uint32_t flags, node_id;
  uint32_t mm_cid; /* Linux 6.3: of the CPUs that run this process at a time; small where threads are few */
  uint32_t rest;
};

_Static_assert(offsetof(struct cpu_area, section) == 8, "as the sequences have it");

/* Where to look: the thread's area, which of its numbers is the row's, and the rows in use. */
struct cpu_place {
  struct cpu_area *area;
  size_t number; /* offset in the area */
  struct cpu_row *const *rows;
};

#if HAKMEM_CPU_CACHES

/* A section begins by naming its descriptor (its bounds, and where to go when it was abandoned). `row` is then the
 * address of the CPU's row, or the section fails, as it does for a number beyond the rows. In `done` is 0 after a
 * failure. What comes before the place to go to is what the C library has told the kernel to look for there. */
#if defined(__x86_64__)

#define CPU_SECTION_BEGIN                                                                                              \
  ".pushsection .data.hak_sections, \"aw\"\n.balign 32\n"                                                              \
  "3: .long 0, 0\n.quad 1f, 2f - 1f, 4f\n.popsection\n"                                                                \
  "leaq 3b(%%rip), %[row]\n"                                                                                           \
  "movq %[row], 8(%[area])\n"                                                                                          \
  "1: movl (%[area], %[number]), %k[row]\n"                                                                            \
  "cmpl $256, %k[row]\n"                                                                                               \
  "jae 5f\n"                                                                                                           \
  "shlq $9, %[row]\n"                                                                                                  \
  "addq %[rows], %[row]\n"

#define CPU_SECTION_END                                                                                                \
  "2:\n"                                                                                                               \
  "6:\n.pushsection .text.unlikely, \"ax\"\n"                                                                          \
  ".byte 0x0f, 0xb9, 0x3d\n.long 0x53053053\n"                                                                         \
  "4:\n"                                                                                                               \
  "5: xorl %k[done], %k[done]\n"                                                                                       \
  "jmp 6b\n.popsection\n"

#define CPU_POP                                                                                                        \
  "movq (%[row], %[index], 8), %[top]\n"                                                                               \
  "testq %[top], %[top]\n"                                                                                             \
  "je 5f\n"                                                                                                            \
  "movq (%[top]), %[done]\n"                                                                                           \
  "testq %[done], %[done]\n"                                                                                           \
  "je 5f\n"                                                                                                            \
  "subq $8, %[top]\n"                                                                                                  \
  "movq %[top], (%[row], %[index], 8)\n"

#define CPU_PUSH                                                                                                       \
  "movq (%[row], %[index], 8), %[done]\n"                                                                              \
  "testq %[done], %[done]\n"                                                                                           \
  "je 5f\n"                                                                                                            \
  "addq $8, %[done]\n"                                                                                                 \
  "testl $511, %k[done]\n"                                                                                             \
  "je 5f\n"                                                                                                            \
  "cmpq %[block], -8(%[done])\n"                                                                                       \
  "je 5f\n"                                                                                                            \
  "movq %[block], (%[done])\n"                                                                                         \
  "movq %[done], (%[row], %[index], 8)\n"

#define CPU_TAKE                                                                                                       \
  "movq (%[row], %[index], 8), %[done]\n"                                                                              \
  "movq $0, (%[row], %[index], 8)\n"

#define CPU_GIVE                                                                                                       \
  "cmpq $0, (%[row], %[index], 8)\n"                                                                                   \
  "jne 5f\n"                                                                                                           \
  "movl $1, %k[done]\n"                                                                                                \
  "movq %[top], (%[row], %[index], 8)\n"

#else

#define CPU_SECTION_BEGIN                                                                                              \
  ".pushsection .data.hak_sections, \"aw\"\n.balign 32\n"                                                              \
  "3: .long 0, 0\n.quad 1f, 2f - 1f, 4f\n.popsection\n"                                                                \
  "adrp %[row], 3b\n"                                                                                                  \
  "add %[row], %[row], :lo12:3b\n"                                                                                     \
  "str %[row], [%[area], 8]\n"                                                                                         \
  "1: ldr %w[row], [%[area], %[number]]\n"                                                                             \
  "cmp %w[row], 256\n"                                                                                                 \
  "b.hs 5f\n"                                                                                                          \
  "ldr %[base], %[rows]\n"                                                                                             \
  "add %[row], %[base], %[row], lsl 9\n"                                                                               \
  "add %[row], %[row], %[index], lsl 3\n"

/* In place, as a conditional branch reaches no further than a megabyte. */
#define CPU_SECTION_END                                                                                                \
  "2: b 6f\n"                                                                                                          \
  ".inst 0xd428bc00\n"                                                                                                 \
  "4:\n"                                                                                                               \
  "5: mov %[done], 0\n"                                                                                                \
  "6:\n"

#define CPU_POP                                                                                                        \
  "ldr %[top], [%[row]]\n"                                                                                             \
  "cbz %[top], 5f\n"                                                                                                   \
  "ldr %[done], [%[top]], -8\n"                                                                                        \
  "cbz %[done], 5f\n"                                                                                                  \
  "str %[top], [%[row]]\n"

#define CPU_PUSH                                                                                                       \
  "ldr %[done], [%[row]]\n"                                                                                            \
  "cbz %[done], 5f\n"                                                                                                  \
  "ldr %[base], [%[done]], 8\n"                                                                                        \
  "tst %[done], 511\n"                                                                                                 \
  "b.eq 5f\n"                                                                                                          \
  "cmp %[base], %[block]\n"                                                                                            \
  "b.eq 5f\n"                                                                                                          \
  "str %[block], [%[done]]\n"                                                                                          \
  "str %[done], [%[row]]\n"

#define CPU_TAKE                                                                                                       \
  "ldr %[done], [%[row]]\n"                                                                                            \
  "str xzr, [%[row]]\n"

#define CPU_GIVE                                                                                                       \
  "ldr %[base], [%[row]]\n"                                                                                            \
  "cbnz %[base], 5f\n"                                                                                                 \
  "mov %[done], 1\n"                                                                                                   \
  "str %[top], [%[row]]\n"

#endif

/* What every section is given and spoils. */
#define CPU_OUTPUTS [row] "=&r"(row), [base] "=&r"(base), [done] "=&r"(done)
#define CPU_INPUTS [area] "r"(place.area), [number] "r"(place.number), [index] "r"(size_class), [rows] "m"(*place.rows)

/* A block of the row's magazine; NULL: it has none. */
static inline void *cpu_section_pop(struct cpu_place place, size_t size_class) {
  uintptr_t row;
  uintptr_t base;
  void *done;
  void **top;
  __asm__ volatile(CPU_SECTION_BEGIN CPU_POP CPU_SECTION_END
                   : CPU_OUTPUTS, [top] "=&r"(top)
                   : CPU_INPUTS
                   : "memory", "cc");
  return done;
}

/* False: there is no magazine, it is full, or the block lies on top of it. */
static inline bool cpu_section_push(struct cpu_place place, size_t size_class, void *block) {
  uintptr_t row;
  uintptr_t base;
  uintptr_t done;
  __asm__ volatile(CPU_SECTION_BEGIN CPU_PUSH CPU_SECTION_END:CPU_OUTPUTS
                   : CPU_INPUTS, [block] "r"(block)
                   : "memory", "cc");
  return done != 0;
}

/* The row's magazine, by its top, which the row has no more; NULL: it had none. */
static inline void **cpu_section_take(struct cpu_place place, size_t size_class) {
  uintptr_t row;
  uintptr_t base;
  void **done;
  __asm__ volatile(CPU_SECTION_BEGIN CPU_TAKE CPU_SECTION_END:CPU_OUTPUTS:CPU_INPUTS : "memory", "cc");
  return done;
}

/* The row has this magazine. False: it has another. */
static inline bool cpu_section_give(struct cpu_place place, size_t size_class, void **top) {
  uintptr_t row;
  uintptr_t base;
  uintptr_t done;
  __asm__ volatile(CPU_SECTION_BEGIN CPU_GIVE CPU_SECTION_END:CPU_OUTPUTS
                   : CPU_INPUTS, [top] "r"(top)
                   : "memory", "cc");
  return done != 0;
}

#endif

#endif
