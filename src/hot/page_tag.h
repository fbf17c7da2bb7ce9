/* page_tag: address -> who owns the unit it lies in, and of which class.
 *
 * Memory is cut into units of 64 KiB. A window of the address space, chosen at start, holds every arena; one flat
 * 32-bit word per unit of it says `owner << 8 | class`. One load and one compare therefore decide in free(): mine or
 * not, which class, not a slab, NULL, foreign, thread not yet started; and no foreign memory is touched.
 *
 * Owns:     the window and its tags.
 * Promises: a tag changes only while no block of its unit can be freed by its old owner; reading never faults.
 * Callers:  HOT reads; WARM and COLD write (page_tag_set), for units that they own.
 */
#ifndef HAKMEM_HOT_PAGE_TAG_H
#define HAKMEM_HOT_PAGE_TAG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hot/size_class.h"
#include "os/os.h"

typedef uint32_t page_tag;

enum {
  PAGE_TAG_NONE = 0,      /* no memory of ours is handed out here */
  PAGE_TAG_LARGE = 0xFE,  /* first unit of a large block */
  PAGE_TAG_INSIDE = 0xFF, /* a further unit of a large block */
  PAGE_TAG_CLASS_BITS = 8,
  OWNER_MAX = (1 << 24) - 2
};

/* What a thread that has no heap compares tags with: no unit ever has this owner. */
#define PAGE_TAG_NOBODY ((page_tag)0xFFFFFF00)

struct superslab;

/* Four variables rather than one structure: HOT then reaches each by one instruction. */
struct page_map {
  uintptr_t base;                            /* first address of the window, a multiple of 2 MiB */
  size_t units;                              /* units in the window; 0 until the process has started */
  _Atomic page_tag *tags;                    /* one per unit */
  _Atomic(struct superslab *) *superslab; /* one per 32 units; set before any block of it is handed out */
};
extern HIDDEN struct page_map page_map;
#define page_map_base page_map.base
#define page_map_units page_map.units
#define page_map_tags page_map.tags
#define page_map_superslab page_map.superslab

/* Unit of an address, or a number beyond page_map_units. */
static inline size_t page_unit(const void *address) { return ((uintptr_t)address - page_map_base) >> UNIT_SHIFT; }

static inline page_tag page_tag_at(size_t unit) {
  return atomic_load_explicit(&page_map_tags[unit], memory_order_relaxed);
}

static inline unsigned page_tag_class(page_tag tag) { return tag & ((1U << PAGE_TAG_CLASS_BITS) - 1); }

/* Tag of any address; PAGE_TAG_NONE outside the window. */
static inline page_tag page_tag_of(const void *address) {
  size_t unit = page_unit(address);
  return unit < page_map_units ? page_tag_at(unit) : PAGE_TAG_NONE;
}

static inline void page_tag_set(size_t unit, size_t count, page_tag tag) {
  for (size_t i = 0; i < count; i++) {
    atomic_store_explicit(&page_map_tags[unit + i], tag, memory_order_relaxed);
  }
}

#endif
