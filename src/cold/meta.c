#include "cold/meta.h"

#include <string.h>

#include "os/fatal.h"
#include "os/lock.h"

enum { PIECE_GRAIN = 64, PIECE_MAX = 2048, PIECE_SIZES = PIECE_MAX / PIECE_GRAIN + 1 };

struct piece {
  struct piece *next;
};

static struct lock meta_lock = LOCK_INITIAL(LOCK_META);
static char *chunk_next, *chunk_end;
static size_t mapped_bytes;
static struct piece *free_pieces[PIECE_SIZES];

static size_t piece_size(size_t bytes) { return (bytes + PIECE_GRAIN - 1) & ~(size_t)(PIECE_GRAIN - 1); }

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
  mapped_bytes += bytes;
  chunk_next = chunk;
  chunk_end = chunk + bytes;
  return true;
}

static void *chunk_take(size_t bytes, size_t alignment) {
  char *piece = (char *)(((uintptr_t)chunk_next + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (chunk_next == NULL || piece > chunk_end || (size_t)(chunk_end - piece) < bytes) {
    if (!chunk_map(bytes)) {
      return NULL;
    }
    piece = chunk_next;
  }
  chunk_next = piece + bytes;
  return piece;
}

void *meta_alloc(size_t bytes, size_t alignment) {
  size_t size = piece_size(bytes);
  lock_take(&meta_lock);
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
  lock_drop(&meta_lock);
  if (reused) {
    memset(found, 0, size);
  }
  return found;
}

void meta_free(void *address, size_t bytes) {
  size_t size = piece_size(bytes);
  INVARIANT(size <= PIECE_MAX);
  struct piece *piece = address;
  lock_take(&meta_lock);
  piece->next = free_pieces[size / PIECE_GRAIN];
  free_pieces[size / PIECE_GRAIN] = piece;
  lock_drop(&meta_lock);
}

void meta_donate(void *start, size_t bytes) {
  memset(start, 0, bytes);
  lock_take(&meta_lock);
  chunk_next = start;
  chunk_end = chunk_next + bytes;
  lock_drop(&meta_lock);
}

size_t meta_bytes(void) {
  lock_take(&meta_lock);
  size_t bytes = mapped_bytes;
  lock_drop(&meta_lock);
  return bytes;
}

void meta_fork_lock(void) { lock_take(&meta_lock); }
void meta_fork_unlock(void) { lock_drop(&meta_lock); }
