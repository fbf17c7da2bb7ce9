#include "warm/depot.h"

#include <stdatomic.h>

#include "cold/cold.h"
#include "events/events.h"
#include "os/os.h"
#include "warm/sample_rate.h"

/* Empty magazines of a chain, linked by their slot 0; chains that a depot keeps, linked by slot 1 of their first: so
 * many, and as many more as it has had to take from the stock. */
enum { CHAIN = 64, CHAINS_LEAST = 4, CHAINS_MORE = 28 };

/* A depot that has made many magazines makes more at once, a quarter of those and so many at most. So they lie
 * together: where two threads' magazines lie side by side, a processor that reads ahead takes lines from another one
 * that writes them. */
enum { MADE_SHARE = 4, MADE_MOST = 16 };

/* Blocks of 32 bytes take a quarter as much again in magazines. The bitmaps are there anyway, and do for what is freed
 * once. So magazines are made for a depot as far as they take a 64th of what the heap has, and LEAST of them; and one
 * more for each MISSES refills that had to do without: by then they have cost about as much time as its memory. */
enum { PART = 64, LEAST = 128, MISSES = 4 };

/* ---- the stock of all heaps: magazines that are sent home are made by one thread and emptied by another ---- */

static void **_Atomic stock; /* of chains; changed under the lock, read without it as a hint */

static void **stock_take(void) {
  if (atomic_load_explicit(&stock, memory_order_relaxed) == NULL) {
    return NULL;
  }
  lock_take(LOCK_STOCK); /* torn or not: it is whole at every moment */
  void **chain = stock;
  if (chain != NULL) {
    stock = chain[1];
  }
  lock_drop(LOCK_STOCK);
  return chain;
}

static NOINLINE void stock_give(void **chain) {
  lock_take(LOCK_STOCK);
  chain[1] = stock;
  stock = chain;
  lock_drop(LOCK_STOCK);
}

/* ---- a heap's own ---- */

static void **take_chain(struct depot *depot) {
  void **chain = depot->chains;
  if (chain == NULL) {
    chain = stock_take();
    depot->chains_short += chain != NULL && depot->chains_short < CHAINS_MORE;
    return chain;
  }
  depot->chains = chain[1];
  depot->chain_count--;
  return chain;
}

static void give_chain(struct depot *depot, void **chain) {
  if (depot->chain_count >= CHAINS_LEAST + depot->chains_short) {
    stock_give(chain);
    return;
  }
  chain[1] = depot->chains;
  depot->chains = chain;
  depot->chain_count++;
}

void depot_tidy(struct depot *depot) {
  depot->chains_short = 0;
  while (depot->chain_count > CHAINS_LEAST) {
    stock_give(take_chain(depot));
  }
}

/* Of a depot that has no empty one. With none each malloc and free takes a slow path, where samples are. */
static NOINLINE RARE void **new_magazine(struct depot *depot) {
  if (sample_each()) {
    return NULL;
  }
  unsigned more = depot->made / MADE_SHARE;
  unsigned count = 1 + (more < MADE_MOST ? more : MADE_MOST - 1);
  void **made = pool_meta_alloc((size_t)count * MAGAZINE_BYTES, MAGAZINE_BYTES);
  if (made != NULL) {
    depot->made += count;
    while (--count > 0) {
      depot_give_empty(depot, made + (size_t)count * MAGAZINE_SLOTS);
    }
  }
  return made;
}

/* One that there is; NULL: none. */
static NOINLINE void **take_spare(struct depot *depot) {
  if (depot->empty == NULL) {
    void **chain = take_chain(depot);
    if (chain == NULL) {
      return NULL;
    }
    depot->empties = CHAIN;
    depot->empty = chain;
  }
  void **magazine = depot->empty;
  depot->empty = magazine[0];
  depot->empties--;
  return magazine;
}

/* The bottom; of no magazine NULL. */
static void **begin(void **magazine, unsigned blocks) {
  if (magazine == NULL) {
    return NULL;
  }
  magazine[0] = NULL;
  *magazine_bottom(magazine, blocks) = NULL;
  return magazine_bottom(magazine, blocks);
}

void **depot_take_empty(struct depot *depot, unsigned blocks) {
  void **spare = take_spare(depot);
  return begin(spare != NULL ? spare : new_magazine(depot), blocks);
}

void depot_give_empty(struct depot *depot, void **magazine) {
  magazine[0] = depot->empty;
  atomic_signal_fence(memory_order_seq_cst);
  depot->empty = magazine;
  if (++depot->empties == CHAIN) {
    depot->empty = NULL;
    depot->empties = 0;
    give_chain(depot, magazine);
  }
}

void depot_push(struct depot *depot, size_t size_class, void **magazine) {
  INVARIANT(magazine_count(magazine_full_top(magazine)) == size_classes[size_class].magazine);
  magazine[0] = depot->full[size_class];
  atomic_signal_fence(memory_order_seq_cst);
  depot->full[size_class] = magazine;
  depot->filled |= UINT64_C(1) << size_class;
  depot->bytes += magazine_block_bytes(size_class);
  observe_depot_push();
}

void **depot_pop(struct depot *depot, size_t size_class) {
  void **magazine = depot->full[size_class];
  if (magazine != NULL) {
    void **next = magazine[0];
    depot->full[size_class] = next;
    atomic_signal_fence(memory_order_seq_cst);
    if (next == NULL) {
      depot->filled &= ~(UINT64_C(1) << size_class);
    }
    magazine[0] = NULL;
    depot->bytes -= magazine_block_bytes(size_class);
    INVARIANT(depot->bytes <= SIZE_MAX / 2);
  }
  return magazine;
}

/* Whether a magazine may be made for the place of a full one. */
static bool may_make(struct depot *depot, size_t held) {
  bool may = depot->made < LEAST + depot->missed / MISSES + held / PART / MAGAZINE_BYTES;
  depot->refused += !may;
  return may;
}

void **depot_exchange(struct depot *depot, size_t size_class, void **magazine, size_t held) {
  void **empty = take_spare(depot);
  if (empty == NULL && may_make(depot, held)) {
    empty = new_magazine(depot);
  }
  if (empty != NULL) {
    depot_push(depot, size_class, magazine);
  }
  return begin(empty, size_classes[size_class].magazine);
}

size_t depot_victim(struct depot *depot) {
  if (depot->filled == 0) {
    return SIZE_CLASS_COUNT;
  }
  uint64_t after = depot->filled >> 1 >> depot->cursor << depot->cursor << 1;
  depot->cursor = (size_t)__builtin_ctzll(after != 0 ? after : depot->filled);
  return depot->cursor;
}
