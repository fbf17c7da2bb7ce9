/* superslab: 2 MiB of 32 units, and the descriptors of the slabs cut from them.
 *
 * Owns:     which units are in use, and in which of three states a unit is:
 *             UNUSED    free, never touched or purged: reads as zero and is not resident
 *             ACTIVE    part of a slab or of a large block
 *             RETAINED  free, but resident
 *           and the tier, which says where new slabs come from:
 *             OPEN      more than a quarter used, or still filling up
 *             DRAINING  a quarter or less used: takes no new slab while an OPEN one has room, and is OPEN again at a
 *                       half
 *             FREE      nothing used: what is retained of it goes first
 * Promises: INVARIANT retained is a subset of free; a superslab's descriptor is never unmapped. What is between two
 *           states counts as neither free nor retained, so that a child of fork() loses it at worst.
 * Callers:  the shared pool's boxes, under the lock of the superslab's part; superslab_cut: of the first part. The
 *           slab's own fields belong to WARM, as said beside each.
 */
#ifndef HAKMEM_COLD_SUPERSLAB_H
#define HAKMEM_COLD_SUPERSLAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cold/superslab_table.h"

enum { SLAB_PAGES_MAX = SLAB_UNITS_MAX * UNIT_BYTES / 4096 }; /* of 4 KiB at least */

enum tier { TIER_OPEN = 0, TIER_DRAINING, TIER_FREE, TIER_COUNT };

struct thread_heap;

/* One class's blocks in one run of units. Two cache lines: the first is the owner's alone, the second is
 * shared between threads. */
struct slab {
  /* The owner's, through warm/slab.h. INVARIANT free_count == bits set in `free`. */
  uint64_t *free;      /* bitmap of free blocks, out of line; NULL while the slot is not bound */
  uint32_t free_count; /* others read it, as a figure only, by slab_live_count */
  uint16_t first_word; /* no word of `free` before this one has a bit */
  uint16_t carved;     /* blocks from this one on lie in fresh memory: free, and never handed out */
  uint8_t size_class;
  uint8_t listed;   /* on its lane's list: exactly when it is bound and has recycled blocks */
  uint16_t insides; /* bits set in `inside` */
  struct slab *next, *previous;
  atomic_bool is_large; /* COLD's: a large block, whoever turns it back may free it */
  uint8_t unit;         /* position in the superslab; fixed */
  uint8_t units;        /* COLD's: units of the slab or large block */
  uint8_t dirty; /* COLD's: units, counted from the first, beyond which all is UNUSED, hence zero; WARM says so again
                    when it gives them back */
  uint64_t taken_at; /* when blocks were last taken, in the heap's milliseconds */
  uint32_t trimmed;  /* free blocks when its free pages were last given back; 0: taken from since */
  bool has_holes;    /* some bit of `absent` is set */
  bool kept;         /* empty, and bound all the same: warm/lane.h */

  /* Shared between threads, through warm/remote.h. */
  _Alignas(64) _Atomic uint64_t *remote; /* bitmap of blocks freed by other threads */
  _Atomic(struct thread_heap *) heap;    /* the owner; changes only while the token is held */
  _Atomic uint32_t token;                /* 0, or 1 while one party may queue, release or move the slab */
  struct slab *queue_next;               /* link in the owner's remote queue */

  /* The owner's again: bit p of the whole: page p of the slab has been given back and not been used since. */
  uint64_t absent;
  struct slab *kept_next, *kept_previous;
  _Atomic(_Atomic uint64_t *)
      inside; /* bitmap of blocks that belong to a coalesced one before them: warm/inside.h; or NULL */
};

_Static_assert(sizeof(struct slab) == 128, "two cache lines");
_Static_assert(SLAB_PAGES_MAX <= 64, "a bit of `absent` for each page");

/* Runs of which units a superslab is found by. */
enum run_kind { RUN_FREE = 0, RUN_RETAINED, RUN_KINDS };

struct superslab;

struct bin_link {
  struct superslab *next, *previous;
};

/* Two cache lines, and the slabs. */
struct superslab {
  char *start;
  uint32_t free;      /* bit set: the unit is UNUSED or RETAINED */
  uint32_t retained;  /* bit set: the unit is RETAINED */
  uint32_t purged;    /* bit set: the unit was RETAINED once and has been purged since */
  uint32_t purging;   /* bit set: the unit counts as taken while the system empties it */
  bool unmapped;      /* its addresses are given back */
  _Atomic bool dense; /* it is used whole: the system may serve it in huge pages; without the lock, a hint */
  uint8_t tier;
  _Atomic uint8_t part;          /* of the shared pool: cold/pool_parts.h */
  uint8_t head[SUPERSLAB_UNITS]; /* first unit of the slab or large block that a unit belongs to */

