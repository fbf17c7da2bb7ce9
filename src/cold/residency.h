/* residency: how much free memory stays resident, and which of it goes back to the system first.
 *
 * Boxes that retain free memory are its holders. They report every byte that becomes active, retained, purged or
 * unmapped; this box alone decides how much of it stays, and asks the holder of what has been free for the longest time
 * first.
 *
 * Owns:     the most that was in use at once, and the budget of what may be retained. What there is now is counted in
 *           cold/residency_figures.h.
 * Promises: the budget starts at HAKMEM_RETAIN_KIB. Memory that is purged and faulted back within a second raises it
 *           by sixteen times as much, up to the peak in use. Memory not reused for a second or two lowers it by three
 *           quarters of that. Nothing is retained above the soft limit (cold/limit.h). What is beyond the budget is
 *           given back by the calls that free it (residency_settle), as soon as it is worth a system call
 *           (cold/purge_policy.h), so a process need not go on allocating to shrink. Within the budget, too, what has
 *           lain there for 20 ms makes way for whatever raises the most that was resident at once. While a helper
 *           gives back what has been free for long (warm/background.h), as much may be retained as has been in use at
 *           once.
 * Callers:  cold/shared_pool.c and cold/huge.c, WARM. Any thread; figures are atomic and may lag one another.
 */
#ifndef HAKMEM_COLD_RESIDENCY_H
#define HAKMEM_COLD_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cold/residency_figures.h"

/* What a holder is asked. */
struct holder_calls {
  /* When the memory that it would give back first was freed, in milliseconds; HOLDER_EMPTY: it retains none. Takes the
   * holder's lock. */
  uint64_t (*oldest)(void);
  /* Gives back `bytes` or a little more of what was freed before `before`, the oldest first, with no lock held around
   * system calls; the bytes given back. */
  size_t (*give_back)(size_t bytes, uint64_t before);
  /* Bytes retained in huge pages of which other parts are in use, which go back last, as what is left of such a page is
   * served in small ones from then on. NULL: it has no such. Takes no lock. */
  size_t (*whole)(void);
};

#define HOLDER_EMPTY UINT64_MAX

/* At the start of the process, once for each holder. */
void residency_join(enum holder holder, const struct holder_calls *calls);

/* Retained memory has been given back. */
void residency_purged(enum holder holder, size_t bytes);

/* Memory handed out had been purged before. */
void residency_faulted_back(size_t bytes);

/* Pages of active memory have been given back (holes), or are used again. */
void residency_holes_made(size_t bytes);
void residency_hole_filled(size_t bytes);

/* Memory has been purged less than a second ago, and not all of it has been faulted back. */
bool residency_is_soon(void);

/* The most that was in use at once; and whether so many bytes more than now were. */
size_t residency_peak_used(void);
bool residency_is_below_peak(size_t bytes);

/* Free memory that may be resident, kept by heaps or retained: the budget, or what keeps it and the memory in use near
 * the peak of the latter: above it by a quarter, or by a half where the shared pool is divided. What is free must not
 * raise the peak of a process that grows. */
size_t residency_allowance(void);

/* Retained bytes beyond that; of those in huge pages that are in use, only what is more than an eighth of the peak. */
size_t residency_excess(void);

/* Notes the peaks, and has the holders give back what is in excess, where that is worth a system call
 * (cold/purge_policy.h). Where the most that was resident at once is raised, as much makes way of what has been
 * retained for some milliseconds: what comes and goes is used again before that. Called after every change, or several
 * (cold/shared_pool.c, cold/huge.c), with no lock held. */
void residency_settle(void);

/* Whether so many bytes that have come and gone since the last call may be in excess, and worth a system call. */
bool residency_is_due(size_t bytes);

/* Has the holders give back so many bytes, for what else is about to be taken. It does not raise the budget. */
void residency_make_way(size_t bytes);

/* Has the holders give back what has been free for so long; the bytes given back. */
size_t residency_give_back_older(uint32_t milliseconds);

/* There is a helper that calls residency_give_back_older now and then. */
void residency_set_helper(bool present);

/* From now on each residency_settle ends with a call of `begins`; NULL: nobody is told. */
void residency_tell(void (*begins)(void));

/* What may be retained; and what could be if there were no helper, which looks after the holders only. */
size_t residency_budget(void);
size_t residency_steady_budget(void);
size_t peak_committed_bytes(void);

#endif
