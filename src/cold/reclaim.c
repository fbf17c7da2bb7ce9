#include "cold/reclaim.h"

#include "cold/guarded.h"
#include "cold/huge_kept.h"
#include "cold/pool_purge.h"

size_t reclaim(void) {
  size_t unmapped = huge_purge() + guarded_release();
  return unmapped + pool_unmap();
}
