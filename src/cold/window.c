#include "cold/window.h"

#include "os/os.h"

static const size_t bytes_max = (size_t)64 << 40;
static const size_t bytes_min = GIB;

/* Before the start no address of a program is less than window_units units beyond this one. */
uintptr_t window_base = (uintptr_t)1 << 62;
size_t window_units;
struct hash_slot window_hash[HASH_SLOTS];

void hash_enter(size_t unit) {
  uintptr_t number = (window_base >> SUPERSLAB_SHIFT) + unit / 32;
  for (size_t slot = number * UINT64_C(0x9E3779B97F4A7C15) >> 50;; slot = (slot + 1) % HASH_SLOTS) {
    uintptr_t base = atomic_load_explicit(&window_hash[slot].base, memory_order_relaxed);
    if (base == number) {
      return;
    }
    if (base == 0) {
      window_hash[slot].tags = &window_tags[unit / 32 * 32];
      atomic_store_explicit(&window_hash[slot].base, number, memory_order_release);
      return;
    }
  }
}
_Atomic unit_tag *window_tags;
_Atomic(struct superslab *) *window_superslabs;

static size_t window_bytes; /* 0 until it is mapped */

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
  char *map = os_map(NULL, map_bytes);
  if (map == NULL) {
    return false;
  }
  os_name(map, map_bytes, "hakmem tags");
  os_advise_small(map, map_bytes);
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

void window_move(const void *first) {
  uintptr_t at = (uintptr_t)first & ~(uintptr_t)(SUPERSLAB_BYTES - 1);
  window_base = at > window_bytes / 2 ? at - window_bytes / 2 : SUPERSLAB_BYTES;
}

bool window_holds(const void *start, size_t bytes) {
  return (uintptr_t)start >= window_base && (uintptr_t)start + bytes <= window_base + window_bytes;
}

void window_open(void) { __atomic_store_n(&window_units, window_bytes >> UNIT_SHIFT, __ATOMIC_RELEASE); }
