/* residency_figures: how much memory is active, retained, kept empty, or not resident though it is active.
 *
 * Owns:     one line of the cache, which any thread changes at nearly every step of the shared pool.
 * Promises: a large block that is handed out again, or freed, changes one figure. None is told below 0. They may lag
 *           one another; what is in use is then too little rather than too much, as a peak would stay.
 * Callers:  cold/residency.h, and who reports to it. Any thread, no lock.
 */
#ifndef HAKMEM_COLD_RESIDENCY_FIGURES_H
#define HAKMEM_COLD_RESIDENCY_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

/* Which box retains the memory. */
enum holder { HOLDER_POOL = 0, HOLDER_HUGE, HOLDERS };

/* Memory handed out: fresh memory, or what was retained. */
void residency_activate(enum holder holder, size_t fresh_bytes, size_t reused_bytes);

/* Memory that was active is free, and retained from now on: before whatever the caller reads next. */
void residency_deactivate(enum holder holder, size_t bytes);

/* Memory goes back to the system: that was active, without having been retained; or that was retained. */
void residency_drop(enum holder holder, size_t bytes);
void residency_uncommit(enum holder holder, size_t bytes);

/* The holder has counted anew, in the child of fork(). */
void residency_recount(enum holder holder, size_t active_bytes, size_t retained_bytes);

/* Active memory that is not resident: fresh memory of slabs, of one unit or more, until it is used for the first time;
 * and pages that were given back (holes), or are counted among these (left) because their slab is carved, until what
 * they lie in has become free (closed). */
void residency_fresh(size_t bytes, unsigned units);
void residency_fresh_used(size_t bytes, unsigned units);
void residency_holes_left(size_t bytes);
void residency_holes_closed(size_t bytes);

/* Active memory that is free all the same: what a heap keeps empty was `before` bytes, as it said last, and is
 * `now`. */
void residency_kept(size_t before, size_t now);

/* Slabs of one unit, which fill as a heap grows: few of their pages, a sixth, are fresh. Where the heap goes on in huge
 * pages these become resident, half of each slab on average: rarely more than an eighth of the heap. */
bool residency_units_are_dense(void);
void residency_unit_bound(void);
void residency_unit_unbound(void);

/* The figures as they are used together, in bytes, each read once. */
struct amounts {
  size_t committed; /* active or retained */
  size_t retained, kept;
  size_t used;     /* active, resident, and not kept empty */
  size_t resident; /* as far as the boxes know */
};

void amounts_read(struct amounts *now);

size_t committed_bytes(void); /* active or retained */
size_t committed_bytes_of(enum holder holder);
size_t active_bytes(void);
size_t retained_bytes(void);
size_t hole_bytes(void);
size_t used_bytes(void);

#endif
