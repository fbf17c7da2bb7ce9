#include "warm/cpu_cache.h"

#if HAKMEM_CPU_CACHES

#include <sys/auxv.h>
#include <sys/rseq.h>
#include <unistd.h>

#include "os/os.h"

/* Older C libraries have none. */
#pragma weak __rseq_offset
#pragma weak __rseq_size

#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE 27
#endif

struct cpu_row *cpu_rows;

/* Twice as many rows as there can be CPUs: while those in use are emptied their threads use the others. */
static struct cpu_row *first;
static atomic_flag emptying = ATOMIC_FLAG_INIT;

static size_t rows; /* 0: there are none */

static bool is_there(void) { return __atomic_load_n(&rows, __ATOMIC_ACQUIRE) != 0; }

/* Rows of twice as many CPUs as there can be; NULL: the system has no rseq that numbers them, or no memory. */
static struct cpu_row *new_rows(size_t *cpus, size_t *bytes) {
  size_t known = offsetof(struct cpu_area, id) + sizeof(uint32_t);
  if (&__rseq_size == NULL || __rseq_size == 0 || getauxval(AT_RSEQ_FEATURE_SIZE) < known) {
    return NULL;
  }
  long configured = sysconf(_SC_NPROCESSORS_CONF);
  *cpus = configured < 1 ? 1 : (size_t)configured;
  *bytes = os_page_ceil(2 * *cpus * sizeof(struct cpu_row));
  struct cpu_row *map = os_map(NULL, *bytes);
  if (map != NULL) {
    os_name(map, *bytes, "hakmem cpus");
    for (size_t i = 0; i < 2 * *cpus * (sizeof *map / sizeof *map->top); i++) {
      map[i / 64].top[i % 64] = no_magazine_top();
    }
  }
  return map;
}

bool cpu_start(void) {
  static atomic_bool refused;
  size_t cpus;
  size_t bytes;
  if (is_there() || atomic_load(&refused)) {
    return is_there();
  }
  struct cpu_row *map = new_rows(&cpus, &bytes);
  struct cpu_row *none = NULL;
  if (map == NULL) {
    atomic_store(&refused, true);
  } else if (__atomic_compare_exchange_n(&first, &none, map, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    cpu_rows = map;
    __atomic_store_n(&rows, cpus, __ATOMIC_RELEASE);
  } else {
    os_unmap(map, bytes); /* another thread was faster */
  }
  return is_there();
}

bool cpu_join(void) {
  if (!is_there()) {
    return false;
  }
  struct cpu_area *area = (struct cpu_area *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset);
  if ((int32_t)area->cpu_id < 0) {
    return false;
  }
  thread_cache.cpu = area;
  return true;
}

void **cpu_take(size_t size_class) {
  struct cpu_area *area = thread_cache.cpu;
  void **top;
  uintptr_t row;
again:
  __asm__ goto volatile(
      CPU_SECTION_BEGIN "movq (%[row], %[size_class], 8), %[top]\n"
                        "movq %[none], (%[row], %[size_class], 8)\n" CPU_SECTION_END
      : [row] "=&r"(row), [top] "=&r"(top)
      : [area] "r"(area), [size_class] "r"(size_class), [none] "r"(no_magazine_top()), [rows] "m"(cpu_rows)
      : "memory", "cc"
      : again);
  return top;
}

bool cpu_give(size_t size_class, void **top) {
  struct cpu_area *area = thread_cache.cpu;
  uintptr_t row;
again:
  __asm__ goto volatile(CPU_SECTION_BEGIN "cmpq %[none], (%[row], %[size_class], 8)\n"
                                          "jne %l[taken]\n"
                                          "movq %[top], (%[row], %[size_class], 8)\n" CPU_SECTION_END
                        : [row] "=&r"(row)
                        : [area] "r"(area), [size_class] "r"(size_class), [top] "r"(top), [none] "r"(no_magazine_top()),
                          [rows] "m"(cpu_rows)
                        : "memory", "cc"
                        : again, taken);
  return true;
taken:
  return false;
}

/* A child of fork() loses one magazine at most. */
static void empty(struct cpu_row *of, cpu_visitor *visit, void *context) {
  for (size_t row = 0; row < rows; row++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      void **top = of[row].top[size_class];
      of[row].top[size_class] = no_magazine_top();
      atomic_signal_fence(memory_order_seq_cst);
      if (!magazine_is_none(magazine_of(top))) {
        visit(context, size_class, top);
      }
    }
  }
}

void cpu_empty(cpu_visitor *visit, void *context) {
  if (!is_there() || atomic_flag_test_and_set(&emptying)) {
    return;
  }
  struct cpu_row *used = cpu_rows;
  __atomic_store_n(&cpu_rows, used == first ? first + rows : first, __ATOMIC_SEQ_CST);
  if (os_restart_sequences()) { /* from here on nobody works on those that were used */
    empty(used, visit, context);
  } else {
    __atomic_store_n(&cpu_rows, used, __ATOMIC_SEQ_CST); /* the others may keep some magazines */
  }
  atomic_flag_clear(&emptying);
}

void cpu_forked(void) { atomic_flag_clear(&emptying); }

/* Others may work on it: no more than one magazine is looked at. */
static size_t count(void **top) {
  size_t blocks = 0;
  for (void **lowest = magazine_of(top) + 1; top >= lowest && *top != NULL; top--) {
    blocks++;
  }
  return blocks;
}

size_t cpu_cached_bytes(void) {
  size_t bytes = 0;
  for (size_t row = 0; row < rows; row++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      bytes += count(cpu_rows[row].top[size_class]) * size_classes[size_class].stride;
    }
  }
  return bytes;
}

#endif
