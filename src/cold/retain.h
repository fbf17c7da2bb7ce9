/* retain: how much free memory is retained for reuse.
 *
 * Owns:     the count of active and of retained bytes of each holder, their peak, and the budget of what may be retained.
 * Promises: the budget starts at HAKMEM_RETAIN_KIB. Memory that is purged and faulted back within a second raises it
 *           by as much, up to the peak in use. Memory not reused for a second or two lowers it by half of that.
 *           What is beyond the budget is to be given back at once by the call that frees it, so a process
 *           need not go on allocating to shrink.
 * Callers:  cold/shared_pool.c and cold/huge.c, under either's lock. Any thread; figures are atomic and may lag one
 *           another.
 */
#ifndef HAKMEM_COLD_RETAIN_H
#define HAKMEM_COLD_RETAIN_H

#include <stddef.h>

/* Which box retains the memory. Each calls under its own lock. */
enum retain_holder { RETAIN_POOL = 0, RETAIN_HUGE, RETAIN_HOLDERS };

/* Memory handed out: from fresh memory, or from what was retained. */
void retain_activate(enum retain_holder holder, size_t fresh_bytes, size_t retained_bytes);

/* Memory that was active is free, and retained from now on. */
void retain_deactivate(enum retain_holder holder, size_t bytes);

/* Memory that was active goes back to the system without having been retained. */
void retain_drop(enum retain_holder holder, size_t bytes);

/* Retained memory has been given back. */
void retain_purged(enum retain_holder holder, size_t bytes);

/* The holder has counted anew, in the child of fork(). */
void retain_recount(enum retain_holder holder, size_t active_bytes, size_t retained_bytes);

/* Memory handed out had been purged before. */
void retain_faulted_back(size_t bytes);

/* Retained bytes beyond the budget, or beyond what keeps the sum of active and retained near the peak of what was
 * active: what is retained must not raise the peak of a process that grows. */
size_t retain_excess(void);

size_t retain_budget(void);
size_t retained_bytes(void);
size_t active_bytes(void);
size_t peak_committed_bytes(void);

#endif
