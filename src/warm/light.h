/* light: blocks for a thread that has no heap: one of very many, which has done little yet.
 *
 * It takes and frees blocks by way of its CPU's magazines (warm/cpu_cache.h), which it shares with others like it. An empty one is
 * refilled from an orphan, so that they share slabs; of a full one half is posted to the blocks' owners.
 *
 * Owns:     nothing.
 * Promises: where there are no such magazines every function says so by NULL or false.
 * Callers:  WARM, on the thread itself.
 */
#ifndef HAKMEM_WARM_LIGHT_H
#define HAKMEM_WARM_LIGHT_H

#include "warm/cpu_cache.h"
#include "warm/slab.h"

/* Once in so many blocks the thread asks for a heap of its own. */
enum { LIGHT_POPS = 1024 };

struct thread_heap;

#if HAKMEM_CPU_CACHES

/* A block that the thread's CPU has, if the thread has joined; NULL: it has none. */
static inline void *light_pop(size_t size_class) {
  bool asks = thread_cache.cpu != NULL && ++thread_cache.light_pops % LIGHT_POPS != 0;
  return asks ? cpu_pop(size_class) : NULL;
}

/* The thread joins, if it has not; a block when the CPU has none. NULL: there are no such magazines, or no memory. */
void *light_refill(size_t size_class);

/* Frees a block of a slab. False: the thread has not joined, or the CPU has no magazine of the class. */
bool light_free(size_t size_class, void *block);

/* What the rows hold goes back, by way of a heap that the caller has and is changing. */
void light_put(struct thread_heap *heap);

#else

static inline void *light_pop(size_t size_class) {
  (void)size_class;
  return NULL;
}
static inline void *light_refill(size_t size_class) {
  (void)size_class;
  return NULL;
}
static inline bool light_free(size_t size_class, void *block) {
  (void)size_class;
  (void)block;
  return false;
}
static inline void light_put(struct thread_heap *heap) { (void)heap; }

#endif

#endif
