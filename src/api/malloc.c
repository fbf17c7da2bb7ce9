/* The malloc family under its standard names: ISO C, POSIX and GNU. Converts and forwards; holds nothing. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "api/contract.h"
#include "api/front.h"
#include "hakmem.h"

HAK_API ENTRY void *malloc(size_t size) { return gate_malloc(size); }

HAK_API ENTRY void free(void *block) { gate_free(block); }

HAK_API void *calloc(size_t count, size_t size) { return contract_calloc(count, size); }

HAK_API void *realloc(void *block, size_t size) {
  gate_expect(block, FAMILY_MALLOC);
  return contract_realloc(block, size);
}

HAK_API void *reallocarray(void *block, size_t count, size_t size) { return contract_reallocarray(block, count, size); }

/* C23. */
HAK_API void free_sized(void *block, size_t size);
HAK_API void free_aligned_sized(void *block, size_t alignment, size_t size);

HAK_API void free_sized(void *block, size_t size) { contract_free_sized(block, size, true, FAMILY_MALLOC); }

HAK_API void free_aligned_sized(void *block, size_t alignment, size_t size) {
  contract_free_aligned_sized(block, alignment, size, FAMILY_MALLOC);
}

HAK_API int posix_memalign(void **out, size_t alignment, size_t size) {
  return contract_posix_memalign(out, alignment, size);
}

HAK_API void *aligned_alloc(size_t alignment, size_t size) { return contract_aligned(alignment, size); }

HAK_API void *memalign(size_t alignment, size_t size) { return contract_memalign(alignment, size); }

HAK_API void *valloc(size_t size) { return contract_aligned(os_page_size(), size); }

HAK_API void *pvalloc(size_t size) {
  if (size > PTRDIFF_MAX) {
    errno = ENOMEM;
    return NULL;
  }
  return contract_aligned(os_page_size(), size == 0 ? os_page_size() : os_page_ceil(size));
}

HAK_API size_t malloc_usable_size(void *block) { return contract_usable_size(block); }

HAK_API int malloc_trim(size_t pad) {
  (void)pad;
  return release_free_memory(RELEASE_ALL) > 0;
}

HAK_API int mallopt(int parameter, int value) {
  (void)parameter;
  (void)value;
  return 1; /* accepted: glibc's parameters have no counterpart here, and programs that set them need not care */
}
