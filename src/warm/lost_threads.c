#include "warm/lost_threads.h"

#include "warm/rebuild.h"
#include "warm/tally.h"

/* ---- tokens ---- */

enum { TOKEN_FREE = 0, TOKEN_TAKEN, TOKEN_LISTED };

static void mark_listed(struct slab *slab) {
  for (; slab != NULL; slab = slab->queue_next) {
    atomic_store(&slab->token, TOKEN_LISTED);
  }
}

static struct thread_heap *heap_of_owner(uint32_t owner, struct thread_heap *likely_one) {
  if (likely_one != NULL && likely_one->link.owner == owner) {
    return likely_one;
  }
  struct heap_link *link = registry_heaps();
  while (link->owner != owner) {
    link = link->next_heap;
  }
  return heap_of_link(link);
}

/* A token that is taken while its slab is on no list was a lost thread's: the slab goes to its owner's queue, as if
 * that thread had come to the end of publishing it. */
static void restore_token(struct slab *slab, unit_tag tag, void *unused) {
  (void)unused;
  uint32_t token = atomic_load(&slab->token);
  if (token == TOKEN_LISTED) {
    atomic_store(&slab->token, TOKEN_TAKEN);
  } else if (token == TOKEN_TAKEN) {
    /* It may have been on its way from one heap to another: the first unit's tag decides. */
    struct thread_heap *owner = heap_of_owner(unit_tag_owner(tag), atomic_load(&slab->heap));
    unit_tag_set(window_unit(slab_start(slab)), slab->units, tag);
    atomic_store(&slab->heap, owner);
    remote_enqueue(&owner->queue, slab);
  }
}

static void mark_queued(struct thread_heap *heap) {
  mark_listed(atomic_load(&heap->queue.first));
  for (size_t size_class = 0; heap->queued != 0 && size_class < SIZE_CLASS_COUNT; size_class++) {
    mark_listed(heap->lane[size_class].queued);
  }
}

/* ---- heaps ---- */

/* The memory of a lost thread's TLS may be reused by the next thread: only the magazines' addresses are kept. */
static void keep_magazines(struct thread_heap *heap) {
  for (size_t size_class = 0; heap->cache != NULL && size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->lost_top[size_class] = heap->cache->top[size_class];
  }
  heap->cache = NULL;
}

/* The lists of a heap that was changing are not to be trusted. */
static void forget_queued(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->lane[size_class].queued = NULL;
  }
  heap->queued = 0;
}

/* Who borrowed it may have been changing it. */
static bool was_lent(struct thread_heap *heap) {
  return atomic_exchange(&heap->lent, HEAP_LENT_NOT) != HEAP_LENT_NOT && heap_state_of(&heap->link) == HEAP_OWNED;
}

static void lose(struct thread_heap *heap) {
  if (was_lent(heap)) {
    heap_state_set(&heap->link, HEAP_CHANGING);
  }
  if (heap_state_of(&heap->link) == HEAP_CHANGING) {
    forget_queued(heap);
  }
  keep_magazines(heap);
  registry_lose(&heap->link);
}

/* Its thread's magazines are whole, and what they hold is not free: heap_rebuild counts it as handed out. */
static void make_whole(struct thread_heap *mine) {
  critical_enter();
  heap_state_set(&mine->link, HEAP_CHANGING);
  heap_rebuild(mine);
  heap_state_set(&mine->link, HEAP_OWNED);
  critical_leave();
}

void lost_threads_take_back(struct thread_heap *mine) {
  if (was_lent(mine)) {
    forget_queued(mine);
    make_whole(mine);
  }
}

void lost_threads_mend(struct thread_heap *mine) {
  bool mine_was_lent = mine != NULL && was_lent(mine);
  if (mine_was_lent) {
    forget_queued(mine);
  }
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    if (heap != mine && !heap_has_nobody(link)) {
      lose(heap);
    }
    mark_queued(heap);
    home_stack_mend(&heap->returned);
  }
  each_bound_slab(restore_token, NULL);
  pool_purge_mend();
  huge_recount();
  if (mine_was_lent) {
    make_whole(mine);
  }
  limit_recount(tally_counted_bytes());
}
