#include "cold/registry.h"

#include "events/events.h"
#include "os/os.h"

enum { WANTED_MS = 20 };

static _Atomic(struct heap_link *) heaps;
ADDRESS_KNOWN_AS(root_heaps, heaps);
static _Atomic(struct heap_link *) first_free; /* changed under the lock; read without it as a hint */
static struct heap_link *last_free;
static _Atomic uint32_t owners, owners_reserved;
static _Atomic uint32_t visits;  /* heaps that somebody has for a moment */
static _Atomic uint32_t threads; /* that have a heap or are about to */
static _Atomic size_t adoptions;

#if HAKMEM_VALIDATE
void heap_state_check(const struct heap_link *heap, enum heap_state next) {
  /* Bit t of row f: a heap may go from f to t. */
  static const uint8_t legal[HEAP_STATES] = {
      [HEAP_OWNED] = 1 << HEAP_CHANGING | 1 << HEAP_LOST,
      [HEAP_CHANGING] = 1 << HEAP_OWNED | 1 << HEAP_ORPHAN | 1 << HEAP_TORN,
      [HEAP_ORPHAN] = 1 << HEAP_CHANGING,
      [HEAP_LOST] = 1 << HEAP_CHANGING,
      [HEAP_TORN] = 1 << HEAP_CHANGING,
  };
  INVARIANT((legal[heap_state_of(heap)] >> next & 1) != 0);
}
#endif

/* ---- the list of heaps that nobody has, under the lock ---- */

static void link_last(struct heap_link *heap) {
  if (owner_is_reserved(heap->owner)) {
    return;
  }
  heap->next_free = NULL;
  heap->previous_free = last_free;
  if (last_free != NULL) {
    last_free->next_free = heap;
  } else {
    atomic_store(&first_free, heap);
  }
  last_free = heap;
}

static void unlink_free(struct heap_link *heap) {
  if (owner_is_reserved(heap->owner)) {
    return;
  }
  if (heap->previous_free != NULL) {
    heap->previous_free->next_free = heap->next_free;
  } else {
    atomic_store(&first_free, heap->next_free);
  }
  if (heap->next_free != NULL) {
    heap->next_free->previous_free = heap->previous_free;
  } else {
    last_free = heap->previous_free;
  }
}

/* A lost thread was changing the list: it is made anew from the states. */
static void mend(void) {
  atomic_store(&first_free, NULL);
  last_free = NULL;
  for (struct heap_link *heap = atomic_load(&heaps); heap != NULL; heap = heap->next_heap) {
    if (heap_has_nobody(heap)) {
      link_last(heap);
    }
  }
}

void registry_lock(void) {
  if (unlikely(lock_take(LOCK_ORPHANS))) {
    mend();
  }
}

void registry_unlock(void) { lock_drop(LOCK_ORPHANS); }

static uint32_t count_visit(void) {
  observe_shared_figure();
  return atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed) + 1;
}

static void count_visit_ended(void) {
  observe_shared_figure();
  atomic_fetch_sub_explicit(&visits, 1, memory_order_relaxed);
}

static void end_visit(struct heap_link *heap) {
  if (heap->visited) {
    heap->visited = false;
    count_visit_ended();
  }
}

static enum heap_state take(struct heap_link *heap) {
  enum heap_state was = heap_state_of(heap);
  unlink_free(heap);
  heap->visited = true;
  count_visit();
  heap_state_set(heap, HEAP_CHANGING);
  return was;
}

/* ---- the heaps ---- */

static bool enroll(struct heap_link *heap, uint32_t before, _Atomic uint32_t *count, uint32_t most) {
  registry_lock();
  bool enrolled = *count < most;
  if (enrolled) {
    heap->owner = before + ++*count;
    heap->next_heap = atomic_load(&heaps);
    atomic_store_explicit(&heap->state, HEAP_CHANGING, memory_order_relaxed);
    atomic_store(&heaps, heap);
  }
  registry_unlock();
  return enrolled;
}

bool registry_enroll(struct heap_link *heap) { return enroll(heap, 0, &owners, OWNER_RESERVED_FIRST - 1); }

bool registry_enroll_reserved(struct heap_link *heap) {
  return enroll(heap, OWNER_RESERVED_FIRST - 1, &owners_reserved, OWNERS_RESERVED);
}

bool registry_has_orphans(void) { return atomic_load_explicit(&first_free, memory_order_relaxed) != NULL; }

/* Under the lock. */
static struct heap_link *choose(enum registry_choice choice) {
  struct heap_link *heap = choice == REGISTRY_NEWEST ? last_free : atomic_load(&first_free);
  bool wanted =
      choice == REGISTRY_SPARE && heap == last_free && heap != NULL && os_milliseconds() - heap->ended_at < WANTED_MS;
  return wanted ? NULL : heap;
}

struct heap_link *registry_take(enum registry_choice choice, enum heap_state *was) {
  if (!registry_has_orphans()) {
    return NULL;
  }
  registry_lock();
  struct heap_link *heap = choose(choice);
  if (heap != NULL) {
    *was = take(heap);
  }
  registry_unlock();
  return heap;
}

bool registry_take_this(struct heap_link *heap, enum heap_state *was) {
  registry_lock();
  bool taken = heap_has_nobody(heap);
  if (taken) {
    *was = take(heap);
  }
  registry_unlock();
  return taken;
}

void registry_keep(struct heap_link *heap) { end_visit(heap); }

size_t registry_make(void) { return count_visit(); }

void registry_made(struct heap_link *heap) {
  if (heap != NULL) {
    heap->visited = true;
  } else {
    count_visit_ended();
  }
}

size_t registry_visits(void) { return atomic_load_explicit(&visits, memory_order_relaxed); }

void registry_give(struct heap_link *heap) {
  registry_lock();
  if (!heap->visited) {
    heap->ended_at = os_milliseconds();
  }
  end_visit(heap);
  heap_state_set(heap, HEAP_ORPHAN);
  link_last(heap);
  registry_unlock();
}

void registry_lose(struct heap_link *heap) {
  registry_lock();
  heap->visited = false;
  heap_state_set(heap, heap_state_of(heap) == HEAP_OWNED ? HEAP_LOST : HEAP_TORN);
  link_last(heap);
  registry_unlock();
}

size_t registry_thread_count(void) { return atomic_load_explicit(&threads, memory_order_relaxed); }

bool registry_may_start(size_t most) {
  uint32_t before = atomic_load(&threads);
  do {
    if (before >= most) {
      return false;
    }
    observe_shared_figure();
  } while (!atomic_compare_exchange_weak(&threads, &before, before + 1));
  return true;
}

/* Never below 0: a signal handler may have forked in between. */
void registry_ended(void) {
  uint32_t before = atomic_load(&threads);
  do {
    observe_shared_figure();
  } while (before > 0 && !atomic_compare_exchange_weak(&threads, &before, before - 1));
}

void registry_forked(bool has_heap) {
  atomic_store(&threads, has_heap);
  atomic_store(&visits, 0);
}

struct heap_link *registry_heaps(void) {
  return atomic_load(&heaps);
}

void registry_count_adoption(void) {
  observe_shared_figure();
  atomic_fetch_add_explicit(&adoptions, 1, memory_order_relaxed);
}
size_t registry_adoptions(void) { return atomic_load_explicit(&adoptions, memory_order_relaxed); }
