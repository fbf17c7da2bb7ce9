/* The C++ operators new and delete, by their mangled names (Itanium ABI, LP64), so that no C++ runtime is needed to
 * build or to load the library. A program that uses them has one: its new handler and its std::bad_alloc are found
 * through weak references. */
#include <dlfcn.h>
#include <stdint.h>

#include "api/contract.h"
#include "api/front.h"
#include "hakmem.h"
#include "os/os.h"

typedef void (*new_handler)(void);

__attribute__((weak)) new_handler get_new_handler(void) __asm__("_ZSt15get_new_handlerv");
__attribute__((weak)) _Noreturn void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv");

struct nothrow;

/* Asks the new handler, as the standard says, until memory is there; NULL when there is no handler. */
static NOINLINE RARE void *retry(size_t size, size_t alignment) {
  for (;;) {
    new_handler handler = get_new_handler != NULL ? get_new_handler() : NULL;
    if (handler == NULL) {
      return NULL;
    }
    handler();
    void *block = alignment == 0 ? gate_typed_slow(gate_malloc(size), FAMILY_ANY) : contract_aligned(alignment, size);
    if (block != NULL) {
      return block;
    }
  }
}

/* The nothrow forms turn a handler's std::bad_alloc into NULL, which takes C++: the runtime's own form calls the
 * throwing operator, ours, and catches. Without such a runtime there is no handler either. */
static NOINLINE RARE void *retry_nothrow(const char *mangled, size_t size, size_t alignment,
                                         const struct nothrow *tag) {
  if (get_new_handler == NULL || get_new_handler() == NULL) {
    return NULL;
  }
  void *next = dlsym(RTLD_NEXT, mangled);
  if (next == NULL) {
    return retry(size, alignment);
  }
  if (alignment == 0) {
    return ((void *(*)(size_t, const struct nothrow *))next)(size, tag);
  }
  return ((void *(*)(size_t, size_t, const struct nothrow *))next)(size, alignment, tag);
}

static NOINLINE RARE void *retry_or_throw(size_t size, size_t alignment) {
  void *block = retry(size, alignment);
  if (block == NULL) {
    if (throw_bad_alloc == NULL) {
      fatal("operator new(%zu) failed in a program without a C++ runtime", size);
    }
    throw_bad_alloc();
  }
  return block;
}

/* What the cache does not hold, of each family. */
#define UNCACHED(name, family)                                                                                         \
  static NOINLINE void *name(size_t size_class, size_t size) {                                                         \
    STACK_KEEPS_FRAME();                                                                                               \
    return gate_typed_slow(gate_uncached(size_class, size), family);                                                   \
  }

UNCACHED(new_uncached, FAMILY_NEW)
UNCACHED(new_array_uncached, FAMILY_NEW_ARRAY)

#define UNCACHED_OR_THROWS(name, uncached)                                                                             \
  static NOINLINE void *name(size_t size_class, size_t size) {                                                         \
    STACK_KEEPS_FRAME();                                                                                               \
    void *block = uncached(size_class, size);                                                                          \
    return likely(block != NULL) ? block : retry_or_throw(size, 0);                                                    \
  }

UNCACHED_OR_THROWS(new_or_throw, new_uncached)
UNCACHED_OR_THROWS(new_array_or_throw, new_array_uncached)

static inline void *new_aligned(size_t size, size_t alignment, enum family family) {
  void *block = contract_aligned(alignment, size);
  return gate_typed(likely(block != NULL) ? block : retry_or_throw(size, alignment), family);
}

#define OPERATOR(type, name, mangled, parameters)                                                                      \
  HAK_API type name parameters __asm__(mangled);                                                                       \
  HAK_API type name parameters

OPERATOR(ENTRY void *, new_one, "_Znwm", (size_t size)) {
  return gate_typed(gate_malloc_or(size, new_or_throw), FAMILY_NEW);
}
OPERATOR(ENTRY void *, new_array, "_Znam", (size_t size)) {
  return gate_typed(gate_malloc_or(size, new_array_or_throw), FAMILY_NEW_ARRAY);
}

