#include "warm/thread.h"

#include <pthread.h>

#include "events/events.h"
#include "warm/background.h"
#include "warm/census.h"
#include "warm/claim.h"
#include "warm/drain.h"
#include "warm/heap_hooks.h"
#include "warm/light.h"
#include "warm/light_work.h"
#include "warm/process.h"
#include "warm/share.h"
#include "warm/trim.h"

/* POSIX promises four rounds of destructors; in the third no other library is likely to start anew. */
enum { END_PUT_OFF = 2 };

/* A heap that nobody has may be somebody's for a moment, to be collected or for a slab of it. One heap more costs some
 * pages of each class: so a thread that finds none first lets others run so often. */
enum { YIELDS = 32 };

/* The key whose destructor ends threads, and 1; 0: none yet. Nobody waits for who makes it, so that a child of fork()
 * need not either. */
static _Atomic uint64_t end_key_and_one;

/* Changing, and the caller's for as long as the thread lives. */
static struct thread_heap *adopt_or_new(void) {
  struct thread_heap *heap = heap_claim_oldest();
  for (int i = 0; heap == NULL && i < YIELDS && registry_visits() > 0; i++) {
    os_yield();
    heap = heap_claim_oldest();
  }
  if (heap == NULL) {
    return heap_new();
  }
  registry_keep(&heap->link);
  heap_check(heap);
  registry_count_adoption();
  return heap;
}

static void thread_end(void *value);

/* False: the system has no key left. */
static bool end_key_find(pthread_key_t *key) {
  uint64_t known = atomic_load(&end_key_and_one);
  if (known == 0) {
    if (pthread_key_create(key, thread_end) != 0) {
      return false;
    }
    if (atomic_compare_exchange_strong(&end_key_and_one, &known, (uint64_t)*key + 1)) {
      return true;
    }
    pthread_key_delete(*key);
  }
  *key = (pthread_key_t)(known - 1);
  return true;
}

/* The heap has no thread any more: an orphan, with all that the thread had cached back in its slabs. */
static void heap_part(struct thread_heap *heap, enum thread_state state) {
  heap_enter(heap);
  thread_cache.self = UNIT_TAG_NOBODY;
  thread_cache.state = (uint8_t)state;
  thread_drain(heap);
  thread_cache.heap = NULL;
  registry_lock(); /* nobody looks into the cache any more: warm/cached.h */
  heap->cache = NULL;
  registry_unlock();
  trim_after_put(heap);
  heap_check(heap);
  heap_give(heap);
  registry_ended();
  observe_thread_ended();
}

NOINLINE struct thread_heap *thread_start(void) {
  if (thread_cache.state == THREAD_ENDED || !process_start() || light_stays()) {
    return NULL;
  }
  struct thread_heap *heap = adopt_or_new();
  if (heap == NULL) {
    registry_ended();
    return NULL;
  }
  pthread_key_t end_key;
  thread_cache.heap = heap;
  atomic_store_explicit(&heap->link.thread, 0, memory_order_relaxed); /* warm/bind.c asks for it */
  thread_cache.cpu = NULL;
  thread_cache.self = unit_tag_for(heap->link.owner, 0);
  thread_cache.state = THREAD_STARTED;
  share_renew(heap);
  observe_thread_started();
  heap_leave(heap);
  if (end_key_find(&end_key)) {
    /* A child of fork() may look into the cache as long as the end of the thread will be noticed. */
    heap->cache = &thread_cache;
    /* May allocate, which works from here on. Where it fails for want of memory the thread starts another time. */
    if (pthread_setspecific(end_key, heap) != 0) {
      heap_part(heap, THREAD_NEW);
      return NULL;
    }
  }
  return heap;
}

void thread_posts(void) {
  if (thread_cache.state == THREAD_NEW && !light_posts() && thread_start() == NULL && thread_cache.cpu == NULL) {
    cpu_join();
  }
}

static void thread_end(void *value) {
  struct thread_heap *heap = value;
  if (thread_cache.heap != heap) {
    return;
  }
  if (thread_cache.end_rounds < END_PUT_OFF) {
    thread_cache.end_rounds++;
    pthread_key_t end_key;
    if (end_key_find(&end_key) && pthread_setspecific(end_key, heap) == 0) {
      return;
    }
  }
  heap_part(heap, THREAD_ENDED);
  background_thread_ended();
  hook_thread_ended();
}
