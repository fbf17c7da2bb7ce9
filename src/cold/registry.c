#include "cold/registry.h"

#include "hot/page_tag.h"
#include "os/fatal.h"
#include "os/lock.h"

static struct lock orphans_lock = LOCK_INITIAL(LOCK_ORPHANS);
static _Atomic(struct heap_link *) heaps;
static _Atomic(struct heap_link *) orphans; /* changed under the lock; read without it as a hint */
static struct heap_link *last_orphan;
static uint32_t owners;
static _Atomic size_t adoptions;

bool registry_enroll(struct heap_link *heap) {
  lock_take(&orphans_lock);
  bool enrolled = owners < OWNER_MAX;
  if (enrolled) {
    heap->owner = ++owners;
    heap->next_heap = atomic_load(&heaps);
    atomic_store(&heaps, heap);
  }
  lock_drop(&orphans_lock);
  return enrolled;
}

static void orphan_unlink(struct heap_link *heap) {
  INVARIANT(atomic_load(&heap->orphan));
  if (heap->previous_orphan != NULL) {
    heap->previous_orphan->next_orphan = heap->next_orphan;
  } else {
    orphans = heap->next_orphan;
  }
  if (heap->next_orphan != NULL) {
    heap->next_orphan->previous_orphan = heap->previous_orphan;
  } else {
    last_orphan = heap->previous_orphan;
  }
  atomic_store(&heap->orphan, false);
}

struct heap_link *registry_adopt(void) {
  if (atomic_load_explicit(&orphans, memory_order_relaxed) == NULL) {
    return NULL;
  }
  lock_take(&orphans_lock);
  struct heap_link *heap = orphans;
  if (heap != NULL) {
    orphan_unlink(heap);
  }
  lock_drop(&orphans_lock);
  return heap;
}

bool registry_borrow(struct heap_link *heap) {
  lock_take(&orphans_lock);
  bool borrowed = atomic_load(&heap->orphan);
  if (borrowed) {
    orphan_unlink(heap);
  }
  lock_drop(&orphans_lock);
  return borrowed;
}

void registry_orphan(struct heap_link *heap) {
  lock_take(&orphans_lock);
  INVARIANT(!atomic_load(&heap->orphan));
  heap->next_orphan = NULL;
  heap->previous_orphan = last_orphan;
  if (last_orphan != NULL) {
    last_orphan->next_orphan = heap;
  } else {
    orphans = heap;
  }
  last_orphan = heap;
  atomic_store(&heap->orphan, true);
  lock_drop(&orphans_lock);
}

struct heap_link *registry_heaps(void) {
  return atomic_load(&heaps);
}

void registry_count_adoption(void) { atomic_fetch_add_explicit(&adoptions, 1, memory_order_relaxed); }
size_t registry_adoptions(void) { return atomic_load_explicit(&adoptions, memory_order_relaxed); }

void registry_fork_lock(void) { lock_take(&orphans_lock); }
void registry_fork_unlock(void) { lock_drop(&orphans_lock); }
