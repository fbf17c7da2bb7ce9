#include "cold/window.h"

#include "cold/meta.h"
#include "cold/window_table.h"
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
static struct window_table tag_table = {.entry_bytes = SUPERSLAB_BYTES / UNIT_BYTES * sizeof(unit_tag)};
static struct window_table superslab_table = {.entry_bytes = sizeof(struct superslab *)};

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

/* Metadata, the table of superslabs, the tags. */
static bool map_tables(size_t bytes) {
  tag_table.entries = (uint32_t)(bytes >> SUPERSLAB_SHIFT);
  superslab_table.entries = tag_table.entries;
  size_t map_bytes = META_BYTES + window_table_bytes(&superslab_table) + window_table_bytes(&tag_table);
  char *map = os_reserve(NULL, map_bytes, OS_READABLE);
  if (map == NULL) {
    return false;
  }
  if (!os_permit(map, META_BYTES)) {
    os_unmap(map, map_bytes);
    return false;
  }
  meta_add(map, META_BYTES);
  superslab_table.start = map + META_BYTES;
  tag_table.start = superslab_table.start + window_table_bytes(&superslab_table);
  window_tags = (_Atomic unit_tag *)(void *)tag_table.start;
  window_superslabs = (_Atomic(struct superslab *) *)(void *)superslab_table.start;
  /* 16 to 48 TiB: between where programs are loaded on every layout of 47 bits; the exact place differs per run. */
  window_base = ((uintptr_t)16 << 40) + (os_random() % ((uintptr_t)16 << 20)) * SUPERSLAB_BYTES;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a window, or none */
  window_bytes = bytes;
  return true;
}

bool window_map(void) {
  for (size_t bytes = bytes_wanted(); window_bytes == 0 && bytes >= bytes_min; bytes /= 2) {
    map_tables(bytes);
  }
  return window_bytes != 0;
}

void window_name(void) {
  char *map = superslab_table.start - META_BYTES;
  size_t table_bytes = window_table_bytes(&superslab_table) + window_table_bytes(&tag_table);
  os_advise_small(map, META_BYTES + table_bytes);
  os_name(map, META_BYTES, "hakmem metadata");
  os_name(superslab_table.start, table_bytes, "hakmem tags");
}

void window_move(const void *first) {
  uintptr_t at = (uintptr_t)first & ~(uintptr_t)(SUPERSLAB_BYTES - 1);
  window_base = at > window_bytes / 2 ? at - window_bytes / 2 : SUPERSLAB_BYTES;
}

bool window_holds(const void *start, size_t bytes) {
  return (uintptr_t)start >= window_base && (uintptr_t)start + bytes <= window_base + window_bytes;
}

bool window_cover(size_t index) {
  return window_table_open(&superslab_table, index) && window_table_open(&tag_table, index);
}

void window_open(void) { __atomic_store_n(&window_units, window_bytes >> UNIT_SHIFT, __ATOMIC_RELEASE); }
