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

#define NO_ROW                                                                                                         \
  {                                                                                                                    \
    { [0 ... SIZE_CLASS_COUNT - 1] = (void **)&no_magazine[MAGAZINE_SLOTS - 1] }                                       \
  }

static struct cpu_row no_row = NO_ROW;

struct cpu_row *cpu_rows = &no_row + 1;
struct cpu_area cpu_none = {.id = -1};

static size_t rows; /* 0: there are none */

void cpu_start(void) {
  size_t known = offsetof(struct cpu_area, id) + sizeof(int32_t);
  if (rows != 0 || &__rseq_size == NULL || __rseq_size == 0 || getauxval(AT_RSEQ_FEATURE_SIZE) < known) {
    return;
  }
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  size_t bytes = os_page_ceil(((size_t)cpus + 1) * sizeof(struct cpu_row));
  struct cpu_row *map = cpus < 1 ? NULL : os_map(NULL, bytes);
  if (map == NULL) {
    return;
  }
  os_name(map, bytes, "hakmem cpus");
  for (long i = 0; i <= cpus; i++) {
    map[i] = no_row;
  }
  cpu_rows = map + 1;
  __atomic_store_n(&rows, (size_t)cpus, __ATOMIC_RELEASE);
}

bool cpu_join(void) {
  if (__atomic_load_n(&rows, __ATOMIC_ACQUIRE) == 0) {
    return false;
  }
  struct cpu_area *area = (struct cpu_area *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset);
  if ((int32_t)area->cpu_id < 0) {
    return false;
  }
  thread_cache.cpu = area;
  return true;
}

size_t cpu_sharers(size_t threads) { return rows == 0 || threads < rows ? threads : rows; }

static void **take(size_t size_class) {
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

/* False: the row has one already. */
static bool give(size_t size_class, void **top) {
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

void cpu_claim(size_t size_class) {
  if (thread_cache.cpu != &cpu_none && magazine_is_none(magazine_of(thread_cache.top[size_class]))) {
    cache_set_top(size_class, take(size_class));
  }
}

bool cpu_unclaim(size_t size_class) {
  void **top = thread_cache.top[size_class];
  if (thread_cache.cpu == &cpu_none || magazine_is_none(magazine_of(top))) {
    return true;
  }
  if (!give(size_class, top)) {
    return false;
  }
  cache_set_top(size_class, no_magazine_top());
  return true;
}

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
