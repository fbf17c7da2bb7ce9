/* registry: every thread heap of the process, who has it, and those that nobody has.
 *
 * A heap is in one of five states, and changes it in these ways only; debug builds check each change.
 *
 *   OWNED     a thread has it; the helper may change it for a moment (warm/lend.h)
 *                                      -> CHANGING  the thread begins to change it (heap_enter)
 *                                      -> LOST      in the child of fork(): its thread is not there
 *   CHANGING  who has it changes it    -> OWNED     it is consistent again (heap_leave)
 *                                      -> ORPHAN    who has it gives it away (registry_give)
 *                                      -> TORN      in the child of fork(): its thread is not there
 *   ORPHAN    nobody has it            -> CHANGING  somebody takes it (registry_take, registry_take_this)
 *   LOST      the same, and what a lost thread had cached is not back in its slabs    -> CHANGING
 *   TORN      the same, and it was half changed                                       -> CHANGING
 *
 * Owns:     owner numbers, the states, the list of all heaps, the list of those that nobody has. A heap with a reserved
 *           number is on the first list only: registry_take_this alone finds it.
 * Promises: who takes a heap is the only one who may touch it until it gives it away. Heaps are never unmapped, so a
 *           stale pointer to one is always safe to follow.
 * Callers:  WARM, with the link embedded in its heaps. Any thread; one lock inside (LOCK_ORPHANS).
 */
#ifndef HAKMEM_COLD_REGISTRY_H
#define HAKMEM_COLD_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cold/window.h"

enum heap_state { HEAP_OWNED = 0, HEAP_CHANGING, HEAP_ORPHAN, HEAP_LOST, HEAP_TORN, HEAP_STATES };

struct heap_link {
  uint32_t owner;                              /* 1 to OWNER_MAX; fixed */
  _Atomic uint8_t state;                       /* enum heap_state; others than who has it read it as a hint */
  bool visited;                                /* somebody's for a moment: to be given back soon */
  _Atomic uint32_t thread;                     /* that has the heap, or had it last; 0: not known; for messages */
  uint64_t ended_at;                           /* milliseconds: its last thread's end; 0: none is known */
  struct heap_link *next_heap;                 /* fixed once enrolled */
  struct heap_link *next_free, *previous_free; /* on the list of those that nobody has */
};

/* Owner numbers from this one on are reserved, in the profile library: tags of units that hold no thread's blocks. */
#if HAKMEM_PROFILE
enum { OWNERS_RESERVED = 64 };
#else
enum { OWNERS_RESERVED = 0 };
#endif
enum { OWNER_RESERVED_FIRST = OWNER_MAX - OWNERS_RESERVED + 1 };

static inline bool owner_is_reserved(uint32_t owner) { return OWNERS_RESERVED > 0 && owner >= OWNER_RESERVED_FIRST; }

static inline enum heap_state heap_state_of(const struct heap_link *heap) {
  return (enum heap_state)atomic_load_explicit(&heap->state, memory_order_acquire);
}

static inline bool heap_has_nobody(const struct heap_link *heap) { return heap_state_of(heap) >= HEAP_ORPHAN; }

#if HAKMEM_VALIDATE
void heap_state_check(const struct heap_link *heap, enum heap_state next);
#else
static inline void heap_state_check(const struct heap_link *heap, enum heap_state next) {
  (void)heap;
  (void)next;
}
#endif

/* By who has the heap, or who is taking it. Who finds the state also finds what was changed before it was set. */
static inline void heap_state_set(struct heap_link *heap, enum heap_state state) {
  heap_state_check(heap, state);
  atomic_store_explicit(&heap->state, (uint8_t)state, memory_order_release);
}

/* While the caller holds it, no thread that ends takes its cache away, and nobody takes a heap that nobody has. */
void registry_lock(void);
void registry_unlock(void);

/* Gives a new heap its owner number; it is the caller's, and CHANGING. False when the numbers are used up. */
bool registry_enroll(struct heap_link *heap);

/* The same with a reserved number. */
bool registry_enroll_reserved(struct heap_link *heap);

/* Of the heaps that nobody has, the one that has had nobody for the longest or for the shortest time; or the oldest,
 * but not the only one within 20 ms of its thread's end: the next thread to start will want it. */
enum registry_choice { REGISTRY_OLDEST, REGISTRY_NEWEST, REGISTRY_SPARE };

/* That heap, now the caller's and CHANGING; NULL when there is none. *was: its state until then. */
struct heap_link *registry_take(enum registry_choice choice, enum heap_state *was);

/* There is one. A hint, without the lock. */
bool registry_has_orphans(void);

/* This very heap, if nobody has it. */
bool registry_take_this(struct heap_link *heap, enum heap_state *was);

/* The caller has taken the heap, and has it from now on as its thread's. */
void registry_keep(struct heap_link *heap);

/* The caller is about to make a heap for a moment, and has made it, or NULL: none. In a critical section. The count of
 * registry_visits with it. */
size_t registry_make(void);
void registry_made(struct heap_link *heap);

/* How many heaps somebody has for a moment, and will give back or keep. A figure, without the lock. */
size_t registry_visits(void);

/* The caller's heap becomes an ORPHAN, the last of the list. */
void registry_give(struct heap_link *heap);

/* A thread is about to take a heap as its own: where fewer than `most` have one or are about to. It counts from here
 * on, until registry_ended: it has given the heap back, or there was no memory for one. */
bool registry_may_start(size_t most);
void registry_ended(void);
size_t registry_thread_count(void);

/* In the child of fork(), outside critical sections: of the threads that have a heap the caller is left, if it has one,
 * and nobody has a heap for a moment. */
void registry_forked(bool has_heap);

/* The first of all heaps, linked by next_heap. */
struct heap_link *registry_heaps(void);

/* In the child of fork(): this heap's thread is not there. */
void registry_lose(struct heap_link *heap);

/* Counts an adoption, whole or of one slab; the number of them so far. */
void registry_count_adoption(void);
size_t registry_adoptions(void);

#endif
