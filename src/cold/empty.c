#include "cold/empty.h"

#include <stdatomic.h>
#include <stdint.h>

#include "os/os.h"

enum { GRAIN = 16, BLOCKS = 1 << 20, WORD_BITS = 64, WORDS = BLOCKS / WORD_BITS, WORDS_LOOKED_AT = 64 };

static const size_t range_bytes = (size_t)BLOCKS * GRAIN;

static char *_Atomic range;           /* NULL until the first request */
static _Atomic uint64_t taken[WORDS]; /* bit set: the block is handed out */
static _Atomic unsigned next_word;    /* where to look first; a hint */

/* The range; NULL where the system refuses. Of two threads that map it at once one keeps its own. */
static RARE char *map(void) {
  char *start = os_map(NULL, range_bytes);
  if (start == NULL) {
    return NULL;
  }
  char *before = NULL;
  if (os_forbid(start, range_bytes) && atomic_compare_exchange_strong(&range, &before, start)) {
    os_name(start, range_bytes, "hakmem empty blocks");
    return start;
  }
  os_unmap(start, range_bytes);
  return before;
}

/* Takes a free bit of a word; WORD_BITS: it has none. */
static unsigned take_bit(_Atomic uint64_t *word) {
  uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
  while (~bits != 0) {
    unsigned bit = (unsigned)__builtin_ctzll(~bits);
    if (atomic_compare_exchange_weak(word, &bits, bits | UINT64_C(1) << bit)) {
      return bit;
    }
  }
  return WORD_BITS;
}

void *empty_allocate(void) {
  char *first = atomic_load_explicit(&range, memory_order_acquire);
  if (unlikely(first == NULL) && (first = map()) == NULL) {
    return NULL;
  }
  unsigned word = atomic_load_explicit(&next_word, memory_order_relaxed);
  for (unsigned i = 0; i < WORDS_LOOKED_AT; i++, word = (word + 1) % WORDS) {
    unsigned bit = take_bit(&taken[word]);
    if (bit < WORD_BITS) {
      atomic_store_explicit(&next_word, word, memory_order_relaxed);
      return first + ((size_t)word * WORD_BITS + bit) * GRAIN;
    }
  }
  atomic_store_explicit(&next_word, word, memory_order_relaxed);
  return NULL;
}

/* The place of an address; BLOCKS: it is none of these. */
static size_t index_of(const void *block, const char *what) {
  char *first = atomic_load_explicit(&range, memory_order_acquire);
  size_t offset = first == NULL ? SIZE_MAX : (uintptr_t)block - (uintptr_t)first;
  if (offset >= range_bytes) {
    return BLOCKS;
  }
  if (offset % GRAIN != 0) {
    fatal("%s of an interior pointer: pointer %p, a block of zero bytes, thread %ld", what, block, os_thread_id());
  }
  return offset / GRAIN;
}

bool empty_free(const void *block) {
  size_t index = index_of(block, "free");
  if (index == BLOCKS) {
    return false;
  }
  uint64_t bit = UINT64_C(1) << index % WORD_BITS;
  if ((atomic_fetch_and(&taken[index / WORD_BITS], ~bit) & bit) == 0) {
    fatal("double free: pointer %p, a block of zero bytes, thread %ld", block, os_thread_id());
  }
  atomic_store_explicit(&next_word, (unsigned)(index / WORD_BITS), memory_order_relaxed);
  return true;
}

bool empty_is_live(const void *block, const char *what) {
  size_t index = index_of(block, what);
  if (index == BLOCKS) {
    return false;
  }
  if ((atomic_load(&taken[index / WORD_BITS]) >> index % WORD_BITS & 1) == 0) {
    fatal("%s of a freed block: pointer %p, a block of zero bytes, thread %ld", what, block, os_thread_id());
  }
  return true;
}
