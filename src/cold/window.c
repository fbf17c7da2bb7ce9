#include "cold/window.h"

#include "cold/meta.h"
#include "os/os.h"

static const size_t bytes_max = (size_t)64 << 40;
static const size_t bytes_min = GIB;

/* Before the start no address of a program is less than window_units units beyond this one. */
uintptr_t window_base = (uintptr_t)1 << 62;
size_t window_units;
_Atomic unit_tag *window_tags;
_Atomic(struct superslab *) *window_superslabs;

/* Of metadata, mapped with the tags: a small program needs no more. */
enum { META_BYTES = 256 * 1024 };

static size_t window_bytes; /* 0 until it is mapped */
static char *meta_start;

/* Sixteen times the memory of the machine, so that placing never runs short; no more than the process may map. */
static size_t bytes_wanted(void) {
  size_t limit = os_address_limit();
  size_t wanted = os_physical_memory() * 16;
  wanted = wanted < limit ? wanted : limit;
  size_t bytes = bytes_min;
  while (bytes < wanted && bytes < bytes_max) {
    bytes *= 2;
  }
  return bytes;
}

static bool map_tags(size_t bytes) {
  size_t tag_bytes = (bytes >> UNIT_SHIFT) * sizeof(unit_tag);
  size_t map_bytes = tag_bytes + (bytes >> SUPERSLAB_SHIFT) * sizeof(struct superslab *);
  char *map = os_map(NULL, map_bytes + META_BYTES);
  if (map == NULL) {
    return false;
  }
  os_advise_small(map, map_bytes + META_BYTES);
  meta_start = map + map_bytes;
  meta_add(meta_start, META_BYTES);
  window_tags = (_Atomic unit_tag *)(void *)map;
  window_superslabs = (_Atomic(struct superslab *) *)(void *)(map + tag_bytes);
  /* 16 to 48 TiB: between where programs are loaded on every layout of 47 bits; the exact place differs per run. */
  window_base = ((uintptr_t)16 << 40) + (os_random() % ((uintptr_t)16 << 20)) * SUPERSLAB_BYTES;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a window, or none */
  window_bytes = bytes;
  return true;
}

bool window_map(void) {
  for (size_t bytes = bytes_wanted(); window_bytes == 0 && bytes >= bytes_min; bytes /= 2) {
    map_tags(bytes);
  }
  return window_bytes != 0;
}

void window_name(void) {
  char *tags = (char *)window_tags;
  os_name(tags, (size_t)(meta_start - tags), "hakmem tags");
  os_name(meta_start, META_BYTES, "hakmem metadata");
}

void window_move(const void *first) {
  uintptr_t at = (uintptr_t)first & ~(uintptr_t)(SUPERSLAB_BYTES - 1);
  window_base = at > window_bytes / 2 ? at - window_bytes / 2 : SUPERSLAB_BYTES;
}

bool window_holds(const void *start, size_t bytes) {
  return (uintptr_t)start >= window_base && (uintptr_t)start + bytes <= window_base + window_bytes;
}

void window_open(void) { __atomic_store_n(&window_units, window_bytes >> UNIT_SHIFT, __ATOMIC_RELEASE); }
