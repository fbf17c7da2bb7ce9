#include "warm/light.h"

#include <string.h>

#include "events/events.h"
#include "warm/claim.h"
#include "warm/heap_hooks.h"
#include "warm/light_work.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/take.h"

/* A CPU's magazine holds 2 KiB at first, so that a thousand threads that do little leave little there, and twice as
 * much each time that it was used up, as far as a heap's; but two blocks at least. A refill is half of that. */
enum { FIRST_BYTES = 2 << 10 };

/* A heap that serves such threads is somebody's for a moment only, a microsecond or a few, unless that thread has lost
 * the CPU meanwhile. One more heap costs a page of each class: so the thread first waits so long, and then lets others
 * run so often. Where more than a few heaps are somebody's for a moment, one thread at a time makes one, and is more
 * patient the more they are. Else each thread of a crowd would make one, and wait with it for the one that has the
 * pool's lock and no CPU. */
enum { SPINS = 400, YIELDS = 8, FEW = 8, YIELDS_EACH = 32 };

/* A heap that somebody gives back meanwhile; under the lock. */
static struct thread_heap *await(void) {
  struct thread_heap *heap = heap_claim_newest();
  for (size_t i = 0; heap == NULL && i < YIELDS_EACH * registry_visits(); i++) {
    os_yield();
    heap = heap_claim_newest();
  }
  return heap;
}

/* It counts as somebody's from before it is there. */
static struct thread_heap *make(void) {
  critical_enter();
  struct thread_heap *made = NULL, *found = NULL;
  if (registry_make() <= FEW) {
    made = heap_new();
  } else {
    lock_take(LOCK_START);
    found = await();
    made = found == NULL ? heap_new() : NULL;
    lock_drop(LOCK_START);
  }
  registry_made(made == NULL ? NULL : &made->link);
  critical_leave();
  return found != NULL ? found : made;
}

struct thread_heap *light_claim(void) {
  bool without = thread_cache.state == THREAD_ENDED || thread_cache.light_work > 0;
  if (!without || thread_cache.heap != NULL) {
    return NULL;
  }
  struct thread_heap *heap = heap_claim_newest();
  for (int i = 0; heap == NULL && i < SPINS; i++) {
    SPIN_PAUSE();
    heap = heap_claim_newest();
  }
  for (int i = 0; heap == NULL && i < YIELDS; i++) {
    os_yield();
    heap = heap_claim_newest();
  }
  return heap != NULL ? heap : make();
}

/* Blocks that its CPU's magazine had go to their owners. */
static void post(size_t size_class, void *const *top) {
  unsigned count = magazine_count(top);
  observe_spill(count);
  observe_cpu_posted(count);
  heap_post_blocks(NULL, size_class, top);
}

/* ---- malloc ---- */

void *light_pop(size_t size_class) {
  if (thread_cache.cpu == NULL || light_work_is_done()) {
    return NULL;
  }
  void *block = cpu_pop(size_class);
  if (block != NULL) {
    light_work_popped(size_class);
    observe_take_path(MALLOC_CACHE);
  }
  return block;
}

/* How many blocks a magazine may hold that was used up, and is refilled by way of this heap. */
static unsigned most_of_class(const struct thread_heap *heap, size_t size_class, void **used_up) {
  unsigned twice = 2 * magazine_room(used_up);
  unsigned first = FIRST_BYTES / size_classes[size_class].stride;
  unsigned most = twice > first ? twice : first;
  unsigned share = share_of_class(heap, size_class);
  return most < 2 ? 2 : most < share ? most : share;
}

/* An empty magazine, filled by half; its new top. */
static void **fill(struct thread_heap *heap, size_t size_class, void **used_up) {
  unsigned most = most_of_class(heap, size_class, used_up);
  unsigned want = (most + 1) / 2;
  void **bottom = magazine_bottom(magazine_of(used_up), most);
  *bottom = NULL;
  unsigned had = heap_take(heap, size_class, bottom + want, want);
  if (had == 0) {
    had = heap_grow(heap, size_class, bottom + want, want);
  }
  memmove(bottom + 1, bottom + 1 + (want - had), had * sizeof *bottom);
  hook_refilled(heap, bottom + 1, had);
  observe_refill(had);
  return bottom + had;
}

