#include "warm/light_work.h"

#include "warm/cpu_cache.h"
#include "warm/sample_rate.h"
#include "warm/share.h"

/* So many threads have a heap at once where fewer can run, and each further one when it has done LIGHT_WORK. A block
 * for which a heap must be claimed is 64, or half of that where the CPU's magazine is refilled by the way. A block that
 * its CPU has is 1, if a heap could cache some of its size; of one that is larger the CPU caches more: then the work is
 * less by 4. */
enum { HEAPS_LEAST = 4, CALL_WORK = 64, REFILL_WORK = CALL_WORK / 2, LIGHT_WORK = 256 * CALL_WORK, LARGER = 4 };

/* A thread that could have a heap at once is brief until it has done so much: by then the way of its blocks has cost
 * about what a heap costs that is taken, has slabs bound for it, and is given back. Threads are expected to be as the
 * last ones were: after each that does more so many begin with a heap, and after several so many at most. */
enum { BRIEF_WORK = 32 * CALL_WORK, LASTING_NEXT = 128, LASTING_NEXT_MOST = 256 };

static RARE_ZEROES _Atomic uint32_t lasting_next;

/* A heap's magazine would hold so many blocks of this size, by the share that heaps had at the last refill. */
enum { SOME_BLOCKS = 8 };

static RARE_ZEROES _Atomic size_t fitting_bytes;

/* A thread that only frees posts so many blocks one by one before it takes a heap or has its CPU's magazines. */
enum { POSTS = 32 };

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

static void expect_lasting(uint32_t threads) {
  atomic_store_explicit(&lasting_next, threads < LASTING_NEXT_MOST ? threads : LASTING_NEXT_MOST, memory_order_relaxed);
}

/* The calling thread, which has no CPU's magazines yet, could have a heap; threads have ended before. Where blocks are
 * guarded samples now and then it has one: heaps count when. */
static NOINLINE bool begins_brief(void) {
  bool may = thread_cache.light_work < BRIEF_WORK && !sample_may_be() &&
             registry_thread_count() < light_heaps_at_once() && cpu_join();
  uint32_t lasting = atomic_load_explicit(&lasting_next, memory_order_relaxed);
  if (may && lasting > 0) {
    expect_lasting(lasting - 1);
    return false;
  }
  return may;
}

bool light_work_outgrows(void) {
  if (!thread_cache.is_brief || thread_cache.light_work < BRIEF_WORK) {
    return false;
  }
  thread_cache.is_brief = false;
  expect_lasting(atomic_load_explicit(&lasting_next, memory_order_relaxed) + LASTING_NEXT);
  return true;
}

bool light_work_goes_on(void) {
  if (thread_cache.cpu == NULL) {
    thread_cache.is_brief = registry_has_orphans() && begins_brief();
  }
  if (!thread_cache.is_brief && (registry_may_start(HEAPS_LEAST) || may_start_beside_others())) {
    return false;
  }
  thread_cache.light_work += CALL_WORK;
  return true;
}

bool light_work_is_done(void) { return thread_cache.light_work >= (thread_cache.is_brief ? BRIEF_WORK : LIGHT_WORK); }

void light_work_fit(const struct thread_heap *heap) {
  size_t bytes = heap->share / MAGAZINE_SHARE / SOME_BLOCKS;
  if (bytes != atomic_load_explicit(&fitting_bytes, memory_order_relaxed)) {
    atomic_store_explicit(&fitting_bytes, bytes, memory_order_relaxed);
  }
}

void light_work_popped(size_t size_class) {
  if (thread_cache.is_brief ||
      size_classes[size_class].stride <= atomic_load_explicit(&fitting_bytes, memory_order_relaxed)) {
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

void light_work_refilled(void) { thread_cache.light_work -= CALL_WORK - REFILL_WORK; }
void light_work_posted(unsigned blocks) { thread_cache.light_work += (uint16_t)blocks; }
void light_work_called(void) { thread_cache.light_work += CALL_WORK; }
