#include "warm/cpu_cache.h"

#include "os/os.h"

#if HAKMEM_CPU_CACHES

RARE_ZEROES struct cpu_row cpu_rows[CPU_ROWS_IN_ALL];

static struct cpu_row *in_use = cpu_rows;
static size_t number = offsetof(struct cpu_area, cpu_id); /* in struct cpu_area: where a row's number stands */
static atomic_flag emptying = ATOMIC_FLAG_INIT;

/* ---- whether there are rows ---- */

/* The C library's; older ones, and others, have none. */
// NOLINTBEGIN(bugprone-reserved-identifier)
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));
// NOLINTEND(bugprone-reserved-identifier)

static enum { UNKNOWN = 0, ABSENT, PRESENT } _Atomic rows; /* found by whoever asks first, or by several */

void cpu_begin(void) { os_restart_begin(); }

static bool find_rows(void) {
  bool found = &__rseq_size != NULL && &__rseq_offset != NULL && __rseq_size != 0 && os_restart_is_known();
  if (found && os_rseq_bytes() >= offsetof(struct cpu_area, mm_cid) + sizeof(uint32_t)) {
    number = offsetof(struct cpu_area, mm_cid);
  }
  atomic_store(&rows, found ? PRESENT : ABSENT);
  return found;
}

static struct cpu_area *own_area(void) {
  char *thread;
#if defined(__x86_64__)
  __asm__("movq %%fs:0, %0" : "=r"(thread));
#else
  __asm__("mrs %0, tpidr_el0" : "=r"(thread));
#endif
  return (struct cpu_area *)(void *)(thread + __rseq_offset);
}

/* The kernel writes a negative number where the C library could not register the thread. */
bool cpu_join(void) {
  bool found =
      atomic_load_explicit(&rows, memory_order_acquire) == UNKNOWN ? find_rows() : atomic_load(&rows) == PRESENT;
  if (!found || (int32_t)__atomic_load_n(&own_area()->cpu_id, __ATOMIC_RELAXED) < 0) {
    return false;
  }
  thread_cache.cpu = own_area();
  return true;
}

/* ---- its row ---- */

static inline struct cpu_place here(void) { return (struct cpu_place){thread_cache.cpu, number, &in_use}; }

void *cpu_pop(size_t size_class) { return cpu_section_pop(here(), size_class); }
bool cpu_push(size_t size_class, void *block) { return cpu_section_push(here(), size_class, block); }
void **cpu_take(size_t size_class) { return cpu_section_take(here(), size_class); }
bool cpu_give(size_t size_class, void **top) { return cpu_section_give(here(), size_class, top); }

/* ---- all rows ---- */

static bool are_used(void) { return atomic_load_explicit(&rows, memory_order_acquire) == PRESENT; }

/* The row's magazine is empty before what it held is told: a child of fork() loses that, and has no block twice. */
static void empty(struct cpu_row *row, void (*visit)(size_t size_class, void *const *top)) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = row->top[size_class];
    if (top != NULL && *top != NULL) {
      row->top[size_class] = top - magazine_count(top);
      atomic_signal_fence(memory_order_seq_cst);
      visit(size_class, top);
    }
  }
}

void cpu_empty(void (*visit)(size_t size_class, void *const *top)) {
  if (!are_used() || atomic_flag_test_and_set(&emptying)) {
    return;
  }
  struct cpu_row *used = in_use;
  __atomic_store_n(&in_use, used == cpu_rows ? &cpu_rows[CPU_ROWS] : cpu_rows, __ATOMIC_SEQ_CST);
  if (os_restart_sequences()) {
    for (size_t i = 0; i < CPU_ROWS; i++) {
      empty(&used[i], visit);
    }
  } else {
    __atomic_store_n(&in_use, used, __ATOMIC_SEQ_CST); /* what others have put there meanwhile waits for a later time */
  }
  atomic_flag_clear(&emptying);
}

void cpu_forked(void) { atomic_flag_clear(&emptying); }

/* Others may work on it: no more than one magazine is looked at. */
LOOKS_ON static void walk_down(void **top, void (*visit)(void *block, void *context), void *context) {
  for (void **lowest = magazine_of(top) + 1; top >= lowest && *top != NULL; top--) {
    visit(*top, context);
  }
}

void cpu_each(void (*visit)(void *block, void *context), void *context) {
  for (size_t i = 0; are_used() && i < CPU_ROWS_IN_ALL * (size_t)CPU_ROW_TOPS; i++) {
    void **top = __atomic_load_n(&cpu_rows[i / CPU_ROW_TOPS].top[i % CPU_ROW_TOPS], __ATOMIC_RELAXED);
    if (top != NULL) {
      walk_down(top, visit, context);
    }
  }
}

static void add_bytes(void *block, void *bytes) {
  *(size_t *)bytes += size_classes[unit_tag_class(unit_tag_of(block))].stride;
}

size_t cpu_cached_bytes(void) {
  size_t bytes = 0;
  cpu_each(add_bytes, &bytes);
  return bytes;
}

uint64_t cpu_mark(void) {
  uint64_t mark = 0;
  for (size_t i = 0; are_used() && i < CPU_ROWS_IN_ALL * (size_t)CPU_ROW_TOPS; i++) {
    void **top = __atomic_load_n(&cpu_rows[i / CPU_ROW_TOPS].top[i % CPU_ROW_TOPS], __ATOMIC_RELAXED);
    mark = mark * 31 + (uintptr_t)top;
  }
  return mark;
}

#else

void cpu_begin(void) {}
bool cpu_join(void) { return false; }
void *cpu_pop(size_t size_class) {
  (void)size_class;
  return NULL;
}
bool cpu_push(size_t size_class, void *block) {
  (void)size_class;
  (void)block;
  return false;
}
void **cpu_take(size_t size_class) {
  (void)size_class;
  return NULL;
}
bool cpu_give(size_t size_class, void **top) {
  (void)size_class;
  (void)top;
  return false;
}
void cpu_empty(void (*visit)(size_t size_class, void *const *top)) { (void)visit; }
void cpu_forked(void) {}
void cpu_each(void (*visit)(void *block, void *context), void *context) {
  (void)visit;
  (void)context;
}
size_t cpu_cached_bytes(void) { return 0; }
uint64_t cpu_mark(void) { return 0; }

#endif
