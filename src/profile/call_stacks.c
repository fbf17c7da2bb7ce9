#include "profile/call_stacks.h"

#include <string.h>

#include "cold/cold.h"
#include "os/os.h"

enum { BUCKETS = 1 << 14 };

typedef _Atomic(struct call_stack *) bucket;

static _Atomic(bucket *) table;
static struct call_stack rest; /* for what has no place */
static _Atomic uint32_t numbers = 1;
static _Atomic size_t taken_bytes, lost, counted;

size_t call_stacks_most_bytes = CALL_STACKS_BYTES;

uint64_t frames_hash(const uintptr_t *frames, unsigned depth) {
  uint64_t hash = depth;
  for (unsigned i = 0; i < depth; i++) {
    hash = (hash ^ frames[i]) * UINT64_C(0x9FB21C651E98DF25);
    hash ^= hash >> 32;
  }
  return hash;
}

/* Of two threads that map it one is too late, and gives its own back. */
static bucket *buckets(void) {
  bucket *known = atomic_load_explicit(&table, memory_order_acquire);
  if (known == NULL) {
    enum { BYTES = BUCKETS * sizeof(bucket) };
    bucket *mapped = os_map(NULL, BYTES);
    if (mapped != NULL) {
      os_name(mapped, BYTES, "hakmem call stacks");
      if (atomic_compare_exchange_strong(&table, &known, mapped)) {
        return mapped;
      }
      os_unmap(mapped, BYTES);
    }
  }
  return known;
}

static bool is_it(const struct call_stack *stack, uint64_t hash, const uintptr_t *frames, unsigned depth) {
  return stack->hash == hash && stack->depth == depth && memcmp(stack->frame, frames, depth * sizeof *frames) == 0;
}

static struct call_stack *find(struct call_stack *stack, uint64_t hash, const uintptr_t *frames, unsigned depth) {
  while (stack != NULL && !is_it(stack, hash, frames, depth)) {
    stack = stack->next;
  }
  return stack;
}

static struct call_stack *make(uint64_t hash, const uintptr_t *frames, unsigned depth) {
  size_t bytes = sizeof(struct call_stack) + depth * sizeof *frames;
  if (atomic_fetch_add_explicit(&taken_bytes, bytes, memory_order_relaxed) + bytes > call_stacks_most_bytes) {
    atomic_fetch_sub_explicit(&taken_bytes, bytes, memory_order_relaxed);
    return NULL;
  }
  struct call_stack *stack = meta_alloc(bytes, _Alignof(struct call_stack));
  if (stack != NULL) {
    stack->hash = hash;
    stack->depth = depth;
    stack->number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed);
    memcpy(stack->frame, frames, depth * sizeof *frames);
  }
  return stack;
}

/* A thread that has made the same stack meanwhile is looked for again: ours, at most 2 KiB of it, is forgotten. */
static struct call_stack *insert(bucket *place, struct call_stack *first, struct call_stack *stack) {
  do {
    struct call_stack *found = find(first, stack->hash, stack->frame, stack->depth);
    if (found != NULL) {
      return found;
    }
    stack->next = first;
  } while (!atomic_compare_exchange_weak_explicit(place, &first, stack, memory_order_release, memory_order_acquire));
  return stack;
}

struct call_stack *call_stacks_intern(const uintptr_t *frames, unsigned depth) {
  uint64_t hash = frames_hash(frames, depth);
  bucket *all = buckets();
  if (all != NULL && depth > 0) {
    bucket *place = &all[hash % BUCKETS];
    struct call_stack *first = atomic_load_explicit(place, memory_order_acquire);
    struct call_stack *stack = find(first, hash, frames, depth);
    if (stack == NULL) {
      stack = make(hash, frames, depth);
      stack = stack == NULL ? NULL : insert(place, first, stack);
    }
    if (stack != NULL) {
      return stack;
    }
  }
  atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
  return &rest;
}

void call_stack_count(struct call_stack *stack, struct weight weight) {
  atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&stack->samples, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&stack->blocks, weight.blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&stack->bytes, weight.bytes, memory_order_relaxed);
}

bool call_stacks_each(bool (*visit)(const struct call_stack *stack, void *context), void *context) {
  bucket *all = atomic_load_explicit(&table, memory_order_acquire);
  for (unsigned i = 0; all != NULL && i < BUCKETS; i++) {
    for (struct call_stack *stack = atomic_load_explicit(&all[i], memory_order_acquire); stack != NULL;
         stack = stack->next) {
      if (!visit(stack, context)) {
        return false;
      }
    }
  }
  return visit(&rest, context);
}

size_t call_stacks_samples(void) { return atomic_load_explicit(&counted, memory_order_relaxed); }
size_t call_stacks_lost(void) { return atomic_load_explicit(&lost, memory_order_relaxed); }
