/* The public functions of include/hakmem.h. Converts and forwards; holds nothing. */
#include "hakmem.h"

#include <errno.h>

#include "api/contract.h"
#include "api/front.h"
#include "config/config.h"

ENTRY void *hak_malloc(size_t size) { return gate_malloc(size); }

ENTRY void hak_free(void *block) { gate_free(block); }

void *hak_calloc(size_t count, size_t size) { return contract_calloc(count, size); }

void *hak_realloc(void *block, size_t size) { return contract_realloc(block, size); }

void *hak_reallocarray(void *block, size_t count, size_t size) { return contract_reallocarray(block, count, size); }

void hak_free_sized(void *block, size_t size) { contract_free_sized(block, size, true, FAMILY_MALLOC); }

void hak_free_aligned_sized(void *block, size_t alignment, size_t size) {
  contract_free_aligned_sized(block, alignment, size, FAMILY_MALLOC);
}

void *hak_aligned_alloc(size_t alignment, size_t size) { return contract_aligned(alignment, size); }

int hak_posix_memalign(void **out, size_t alignment, size_t size) {
  return contract_posix_memalign(out, alignment, size);
}

size_t hak_usable_size(const void *block) { return contract_usable_size(block); }

size_t hak_good_size(size_t size) { return gate_good_size(size); }

size_t hak_collect(void) { return release_free_memory(RELEASE_ALL); }

size_t hak_purge(int level) {
  _Static_assert(HAK_PURGE_RETAINED == (int)RELEASE_RETAINED && HAK_PURGE_THREAD == (int)RELEASE_THREAD &&
                     HAK_PURGE_ALL == (int)RELEASE_ALL,
                 "the public names are WARM's");
  if (level < HAK_PURGE_RETAINED || level > HAK_PURGE_ALL) {
    errno = EINVAL;
    return 0;
  }
  return release_free_memory((enum release_level)level);
}

size_t hak_check(void) { return process_check(); }

int hak_option_get(const char *name, long *value) { return option_get(name, value); }

int hak_option_set(const char *name, long value) {
  int error = option_set(name, value);
  if (error == 0) {
    bounds_changed();
  }
  return error != 0 || background_follow() ? error : EAGAIN;
}

bool hak_limit_set(size_t soft_bytes, size_t hard_bytes) {
  int error = bounds_set(soft_bytes, hard_bytes);
  if (error != 0) {
    errno = error;
  }
  return error == 0;
}

void hak_limit_get(size_t *soft_bytes, size_t *hard_bytes) {
  size_t soft;
  size_t hard;
  bounds_get(&soft, &hard);
  if (soft_bytes != NULL) {
    *soft_bytes = soft;
  }
  if (hard_bytes != NULL) {
    *hard_bytes = hard;
  }
}

const char *hak_version(void) { return HAKMEM_VERSION; }
