/* sample_hooks: where the profile library takes part in malloc and free; in the others, nothing.
 *
 * Owns:     the declarations. src/profile defines them, for libhakmem-profile.
 * Promises: sample_due is one subtraction and one branch. A sampled block of a class lies in a slab of a heap with a
 *           reserved owner number (cold/registry.h), so that a free finds it by the compare of tags that it makes
 *           anyway; a larger one that is sampled lies in no slab (warm/medium.h), and takes the slow path of free.
 * Callers:  hot/gate.h, warm/free_remote.c. Any thread, started or not.
 */
#ifndef HAKMEM_WARM_SAMPLE_HOOKS_H
#define HAKMEM_WARM_SAMPLE_HOOKS_H

#include "warm/resize.h"
#include "warm/thread_cache.h"

#if HAKMEM_PROFILE

/* Counts the bytes of a request down; whether the next sample falls into them. sample_allocate, sample_allocate_class
 * or sample_big follows then. */
static inline bool sample_due(size_t size) {
#if defined(__x86_64__)
  bool below; /* two instructions, where compilers make four of the other form: 2.5 % of random mixed */
  __asm__("sub %2, %0" : "+m"(thread_cache.until_sample), "=@ccb"(below) : "r"(size));
  return below;
#else
  return __builtin_sub_overflow(thread_cache.until_sample, size, &thread_cache.until_sample);
#endif
}

/* As gate_malloc and gate_malloc_placed, for a request that is due. */
void *sample_allocate(size_t size);
void *sample_allocate_class(size_t size_class, size_t size);

/* A block that no class serves has been given to a request that was due, unless it is NULL. */
void sample_big(void *block, size_t size);

/* As resize_large: what is resized is freed, and allocated anew. */
void *sample_resize_large(void *block, size_t size);

/* Whether a tag is one of units with sampled blocks. */
static inline bool sample_tag(unit_tag tag) { return owner_is_reserved(unit_tag_owner(tag)); }

/* An address that was given to free: no block of this thread's, or none at all. */
void sample_freed(const void *block, unit_tag tag);

#else

static inline bool sample_due(size_t size) {
  (void)size;
  return false;
}

static inline void *sample_allocate(size_t size) {
  (void)size;
  return NULL;
}

static inline void *sample_allocate_class(size_t size_class, size_t size) {
  (void)size_class;
  (void)size;
  return NULL;
}

static inline void sample_big(const void *block, size_t size) {
  (void)block;
  (void)size;
}

static inline void *sample_resize_large(void *block, size_t size) { return resize_large(block, size); }

static inline bool sample_tag(unit_tag tag) {
  (void)tag;
  return false;
}

static inline void sample_freed(const void *block, unit_tag tag) {
  (void)block;
  (void)tag;
}

#endif

#endif
