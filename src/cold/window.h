/* window: address -> who owns the unit it lies in, and of which class.
 *
 * Memory is cut into units of 64 KiB. A window of the address space, chosen at start, holds every arena; one flat
 * 32-bit tag per unit of it says `owner << 8 | class`. One load and one compare therefore decide in free(): mine or
 * not, which class, not a slab, NULL, foreign, thread not yet started; and no foreign memory is touched.
 *
 * Owns:     the window, its tags, and the table of its superslabs.
 * Promises: a tag changes only while no block of its unit can be freed by its old owner, but for its flag, which is set
 *           before a coalesced block is handed out; reading never faults, before the start too: until then every
 *           address lies outside. Written are the tags of superslabs that are cut.
 * Callers:  HOT reads; WARM and COLD write tags (unit_tag_set), for units that they own. window_map, window_name,
 *           window_move, window_holds and window_open: cold/arena.c. window_cover: cold/superslab.c.
 */
#ifndef HAKMEM_COLD_WINDOW_H
#define HAKMEM_COLD_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

typedef uint32_t unit_tag;

enum {
  UNIT_TAG_NONE = 0,         /* no memory of ours is handed out here */
  UNIT_TAG_LARGE = 0xFE,     /* first unit of a large block */
  UNIT_TAG_INSIDE = 0xFF,    /* a further unit of a large block */
  UNIT_TAG_COALESCED = 0x40, /* beside the class: the slab has coalesced blocks (warm/inside.h) */
  UNIT_TAG_CLASS_BITS = 8,
  OWNER_MAX = (1 << 24) - 2
};

/* What a thread that has no heap compares tags with: no unit ever has this owner. */
#define UNIT_TAG_NOBODY ((unit_tag)0xFFFFFF00)

struct superslab;

/* Four variables rather than one structure: HOT then reaches each by one instruction. They are written once, at start,
 * and read plainly. A thread that has no order with the start may see some of them as they were before: `window_base`
 * is then so far away that no address lies inside, whatever window_units says; and an address that does lie inside came
 * from a malloc, after the start. */
extern HIDDEN uintptr_t window_base;         /* first address of the window, a multiple of 2 MiB */
extern HIDDEN size_t window_units;           /* units in the window; 0 until the process has started */
extern HIDDEN _Atomic unit_tag *window_tags; /* one per unit */
extern HIDDEN _Atomic(struct superslab *)
    *window_superslabs; /* one per 32 units; set before any block of it is handed out */

/* Unit of an address, or a number beyond window_units. */
static inline size_t window_unit(const void *address) { return ((uintptr_t)address - window_base) >> UNIT_SHIFT; }

static inline unit_tag unit_tag_at(size_t unit) {
  return atomic_load_explicit(&window_tags[unit], memory_order_relaxed);
}

static inline unsigned unit_tag_class(unit_tag tag) { return tag & (UNIT_TAG_COALESCED - 1); }
static inline bool unit_tag_is_coalesced(unit_tag tag) { return (tag & UNIT_TAG_COALESCED) != 0; }
static inline uint32_t unit_tag_owner(unit_tag tag) { return tag >> UNIT_TAG_CLASS_BITS; }

static inline unit_tag unit_tag_for(uint32_t owner, size_t size_class) {
  return (unit_tag)(owner << UNIT_TAG_CLASS_BITS | size_class);
}

/* Tag of any address; UNIT_TAG_NONE outside the window. */
static inline unit_tag unit_tag_of(const void *address) {
  size_t unit = window_unit(address);
  return unit < window_units ? unit_tag_at(unit) : UNIT_TAG_NONE;
}

static inline void unit_tag_set(size_t unit, size_t count, unit_tag tag) {
  for (size_t i = 0; i < count; i++) {
    atomic_store_explicit(&window_tags[unit + i], tag, memory_order_relaxed);
  }
}

/* Which box serves a block, by the tag of its address. */
enum route {
  ROUTE_SLAB,    /* a block of a class */
  ROUTE_LARGE,   /* whole units */
  ROUTE_OUTSIDE, /* a mapping of its own, NULL, or nothing of ours */
};

static inline enum route route_of(unit_tag tag) {
  if (likely(unit_tag_owner(tag) != 0)) {
    return ROUTE_SLAB;
  }
  return tag == UNIT_TAG_NONE ? ROUTE_OUTSIDE : ROUTE_LARGE;
}

/* Maps the tags of as large a window as there is address space for, and places it. False: no memory; may be called
 * again. */
bool window_map(void);

/* Tells the system what its mappings are for, and that they are not to be served in huge pages. */
void window_name(void);

/* Where the system does not honour hints (a small address space, a sanitizer): the window lies around its first
 * arena. */
void window_move(const void *first);

/* The record of a superslab, by its index, and the tags of its units may be written from here on. False where the
 * system refuses. */
bool window_cover(size_t index);

/* Whether a range lies inside, opened or not. */
bool window_holds(const void *start, size_t bytes);

/* From here on HOT looks at tags: with its first arena the window has its final place. */
void window_open(void);

#endif
