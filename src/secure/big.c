#include "secure/big.h"

#include <errno.h>
#include <string.h>

#include "secure/canary.h"
#include "secure/os_secure.h"
#include "secure/stop.h"
#include "warm/warm.h"

enum { QUARANTINED_MAX = 16 };
static const size_t quarantined_bytes_max = 256 * MIB;

/* A ring, from the oldest on; each block with its whole mapping, guard page included. */
static struct quarantined {
  void *block; /* NULL: none */
  size_t bytes;
} quarantined[QUARANTINED_MAX];
static unsigned oldest, quarantined_count;
static size_t quarantined_bytes;

static size_t guard_bytes(void) { return os_page_size(); }
static char *guard_of(void *block, size_t bytes) { return (char *)block + bytes - guard_bytes(); }
static size_t usable_of(size_t bytes) { return bytes - guard_bytes() - CANARY_BYTES; }

/* Bytes of the mapping for a block of this size; 0: too large. */
static size_t mapping_bytes(size_t size) {
  return size < OS_ADDRESSABLE ? os_page_ceil(size + CANARY_BYTES) + guard_bytes() : 0;
}

/* ---- quarantine, under the lock ---- */

/* What is written in the ring ends its quarantine: a block is taken from the ring before it is freed. */
static void release(struct quarantined *slot) {
  void *block = slot->block;
  slot->block = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  if (block != NULL) {
    huge_free(block);
  }
}

static void release_oldest(void) {
  quarantined_count--;
  quarantined_bytes -= quarantined[oldest].bytes;
  release(&quarantined[oldest]);
  oldest = (oldest + 1) % QUARANTINED_MAX;
}

static void big_lock(void) {
  if (unlikely(lock_take(LOCK_BIG))) { /* a lost thread was changing the ring */
    for (unsigned i = 0; i < QUARANTINED_MAX; i++) {
      release(&quarantined[i]);
    }
    quarantined_count = 0;
    quarantined_bytes = 0;
  }
}

static void big_unlock(void) { lock_drop(LOCK_BIG); }

static void quarantine_big(void *block, size_t bytes) {
  while (quarantined_count > 0 &&
         (quarantined_count == QUARANTINED_MAX || quarantined_bytes + bytes > quarantined_bytes_max)) {
    release_oldest();
  }
  struct quarantined *slot = &quarantined[(oldest + quarantined_count) % QUARANTINED_MAX];
  slot->bytes = bytes;
  slot->block = block;
  quarantined_count++;
  quarantined_bytes += bytes;
}

/* Bytes of the mapping of a block in quarantine; 0: it is not there. */
static size_t quarantined_size(const void *block) {
  for (unsigned i = 0; i < QUARANTINED_MAX; i++) {
    if (block != NULL && quarantined[i].block == block) {
      return quarantined[i].bytes;
    }
  }
  return 0;
}

static _Noreturn RARE void stop_overrun(const void *block, size_t bytes) {
  stop_big("write past the end of a block", block, usable_of(bytes));
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
    if (unlikely(block == NULL) && bytes <= os_address_limit()) {
      big_release_all();
      (void)make_way_for(bytes);
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

/* Nobody can read or write the block, and it is zero when that ends. Memory that is locked cannot be given back. */
static void close_off(void *block, size_t bytes) {
  if (!os_purge(block, bytes - guard_bytes())) {
    memset(block, 0, bytes - guard_bytes());
  }
  os_forbid(block, bytes);
}

enum verdict { VERDICT_NOT_OURS, VERDICT_FREED, VERDICT_TWICE, VERDICT_OVERRUN };

/* Under the lock: of two threads that free the same block only one finds it live. *bytes: of its mapping. */
static enum verdict free_locked(void *block, size_t *bytes) {
  *bytes = quarantined_size(block);
  if (*bytes != 0) {
    return VERDICT_TWICE;
  }
  *bytes = huge_usable_size(block);
  if (*bytes == 0) {
    return VERDICT_NOT_OURS;
  }
  if (!canary_holds(block, *bytes - guard_bytes())) {
    return VERDICT_OVERRUN;
  }
  close_off(block, *bytes);
  quarantine_big(block, *bytes);
  return VERDICT_FREED;
}

bool big_free(void *block) {
  size_t bytes;
  big_lock();
  enum verdict verdict = free_locked(block, &bytes);
  big_unlock();
  /* The program is stopped without the lock: its handler of SIGABRT may allocate. */
  if (unlikely(verdict == VERDICT_TWICE)) {
    stop_big_freed("free", block, usable_of(bytes));
  }
  if (unlikely(verdict == VERDICT_OVERRUN)) {
    stop_overrun(block, bytes);
  }
  return verdict == VERDICT_FREED;
}

size_t big_usable_size(const void *block, const char *what) {
  big_lock();
  size_t freed_bytes = quarantined_size(block);
  big_unlock();
  if (unlikely(freed_bytes != 0)) {
    stop_big_freed(what, block, usable_of(freed_bytes));
  }
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
  if (unlikely(!canary_holds(block, bytes - guard_bytes()))) {
    stop_overrun(block, bytes);
  }
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
  big_lock();
  while (quarantined_count > 0) {
    release_oldest();
  }
  big_unlock();
}