  /* Where it is, cold/superslab_lists.h, by what it was when it was placed there. */
  _Alignas(64) struct bin_link bin[RUN_KINDS];
  struct superslab *retained_next, *retained_previous;
  uint64_t retained_at; /* when units were last given back, in milliseconds */
  bool is_binned, is_retaining;
  uint8_t bin_set, bin_run[RUN_KINDS], retaining_set;
  uint8_t whole_units, unused_units; /* in a huge page that is in use: RETAINED; free. As reported last */
  struct slab slab[SUPERSLAB_UNITS];
};

_Static_assert(offsetof(struct superslab, slab) == 128, "two cache lines");

/* The superslab that an address of the window lies in; NULL when none was cut there. */
static inline struct superslab *superslab_of(const void *address) { return superslab_at(superslab_index(address)); }

static inline struct superslab *superslab_of_slab(const struct slab *slab) {
  const struct slab *first = slab - slab->unit;
  return (struct superslab *)((uintptr_t)first - offsetof(struct superslab, slab)); // NOLINT(performance-no-int-to-ptr)
}

/* First address of a slab or large block. */
static inline char *slab_start(const struct slab *slab) {
  return superslab_of_slab(slab)->start + ((size_t)slab->unit << UNIT_SHIFT);
}

/* Bytes of its units. */
static inline size_t slab_bytes(const struct slab *slab) { return (size_t)slab->units << UNIT_SHIFT; }

/* Who finds it in a part, and has that part's lock, sees all that was changed under the lock of the one before. */
static inline unsigned superslab_part(const struct superslab *superslab) {
  return atomic_load_explicit(&superslab->part, memory_order_acquire);
}

static inline void superslab_set_part(struct superslab *superslab, unsigned part) {
  atomic_store_explicit(&superslab->part, (uint8_t)part, memory_order_release);
}

/* Cuts a new superslab from the arena, which may be served in huge pages, but for the first; NULL when there is no
 * memory. */
struct superslab *superslab_cut(bool dense);

/* Says whether its memory is used whole; true: that is new, and the system is to be told. */
bool superslab_set_dense(struct superslab *superslab, bool dense);

/* Tells the system what `dense` says. Where some unit is in use, so that its addresses stay, without the lock: while
 * another thread waits for a huge page the system may take milliseconds. */
void superslab_tell(const struct superslab *superslab);

static inline bool superslab_is_dense(const struct superslab *superslab) {
  return atomic_load_explicit(&superslab->dense, memory_order_relaxed);
}

/* All that have been cut, by address: the one that follows `after`, the first for NULL; NULL: there is no further. */
struct superslab *superslab_next(const struct superslab *after);

/* Longest run of free units, or of retained ones, 0 to 32. */
unsigned superslab_longest_run(const struct superslab *superslab, enum run_kind kind);

/* Bytes that superslab_take makes countable (cold/limit.h), of a block that is used whole, or of a slab: there the
 * units up to the last resident one, or all where huge pages make them resident at once. */
size_t superslab_take_bytes(const struct superslab *superslab, unsigned units, bool whole);

/* Takes `units` adjacent free units, resident ones first where the choice is free; the superslab has such a run. NULL:
 * the system refuses access to them. */
struct slab *superslab_take(struct superslab *superslab, unsigned units);

/* Takes the free units that follow a large block; false when they are not free. */
bool superslab_extend(struct superslab *superslab, struct slab *slab, unsigned units);

/* Of a run that the caller has taken: what is behind its first `units` becomes a run of its own; or the run that
 * follows it becomes a part of it. All of both has been used. No lock. */
struct slab *superslab_split(struct slab *run, unsigned units);
void superslab_join(struct slab *run, const struct slab *next);

/* Units are free: the first `dirty` of them RETAINED, the others UNUSED. */
void superslab_give(struct superslab *superslab, unsigned unit, unsigned units, unsigned dirty);

/* A superslab that a lost thread was changing: its sets are made to agree, and what it was purging is RETAINED. */
void superslab_mend(struct superslab *superslab);

/* The tier after units were given back (`given`) or taken. */
enum tier superslab_tier(const struct superslab *superslab, bool given);

static inline bool superslab_is_valid(const struct superslab *superslab) {
  return (superslab->retained & ~superslab->free) == 0 && (superslab->purged & superslab->retained) == 0 &&
         superslab->tier < TIER_COUNT && ((uintptr_t)superslab->start & (SUPERSLAB_BYTES - 1)) == 0;
}

#endif
