/* registry: every thread heap of the process, and which of them have no thread.
 *
 * Owns:     owner numbers, the list of all heaps, the list of orphans (heaps whose thread has ended).
 * Promises: a heap is at any time either one thread's or an orphan. registry_adopt and registry_borrow make the
 *           caller the only one who may touch the heap; registry_orphan ends that. Heaps are never unmapped, so a
 *           stale pointer to one is always safe to follow.
 * Callers:  WARM, with the link embedded in its heaps. Any thread; one lock inside (LOCK_ORPHANS).
 */
#ifndef HAKMEM_COLD_REGISTRY_H
#define HAKMEM_COLD_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_link {
  uint32_t owner;              /* 1 to OWNER_MAX; fixed */
  atomic_bool orphan;          /* on the list of orphans; read without the lock as a hint */
  struct heap_link *next_heap; /* fixed once enrolled */
  struct heap_link *next_orphan, *previous_orphan;
};

/* Gives a new heap its owner number; false when the numbers are used up. */
bool registry_enroll(struct heap_link *heap);

/* The orphan that waited longest, now the caller's; NULL when there is none. */
struct heap_link *registry_adopt(void);

/* This very heap, if it is an orphan. */
bool registry_borrow(struct heap_link *heap);

/* The caller's heap becomes an orphan, the last in line. */
void registry_orphan(struct heap_link *heap);

/* The first of all heaps, linked by next_heap. */
struct heap_link *registry_heaps(void);

/* Counts an adoption, whole or of one slab; the number of them so far. */
void registry_count_adoption(void);
size_t registry_adoptions(void);

void registry_fork_lock(void);
void registry_fork_unlock(void);

#endif
