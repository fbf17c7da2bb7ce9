#include "warm/light.h"

#include <string.h>

#include "events/events.h"
#include "warm/claim.h"
#include "warm/heap_hooks.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/take.h"

/* So many threads have a heap from their first malloc on where fewer can run, each further one when it has done so
 * much work. A block for which a heap must be claimed is 64, or half of that where the CPU's magazine is refilled by
 * the way. A block that its CPU has is 1, if a heap could cache some of its size; of one that is larger the CPU caches
 * more: then the work is less by 4. */
enum { HEAPS_LEAST = 4, CALL_WORK = 64, REFILL_WORK = CALL_WORK / 2, LIGHT_WORK = 256 * CALL_WORK, LARGER = 4 };

/* A heap's magazine would hold so many blocks of this size, by the share that heaps had at the last refill. */
enum { SOME_BLOCKS = 8 };

static RARE_ZEROES _Atomic size_t fitting_bytes;

/* A thread that only frees posts so many blocks one by one before it takes a heap or has its CPU's magazines. */
enum { POSTS = 32 };

/* A CPU's magazine holds 2 KiB at first, so that a thousand threads that do little leave little there, and twice as
 * much each time that it was used up, as far as a heap's; but two blocks at least. A refill is half of that. */
enum { FIRST_BYTES = 2 << 10 };

/* A heap that serves such threads is somebody's for a moment only, a microsecond or a few, unless that thread has lost
 * the CPU meanwhile. One more heap costs a page of each class: so the thread first waits so long, and then lets others
 * run so often. Where more than a few heaps are somebody's for a moment, one thread at a time makes one, and is more
 * patient the more they are. Else each thread of a crowd would make one, and wait with it for the one that has the
 * pool's lock and no CPU. */
enum { SPINS = 400, YIELDS = 8, FEW = 8, YIELDS_EACH = 32 };

/* ---- who is light ---- */

size_t light_heaps_at_once(void) {
  static RARE_ZEROES _Atomic size_t heaps;
  size_t known = atomic_load_explicit(&heaps, memory_order_relaxed);
  if (known == 0) {
    size_t processors = os_processors();
    known = processors > HEAPS_LEAST ? processors : HEAPS_LEAST;
    atomic_store_explicit(&heaps, known, memory_order_relaxed);
  }
  return known;
}

static NOINLINE bool may_start_beside_others(void) {
  return registry_may_start(thread_cache.light_work < LIGHT_WORK ? light_heaps_at_once() : SIZE_MAX);
}

bool light_stays(void) {
  if (registry_may_start(HEAPS_LEAST) || may_start_beside_others()) {
    return false;
  }
  thread_cache.light_work += CALL_WORK;
  return true;
}

static void find_fitting(const struct thread_heap *heap) {
  size_t bytes = heap->share / MAGAZINE_SHARE / SOME_BLOCKS;
  if (bytes != atomic_load_explicit(&fitting_bytes, memory_order_relaxed)) {
    atomic_store_explicit(&fitting_bytes, bytes, memory_order_relaxed);
  }
}

static void count_pop(size_t size_class) {
  if (size_classes[size_class].stride <= atomic_load_explicit(&fitting_bytes, memory_order_relaxed)) {
    thread_cache.light_work++;
  } else if (thread_cache.light_work > LARGER) { /* at 0 it would not be light */
    thread_cache.light_work -= LARGER;
  }
}

bool light_posts(void) {
  if (thread_cache.light_work >= POSTS * CALL_WORK) {
    return false;
  }
  thread_cache.light_work += CALL_WORK;
  return true;
}

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
  if (thread_cache.cpu == NULL || thread_cache.light_work >= LIGHT_WORK) {
    return NULL;
  }
  void *block = cpu_pop(size_class);
  if (block != NULL) {
    count_pop(size_class);
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

/* The CPU's magazine, or a new one. */
static void *refill_magazine(struct thread_heap *heap, size_t size_class) {
  void **top = cpu_take(size_class);
  if (top == NULL) {
    top = depot_take_empty(&heap->depot, 1);
    if (top == NULL) {
      return NULL;
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
    find_fitting(heap);
    heap->keep = 0;
    block = refill_magazine(heap, size_class);
    heap_put_depot(heap); /* what came home; an orphan holds no block outside its slabs */
    heap_give(heap);
    thread_cache.light_work -= CALL_WORK - REFILL_WORK;
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
    thread_cache.light_work += CALL_WORK;
    return;
  }
  if (unlikely(*top == block)) {
    struct place place = place_of(block, size_class);
    fatal_double_free(place.slab, place.index);
  }
  if (top == magazine_full_top(magazine_of(top))) {
    top = post_half(size_class, top);
    thread_cache.light_work += (uint16_t)magazine_room(top);
  }
  *++top = block;
  if (!cpu_give(size_class, top)) {
    post_all(size_class, top);
  }
}

bool light_free(size_t size_class, void *block, struct place place) {
  if (thread_cache.cpu == NULL || thread_cache.light_work >= LIGHT_WORK) {
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