/* The CPU's magazine, or a new one; where there is no memory for that, the block alone. */
static void *refill_magazine(struct thread_heap *heap, size_t size_class) {
  void **top = cpu_take(size_class);
  if (top == NULL) {
    top = depot_take_empty(&heap->depot, 1);
    if (top == NULL) {
      return heap_take_one(heap, size_class);
    }
  }
  if (*top == NULL) {
    top = fill(heap, size_class, top);
  }
  void *block = *top;
  top = block == NULL ? top : top - 1;
  if (!cpu_give(size_class, top)) {
    post(size_class, top);
    depot_give_empty(&heap->depot, magazine_of(top));
  }
  return block;
}

void *light_refill(size_t size_class) {
  bool is_light = thread_cache.state == THREAD_NEW && thread_cache.light_work > 0;
  if (!is_light || (thread_cache.cpu == NULL && !cpu_join())) {
    return NULL;
  }
  void *block = light_pop(size_class); /* it has just joined, or has another CPU by now */
  struct thread_heap *heap = block == NULL ? light_claim() : NULL;
  if (heap != NULL) {
    share_renew(heap);
    light_work_fit(heap);
    heap->keep = 0;
    block = refill_magazine(heap, size_class);
    heap_put_depot(heap); /* what came home; an orphan holds no block outside its slabs */
    heap_give(heap);
    light_work_refilled();
  }
  return block;
}

/* ---- free ---- */

/* A full magazine's older half goes to the blocks' owners; the new top. */
static void **post_half(size_t size_class, void **top) {
  unsigned count = magazine_count(top);
  unsigned keep = count / 2;
  void **bottom = top - count;
  post(size_class, top - keep);
  memmove(bottom + 1, top - keep + 1, keep * sizeof *bottom);
  return bottom + keep;
}

static void post_one(size_t size_class, void *block) {
  void *const magazine[] = {NULL, block};
  observe_cpu_posted(1);
  heap_post_blocks(NULL, size_class, &magazine[1]);
}

/* Another one took its place: all of it goes to the blocks' owners, and it waits for a heap that needs one. */
static void post_all(size_t size_class, void **top) {
  post(size_class, top);
  struct thread_heap *heap = light_claim();
  if (heap != NULL) {
    depot_give_empty(&heap->depot, magazine_of(top));
    heap_give(heap);
  }
}

/* The CPU's magazine has no place for the block, or has it on top; or it has none. */
static void spill_light(size_t size_class, void *block) {
  void **top = cpu_take(size_class);
  if (top == NULL) {
    post_one(size_class, block);
    light_work_called();
    return;
  }
  if (unlikely(*top == block)) {
    struct place place = place_of(block, size_class);
    fatal_double_free(place.slab, place.index);
  }
  if (top == magazine_full_top(magazine_of(top))) {
    top = post_half(size_class, top);
    light_work_posted(magazine_room(top));
  }
  *++top = block;
  if (!cpu_give(size_class, top)) {
    post_all(size_class, top);
  }
}

bool light_free(size_t size_class, void *block, struct place place) {
  if (thread_cache.cpu == NULL || light_work_is_done()) {
    return false;
  }
  uint64_t posted = atomic_load_explicit(&place.slab->remote[place.index / 64], memory_order_relaxed);
  if (unlikely((posted >> place.index % 64 & 1) != 0)) {
    fatal_double_free(place.slab, place.index); /* it was posted before, and nobody has collected it */
  }
  observe_free(block, size_classes[size_class].stride, FREE_CACHE);
  if (!cpu_push(size_class, block)) {
    spill_light(size_class, block);
  }
  return true;
}

/* ---- no longer light ---- */

/* What threads that are brief leave in its CPU's magazines serves no thread that has a heap. */
static NOINLINE void leave_row(void) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = cpu_take(size_class);
    if (top == NULL) {
      continue;
    }
    if (*top != NULL) {
      post(size_class, top);
      top -= magazine_count(top);
    }
    if (!cpu_give(size_class, top)) {
      post_all(size_class, top);
    }
  }
}

bool light_stays(void) {
  if (light_work_outgrows()) {
    leave_row();
  }
  return light_work_goes_on();
}
