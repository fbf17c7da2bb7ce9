#include "secure/big.h"

#include <errno.h>
#include <stdint.h>

#include "cold/huge.h"
#include "cold/reclaim.h"
#include "os/lock.h"
#include "secure/canary.h"
#include "secure/os_secure.h"
#include "secure/stop.h"
#include "warm/process.h"

enum { QUARANTINED_MAX = 16 };
static const size_t quarantined_bytes_max = 256 * MIB;

static struct lock big_lock = LOCK_INITIAL(LOCK_BIG);

/* The oldest first; each with its whole mapping, guard page included. */
static struct quarantined {
  void *block;
  size_t bytes;
} quarantined[QUARANTINED_MAX];
static unsigned quarantined_count;
static size_t quarantined_bytes;

static size_t guard_bytes(void) { return os_page_size(); }
static char *guard_of(void *block, size_t bytes) { return (char *)block + bytes - guard_bytes(); }
static size_t usable_of(size_t bytes) { return bytes - guard_bytes() - CANARY_BYTES; }

/* Bytes of the mapping for a block of this size; 0: too large. */
static size_t mapping_bytes(size_t size) {
  return size <= PTRDIFF_MAX - 4 * guard_bytes() ? os_page_ceil(size + CANARY_BYTES) + guard_bytes() : 0;
}

/* ---- quarantine, under the lock ---- */

static void release_oldest(void) {
  struct quarantined oldest = quarantined[0];
  quarantined_count--;
  quarantined_bytes -= oldest.bytes;
  for (unsigned i = 0; i < quarantined_count; i++) {
    quarantined[i] = quarantined[i + 1];
  }
  huge_free(oldest.block);
}

static void hold(void *block, size_t bytes) {
  while (quarantined_count > 0 &&
         (quarantined_count == QUARANTINED_MAX || quarantined_bytes + bytes > quarantined_bytes_max)) {
    release_oldest();
  }
  quarantined[quarantined_count++] = (struct quarantined){block, bytes};
  quarantined_bytes += bytes;
}

static void stop_if_held(const void *block, const char *what) {
  for (unsigned i = 0; i < quarantined_count; i++) {
    if (quarantined[i].block == block) {
      stop_big_freed(what, block, usable_of(quarantined[i].bytes));
    }
  }
}

static void check_canary(void *block, size_t bytes) {
  if (unlikely(!canary_holds(block, bytes - guard_bytes()))) {
    stop_big("write past the end of a block", block, usable_of(bytes));
  }
}

/* ---- blocks ---- */

/* A mapping of `bytes`, its last page out of bounds. */
static void *guarded(size_t bytes, size_t alignment) {
  bool fresh;
  void *block = huge_allocate(bytes, alignment, &fresh);
  if (block == NULL) {
    return NULL;
  }
  if ((fresh || os_permit(block, bytes - guard_bytes())) && os_forbid(guard_of(block, bytes), guard_bytes())) {
    return block;
  }
  huge_free(block);
  return NULL;
}

void *big_allocate(size_t size, size_t alignment) {
  size_t bytes = mapping_bytes(size);
  void *block = NULL;
  if (bytes != 0 && process_start()) {
    block = guarded(bytes, alignment);
    if (unlikely(block == NULL)) {
      big_release_all();
      reclaim();
      block = guarded(bytes, alignment);
    }
  }
  if (unlikely(block == NULL)) {
    errno = ENOMEM;
    return NULL;
  }
  canary_set(block, bytes - guard_bytes());
  return block;
}

bool big_free(void *block) {
  lock_take(&big_lock);
  stop_if_held(block, "free");
  size_t bytes = huge_usable_size(block);
  if (bytes != 0) {
    check_canary(block, bytes);
    os_purge(block, bytes - guard_bytes());
    os_forbid(block, bytes);
    hold(block, bytes);
  }
  lock_drop(&big_lock);
  return bytes != 0;
}

size_t big_usable_size(const void *block, const char *what) {
  lock_take(&big_lock);
  stop_if_held(block, what);
  lock_drop(&big_lock);
  size_t bytes = huge_usable_size(block);
  return bytes == 0 ? 0 : usable_of(bytes);
}

size_t big_good_size(size_t size) {
  size_t bytes = mapping_bytes(size);
  return bytes == 0 ? 0 : usable_of(bytes);
}

/* Guard and canary at the end of a mapping that has been resized. Should the system refuse the guard now, the block
 * has moved already and does without. */
static void close_end(void *block, size_t bytes) {
  canary_set(block, bytes - guard_bytes());
  os_forbid(guard_of(block, bytes), guard_bytes());
}

void *big_resize(void *block, size_t size) {
  size_t wanted = mapping_bytes(size);
  size_t bytes = huge_usable_size(block);
  check_canary(block, bytes);
  if (wanted == 0 || !os_permit(guard_of(block, bytes), guard_bytes())) {
    return NULL;
  }
  *canary_at(block, bytes - guard_bytes()) = 0;
  void *moved = huge_resize(block, wanted - CANARY_BYTES);
  void *end_of = moved != NULL ? moved : block;
  close_end(end_of, huge_usable_size(end_of));
  return moved;
}

void big_release_all(void) {
  lock_take(&big_lock);
  while (quarantined_count > 0) {
    release_oldest();
  }
  lock_drop(&big_lock);
}

void big_fork_lock(void) { lock_take(&big_lock); }
void big_fork_unlock(void) { lock_drop(&big_lock); }
