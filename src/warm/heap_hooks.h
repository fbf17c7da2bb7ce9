/* heap_hooks: what a variant of the library does when a heap is made, refilled or drained; in release, nothing.
 *
 * Owns:     the declarations. The secure library defines them in secure/heap_hooks_secure.c, the profile library
 *           hook_collect and hook_loaded in profile/sample_hooks_profile.c.
 * Promises: as said beside each.
 * Callers:  WARM, on the thread that has the heap; hook_check, hook_loaded, hook_thread_ended, hook_each_quarantined,
 *           hook_post_shared and hook_each_shared: any thread.
 */
#ifndef HAKMEM_WARM_HEAP_HOOKS_H
#define HAKMEM_WARM_HEAP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

struct thread_heap;

#if HAKMEM_SECURE

/* Whether blocks may be guarded samples (warm/sample.h): here all blocks are checked. */
enum { HOOK_HAS_SAMPLES = false };

/* Whether adjacent blocks may serve a larger class (warm/coalesce.h): here each block has a record of its own. */
enum { HOOK_COALESCES = false };

/* Before the first block, when the options have been read. */
void hook_process(void);

/* Bytes of memory of its own behind each heap; a new heap. */
size_t hook_heap_bytes(void);
void hook_heap(struct thread_heap *heap);

/* Blocks that a magazine has just been filled with. */
void hook_refilled(struct thread_heap *heap, void **blocks, unsigned count);

/* The heap gives back what it holds. */
void hook_drain(struct thread_heap *heap);

/* What the CPUs have goes back to its slabs: so does what threads without a heap have freed and waits to be used again.
 * `top` is that of a magazine. In a critical section. */
void hook_post_shared(void (*visit)(size_t size_class, void *const *top));

/* Calls `visit` for each block of these. */
void hook_each_shared(void (*visit)(void *block, void *context), void *context);

/* All free memory is to go back. */
void hook_collect(void);

/* Checks all blocks of the process; how many there were. With no lock held, outside critical sections. */
size_t hook_check(void);

/* The process has started; and a thread that had a heap has ended. */
void hook_loaded(void);
void hook_thread_ended(void);

/* Calls `visit` for each block of the heap that was freed and waits to be used again. */
void hook_each_quarantined(struct thread_heap *heap, void (*visit)(void *block, void *context), void *context);

#else

enum { HOOK_HAS_SAMPLES = true, HOOK_COALESCES = true };

static inline void hook_process(void) {}
static inline size_t hook_heap_bytes(void) { return 0; }
static inline void hook_heap(struct thread_heap *heap) { (void)heap; }
static inline void hook_refilled(struct thread_heap *heap, void **blocks, unsigned count) {
  (void)heap;
  (void)blocks;
  (void)count;
}
static inline void hook_drain(struct thread_heap *heap) { (void)heap; }
static inline void hook_post_shared(void (*visit)(size_t size_class, void *const *top)) { (void)visit; }
static inline void hook_each_shared(void (*visit)(void *block, void *context), void *context) {
  (void)visit;
  (void)context;
}
static inline size_t hook_check(void) { return 0; }
#if HAKMEM_PROFILE
void hook_collect(void);
void hook_loaded(void);
#else
static inline void hook_collect(void) {}
static inline void hook_loaded(void) {}
#endif
static inline void hook_thread_ended(void) {}
static inline void hook_each_quarantined(struct thread_heap *heap, void (*visit)(void *block, void *context),
                                         void *context) {
  (void)heap;
  (void)visit;
  (void)context;
}

#endif

#endif
