/* cpu_cache: a magazine per class for each CPU, which threads that have no heap share by restartable sequences (rseq, Linux).
 *
 * A row holds the tops of one CPU's magazines. A thread takes and gives blocks of its row in a few instructions that the kernel
 * abandons when the thread loses the CPU, or gets a signal, before the last of them, which is the only one that counts. Rows
 * are numbered by the concurrency id (mm_cid, Linux 6.3), which is small where threads are few. Whoever works on a magazine takes
 * it out of its row meanwhile.
 *
 * Owns:     the rows.
 * Promises: a block in a row counts as live. A row's magazine may hold blocks of many heaps. Every moment shows whole rows, for a
 *           child of fork(), which loses a magazine that another thread had taken out.
 * Callers:  warm/light.c, on a thread that has joined. cpu_start: warm/thread.c. cpu_cached_bytes: report/.
 */
#ifndef HAKMEM_WARM_CPU_CACHE_H
#define HAKMEM_WARM_CPU_CACHE_H

#include "warm/thread_cache.h"

/* Where there are none a thread without a heap takes each block from an orphan. */
#if defined(__x86_64__) && defined(__GLIBC__) && !HAKMEM_SECURE
#define HAKMEM_CPU_CACHES __GLIBC_PREREQ(2, 35)
#else
#define HAKMEM_CPU_CACHES 0
#endif

#if HAKMEM_CPU_CACHES

struct cpu_row {
  void **top[64]; /* of SIZE_CLASS_COUNT classes, as struct thread_cache's */
};

_Static_assert(sizeof(struct cpu_row) == 512, "the sections below shift by 9");

/* The kernel's struct rseq, as far as it is used. */
struct cpu_area {
  uint32_t cpu_id_start, cpu_id;
  uint64_t section;
  uint32_t flags, node_id;
  uint32_t id; /* mm_cid */
  uint32_t unused;
};

extern HIDDEN struct cpu_row *cpu_rows;

/* A section begins by naming its descriptor (bounds, and where to go when it was abandoned), and ends by its only store that
 * counts. In between, `row` becomes the address of the thread's row. 0x53053053 is what the kernel wants to find before the place to
 * go to. */
#define CPU_SECTION_BEGIN                                                                                              \
  ".pushsection __rseq_cs, \"aw\"\n.balign 32\n3: .long 0, 0\n.quad 1f, 2f - 1f, 4f\n.popsection\n"                    \
  "leaq 3b(%%rip), %[row]\n"                                                                                           \
  "movq %[row], 8(%[area])\n"                                                                                          \
  "1: movl 24(%[area]), %k[row]\n"                                                                                     \
  "shlq $9, %[row]\n"                                                                                                  \
  "addq %[rows], %[row]\n"

#define CPU_SECTION_END                                                                                                \
  "2:\n.pushsection .text.unlikely, \"ax\"\n.byte 0x0f, 0xb9, 0x3d\n.long 0x53053053\n4: jmp %l[again]\n.popsection\n"

/* NULL: the row's magazine is empty. */
static inline void *cpu_pop(size_t size_class) {
  struct cpu_area *area = thread_cache.cpu;
  void *block;
  void **top;
  uintptr_t row;
again:
  __asm__ goto volatile(CPU_SECTION_BEGIN "movq (%[row], %[size_class], 8), %[top]\n"
                                          "movq (%[top]), %[block]\n"
                                          "testq %[block], %[block]\n"
                                          "je %l[empty]\n"
                                          "subq $8, %[top]\n"
                                          "movq %[top], (%[row], %[size_class], 8)\n" CPU_SECTION_END
                        : [block] "=&a"(block), [row] "=&r"(row), [top] "=&r"(top)
                        : [area] "r"(area), [size_class] "r"(size_class), [rows] "m"(cpu_rows)
                        : "memory", "cc"
                        : again, empty);
  if (block == NULL) {
    __builtin_unreachable(); /* it was tested, and is not again */
  }
  return block;
empty:
  return NULL;
}

/* False, with nothing changed, when the row's magazine is full, or has the block on top. */
static inline bool cpu_push(size_t size_class, void *block) {
  struct cpu_area *area = thread_cache.cpu;
  void **top;
  uintptr_t row;
again:
  __asm__ goto volatile(CPU_SECTION_BEGIN "movq (%[row], %[size_class], 8), %[top]\n"
                                          "addq $8, %[top]\n"
                                          "testl $511, %k[top]\n"
                                          "je %l[full]\n"
                                          "cmpq %[block], -8(%[top])\n"
                                          "je %l[full]\n"
                                          "movq %[block], (%[top])\n"
                                          "movq %[top], (%[row], %[size_class], 8)\n" CPU_SECTION_END
                        : [row] "=&r"(row), [top] "=&r"(top)
                        : [area] "r"(area), [size_class] "r"(size_class), [block] "r"(block), [rows] "m"(cpu_rows)
                        : "memory", "cc"
                        : again, full);
  return true;
full:
  return false;
}

/* The row has no magazine of the class afterwards, and the caller has what it had; the other way round, false where the row has
 * got another one meanwhile. */
void **cpu_take(size_t size_class);
bool cpu_give(size_t size_class, void **top);

/* Makes the rows, when a second thread comes. False: the system has no rseq, or no memory for them. */
bool cpu_start(void);

/* The calling thread may use the functions above: thread_cache.cpu is set. */
bool cpu_join(void);

/* Empties all rows: each magazine is its caller's, who is told of it. Not while another thread does it, nor where the system cannot
 * restart sequences. In the child of fork() first, cpu_forked. */
typedef void cpu_visitor(void *context, size_t size_class, void **top);
void cpu_empty(cpu_visitor *visit, void *context);

/* The calling thread is the only one, and in no section. */
void cpu_forked(void);

/* Bytes of blocks in all rows; exact while no other thread works. */
size_t cpu_cached_bytes(void);

#else

static inline bool cpu_start(void) { return false; }
static inline void cpu_forked(void) {}
static inline size_t cpu_cached_bytes(void) { return 0; }

#endif

#endif
