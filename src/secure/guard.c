#include "secure/guard.h"

#include "os/os.h"
#include "secure/os_secure.h"
#include "secure/state.h"

static _Atomic size_t mappings; /* guards that are areas of their own */

void guard_none(const char *superslab_start) { atomic_store(state_guards(superslab_start), 0); }

static void guard_page(char *page) {
  if (!os_mark(page, SLAB_GUARD_BYTES) && atomic_fetch_add(&mappings, 1) < GUARDS_MAX) {
    os_forbid(page, SLAB_GUARD_BYTES);
  }
}

void guard_slab(const char *slab_start) {
  unsigned unit = (unsigned)(window_unit(slab_start) % SUPERSLAB_UNITS);
  uint32_t both =
      unit == 0 ? 1 : UINT32_C(3) << (unit - 1); /* before the first unit lies the end of another superslab */
  char *superslab_start = (char *)((uintptr_t)slab_start & ~(uintptr_t)(SUPERSLAB_BYTES - 1)); // NOLINT
  _Atomic uint32_t *guards = state_guards(superslab_start);
  if ((atomic_load_explicit(guards, memory_order_relaxed) & both) == both || os_page_size() != SLAB_GUARD_BYTES) {
    return;
  }
  uint32_t missing = both & ~atomic_fetch_or(guards, both);
  for (; missing != 0; missing &= missing - 1) {
    size_t end = ((size_t)(unsigned)__builtin_ctz(missing) + 1) << UNIT_SHIFT;
    guard_page(superslab_start + end - SLAB_GUARD_BYTES);
  }
}
