/* probes: places in the code that tracers find by name: otel_memory:alloc and otel_memory:free, as profilers outside
 * the process agree on them.
 *
 *   otel_memory:alloc(address, size, weight)   a sampled block was allocated, and stands for `weight` bytes
 *   otel_memory:free(address)                  a sampled block was freed
 *
 * Each is one instruction that does nothing, and a note in the file (.note.stapsdt, as <sys/sdt.h> writes it) that says
 * where it is and in which registers the arguments are. No header of the system is needed for it.
 *
 * Owns:     nothing.
 * Promises: costs one instruction while nobody traces. On machines other than x86-64 and aarch64 there is none.
 * Callers:  profile/sampler.c. Any thread.
 */
#ifndef HAKMEM_PROFILE_PROBES_H
#define HAKMEM_PROFILE_PROBES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__aarch64__)

/* Name and description of a note are aligned to 4; its type is 3. The symbol _.stapsdt.base lets a reader see by how
 * much prelinking has moved the code since. */
#define PROBE_NOTE(name, arguments)                                                                                    \
  "990: nop\n"                                                                                                         \
  ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                                         \
  ".balign 4\n"                                                                                                        \
  ".4byte 992f-991f, 994f-993f, 3\n"                                                                                   \
  "991: .asciz \"stapsdt\"\n"                                                                                          \
  "992: .balign 4\n"                                                                                                   \
  "993: .8byte 990b, _.stapsdt.base, 0\n"                                                                              \
  ".asciz \"otel_memory\"\n"                                                                                           \
  ".asciz \"" name "\"\n"                                                                                              \
  ".asciz \"" arguments "\"\n"                                                                                         \
  "994: .balign 4\n"                                                                                                   \
  ".popsection\n"                                                                                                      \
  ".ifndef _.stapsdt.base\n"                                                                                           \
  ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                                              \
  ".weak _.stapsdt.base\n"                                                                                             \
  ".hidden _.stapsdt.base\n"                                                                                           \
  "_.stapsdt.base: .space 1\n"                                                                                         \
  ".size _.stapsdt.base, 1\n"                                                                                          \
  ".popsection\n"                                                                                                      \
  ".endif\n"

#define PROBE_WORD(operand) "8@%" operand

static inline void probe_alloc(const void *block, size_t size, uint64_t weight) {
  __asm__ volatile(PROBE_NOTE("alloc", PROBE_WORD("0") " " PROBE_WORD("1") " " PROBE_WORD("2"))
                   :
                   : "r"(block), "r"(size), "r"(weight));
}

static inline void probe_free(const void *block) {
  __asm__ volatile(PROBE_NOTE("free", PROBE_WORD("0")) : : "r"(block));
}

#else

static inline void probe_alloc(const void *block, size_t size, uint64_t weight) {
  (void)block;
  (void)size;
  (void)weight;
}

static inline void probe_free(const void *block) { (void)block; }

#endif

#endif