#define NEW_NOTHROW(name, mangled, uncached, family)                                                                   \
  OPERATOR(void *, name, mangled, (size_t size, const struct nothrow *tag)) {                                          \
    void *block = gate_malloc_or(size, uncached);                                                                      \
    return gate_typed(likely(block != NULL) ? block : retry_nothrow(mangled, size, 0, tag), family);                   \
  }

NEW_NOTHROW(new_one_nothrow, "_ZnwmRKSt9nothrow_t", new_uncached, FAMILY_NEW)
NEW_NOTHROW(new_array_nothrow, "_ZnamRKSt9nothrow_t", new_array_uncached, FAMILY_NEW_ARRAY)

OPERATOR(void *, new_one_aligned, "_ZnwmSt11align_val_t", (size_t size, size_t alignment)) {
  return new_aligned(size, alignment, FAMILY_NEW);
}
OPERATOR(void *, new_array_aligned, "_ZnamSt11align_val_t", (size_t size, size_t alignment)) {
  return new_aligned(size, alignment, FAMILY_NEW_ARRAY);
}
#define NEW_ALIGNED_NOTHROW(name, mangled, family)                                                                     \
  OPERATOR(void *, name, mangled, (size_t size, size_t alignment, const struct nothrow *tag)) {                        \
    void *block = contract_aligned(alignment, size);                                                                   \
    return gate_typed(likely(block != NULL) ? block : retry_nothrow(mangled, size, alignment, tag), family);           \
  }

NEW_ALIGNED_NOTHROW(new_one_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t", FAMILY_NEW)
NEW_ALIGNED_NOTHROW(new_array_aligned_nothrow, "_ZnamSt11align_val_tRKSt9nothrow_t", FAMILY_NEW_ARRAY)

/* Sizes and alignments are not needed to find a block: every form of delete is free, and a size is checked. */
#define DELETE(name, mangled, family, ...)                                                                             \
  OPERATOR(ENTRY void, name, mangled, (void *block __VA_ARGS__)) {                                                     \
    gate_expect(block, family);                                                                                        \
    gate_free_expected(block, family);                                                                                 \
  }

DELETE(delete_one, "_ZdlPv", FAMILY_NEW)
DELETE(delete_array, "_ZdaPv", FAMILY_NEW_ARRAY)
OPERATOR(ENTRY void, delete_one_sized, "_ZdlPvm", (void *block, size_t size)) {
  gate_expect(block, FAMILY_NEW);
  contract_free_sized(block, size, false, FAMILY_NEW);
}
OPERATOR(ENTRY void, delete_array_sized, "_ZdaPvm", (void *block, size_t size)) {
  gate_expect(block, FAMILY_NEW_ARRAY);
  contract_free_sized(block, size, false, FAMILY_NEW_ARRAY);
}
DELETE(delete_one_nothrow, "_ZdlPvRKSt9nothrow_t", FAMILY_NEW, , __attribute__((unused)) const struct nothrow *tag)
DELETE(delete_array_nothrow, "_ZdaPvRKSt9nothrow_t", FAMILY_NEW_ARRAY, ,
       __attribute__((unused)) const struct nothrow *tag)
DELETE(delete_one_aligned, "_ZdlPvSt11align_val_t", FAMILY_NEW, , __attribute__((unused)) size_t alignment)
DELETE(delete_array_aligned, "_ZdaPvSt11align_val_t", FAMILY_NEW_ARRAY, , __attribute__((unused)) size_t alignment)
#define DELETE_ALIGNED_SIZED(name, mangled, family)                                                                    \
  OPERATOR(void, name, mangled, (void *block, size_t size, size_t alignment)) {                                        \
    gate_expect(block, family);                                                                                        \
    contract_free_aligned_sized(block, alignment, size, family);                                                       \
  }
DELETE_ALIGNED_SIZED(delete_one_aligned_sized, "_ZdlPvmSt11align_val_t", FAMILY_NEW)
DELETE_ALIGNED_SIZED(delete_array_aligned_sized, "_ZdaPvmSt11align_val_t", FAMILY_NEW_ARRAY)
DELETE(delete_one_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t", FAMILY_NEW, ,
       __attribute__((unused)) size_t alignment, __attribute__((unused)) const struct nothrow *tag)
DELETE(delete_array_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t", FAMILY_NEW_ARRAY, ,
       __attribute__((unused)) size_t alignment, __attribute__((unused)) const struct nothrow *tag)
