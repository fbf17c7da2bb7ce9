#include "cold/meta.h"

#include <string.h>

#include "cold/limit.h"
#include "os/os.h"

enum { PIECE_GRAIN = 64, PIECE_MAX = 2048, PIECE_SIZES = PIECE_MAX / PIECE_GRAIN + 1 };

struct piece {
  struct piece *next;
};

/* Changed by one store each, the place before the size, so that no moment is half done: a lock that is torn is
 * whole. */
static char *chunk_end;
static size_t chunk_left;
static char *chunk_counted; /* the chunk's pages before this one are counted */
static size_t mapped_bytes;
static size_t pages_counted; /* bytes of all pages that were counted here */
static struct piece *free_pieces[PIECE_SIZES];

static size_t piece_size(size_t bytes) { return (bytes + PIECE_GRAIN - 1) & ~(size_t)(PIECE_GRAIN - 1); }

static void chunk_is(char *start, size_t bytes) {
  chunk_left = 0;
  atomic_signal_fence(memory_order_seq_cst);
  chunk_end = start + bytes;
  atomic_signal_fence(memory_order_seq_cst);
  chunk_left = bytes;
}

/* The chunk is about to be used up to an address. False: the limit. */
static bool count_to(char *end) {
  char *page_end = end + (-(uintptr_t)end & (os_page_size() - 1));
  if (page_end > chunk_counted) {
    size_t bytes = (size_t)(page_end - chunk_counted);
    if (!limit_charge(bytes)) {
      return false;
    }
    pages_counted += bytes;
    chunk_counted = page_end;
  }
  return true;
}

static void chunk_add(char *start, size_t bytes) {
  mapped_bytes += bytes;
  chunk_counted = start;
  chunk_is(start, bytes);
}

/* Chunks grow with what is in use, so that their number stays small; when memory is short a small one will do. */
static bool chunk_map(size_t at_least) {
  size_t bytes = mapped_bytes / 2;
  bytes = bytes < 256 * KIB ? 256 * KIB : bytes > 64 * MIB ? 64 * MIB : os_page_ceil(bytes);
  if (bytes < at_least) {
    bytes = os_page_ceil(at_least);
  }
  char *chunk = os_map(NULL, bytes);
  if (chunk == NULL) {
    bytes = os_page_ceil(at_least);
    chunk = os_map(NULL, bytes);
    if (chunk == NULL) {
      return false;
    }
  }
  os_name(chunk, bytes, "hakmem metadata");
  os_advise_small(chunk, bytes);
  chunk_add(chunk, bytes);
  return true;
}

static void *chunk_take(size_t bytes, size_t alignment) {
  size_t skipped = -((uintptr_t)chunk_end - chunk_left) & (alignment - 1);
  if (chunk_left < bytes + skipped) {
    if (!chunk_map(bytes)) {
      return NULL;
    }
    skipped = 0;
  }
  char *piece = chunk_end - chunk_left + skipped;
  if (!count_to(piece + bytes)) {
    return NULL;
  }
  chunk_left -= skipped + bytes;
  return piece;
}

void *meta_alloc(size_t bytes, size_t alignment) {
  size_t size = piece_size(bytes);
  lock_take(LOCK_META);
  void *found = NULL;
  if (size <= PIECE_MAX && free_pieces[size / PIECE_GRAIN] != NULL && alignment <= PIECE_GRAIN) {
    struct piece *piece = free_pieces[size / PIECE_GRAIN];
    free_pieces[size / PIECE_GRAIN] = piece->next;
    found = piece;
  }
  bool reused = found != NULL;
  if (!reused) {
    found = chunk_take(size, alignment < PIECE_GRAIN ? PIECE_GRAIN : alignment);
  }
  lock_drop(LOCK_META);
  if (reused) {
    memset(found, 0, size);
  }
  return found;
}

void meta_free(void *address, size_t bytes) {
  size_t size = piece_size(bytes);
  INVARIANT(size <= PIECE_MAX);
  struct piece *piece = address;
  lock_take(LOCK_META);
  piece->next = free_pieces[size / PIECE_GRAIN];
  atomic_signal_fence(memory_order_seq_cst);
  free_pieces[size / PIECE_GRAIN] = piece;
  lock_drop(LOCK_META);
}

bool meta_is_short(size_t bytes) {
  lock_take(LOCK_META);
  bool is_short = chunk_left < piece_size(bytes);
  lock_drop(LOCK_META);
  return is_short;
}

void meta_donate(void *start, size_t bytes) {
  memset(start, 0, bytes);
  lock_take(LOCK_META);
  chunk_counted = (char *)start + bytes;
  chunk_is(start, bytes);
  lock_drop(LOCK_META);
}

void meta_add(void *start, size_t bytes) {
  lock_take(LOCK_META);
  chunk_add(start, bytes);
  lock_drop(LOCK_META);
}

size_t meta_bytes(void) {
  lock_take(LOCK_META);
  size_t bytes = mapped_bytes;
  lock_drop(LOCK_META);
  return bytes;
}

size_t meta_counted_bytes(void) {
  lock_take(LOCK_META);
  size_t bytes = pages_counted;
  lock_drop(LOCK_META);
  return bytes;
}
