#include "warm/thread.h"

#include <pthread.h>

#include "observe/events.h"
#include "os/fatal.h"
#include "warm/process.h"

/* POSIX promises four rounds of destructors; in the third no other library is likely to start anew. */
enum { END_PUT_OFF = 2 };

static pthread_key_t end_key;
static bool end_key_made;

static struct thread_heap *orphan_or_new(void) {
  struct heap_link *link = registry_adopt();
  if (link == NULL) {
    return heap_new();
  }
  struct thread_heap *heap = heap_take_over(link);
  heap_check(heap);
  heap_leave(heap);
  registry_count_adoption();
  return heap;
}

NOINLINE struct thread_heap *thread_start(void) {
  if (thread_cache.state == THREAD_ENDED || !process_start()) {
    return NULL;
  }
  struct thread_heap *heap = orphan_or_new();
  if (heap == NULL) {
    return NULL;
  }
  heap->cache = &thread_cache;
  thread_cache.heap = heap;
  thread_cache.self = heap->link.owner << PAGE_TAG_CLASS_BITS;
  thread_cache.state = THREAD_STARTED;
  observe_thread_started();
  if (end_key_made) {
    /* May allocate, which works from here on. */
    pthread_setspecific(end_key, heap);
  }
  return heap;
}

struct thread_heap *thread_borrow(void) {
  if (thread_cache.state != THREAD_ENDED) {
    return NULL;
  }
  struct thread_heap *heap = orphan_or_new();
  if (heap != NULL) {
    heap_enter(heap);
  }
  return heap;
}

void thread_drain(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = thread_cache.top[size_class];
    if (magazine_of(top) != (void **)no_magazine) {
      thread_cache.top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];
      heap_put_magazine(heap, size_class, top);
    }
  }
  heap_drain(heap);
}

static void thread_end(void *value) {
  struct thread_heap *heap = value;
  if (thread_cache.heap != heap) {
    return;
  }
  if (thread_cache.end_rounds < END_PUT_OFF) {
    thread_cache.end_rounds++;
    if (pthread_setspecific(end_key, heap) == 0) {
      return;
    }
  }
  heap_enter(heap);
  thread_cache.self = PAGE_TAG_NOBODY;
  thread_cache.state = THREAD_ENDED;
  thread_drain(heap);
  thread_cache.heap = NULL;
  heap->cache = NULL;
  heap_check(heap);
  heap_hand_back(heap);
  observe_thread_ended();
}

bool thread_key_create(void) {
  end_key_made = pthread_key_create(&end_key, thread_end) == 0;
  return end_key_made;
}

void thread_fork_child(void) {
  observe_forked();
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    bool changing = atomic_load(&heap->busy) != 0;
    if (heap == thread_cache.heap || atomic_load(&link->orphan) || changing) {
      continue;
    }
    if (heap->cache != NULL) {
      /* The memory of the dead thread's TLS may be reused by the next thread: only the magazines' addresses are
       * kept. */
      for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
        heap->parked_top[size_class] = heap->cache->top[size_class];
      }
      heap->parked = true;
      heap->cache = NULL;
    }
    registry_orphan(link);
  }
}
