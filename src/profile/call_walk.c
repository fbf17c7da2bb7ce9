#include "profile/call_walk.h"

#include "cold/cold.h"
#include "os/os.h"
#include "profile/call_stacks.h"
#include "profile/frame_chain.h"
#include "profile/unwinder.h"

/* What a walk found, and room for the next. */
struct walk_record {
  struct call_stack *stack; /* NULL: nothing that can be found again */
  uintptr_t frame;
  unsigned depth;
  struct call calls[CALL_STACK_FRAMES], chain[CALL_STACK_FRAMES];
  uintptr_t frames[CALL_STACK_FRAMES]; /* not on the stack, which may be small */
};

/* Each record is in one place, or with a thread: there are never more of them than places. */
static _Atomic(struct walk_record *) records[CALL_WALKS];
static _Atomic unsigned made;

static struct walk_record *record_make(void) {
  if (atomic_fetch_add(&made, 1) < CALL_WALKS) {
    struct walk_record *record = meta_alloc(sizeof(struct walk_record), _Alignof(struct walk_record));
    if (record != NULL) {
      return record;
    }
  }
  atomic_fetch_sub(&made, 1);
  return NULL;
}

/* NULL: other threads have them all. */
static struct walk_record *record_take(unsigned place) {
  struct walk_record *record = atomic_exchange(&records[place], NULL);
  if (record == NULL) {
    record = record_make();
  }
  for (unsigned i = 0; record == NULL && i < CALL_WALKS; i++) {
    record = atomic_exchange(&records[i], NULL);
  }
  return record;
}

static void record_give(struct walk_record *record, unsigned place) {
  for (;; place = (place + 1) % CALL_WALKS) {
    struct walk_record *none = NULL;
    if (atomic_compare_exchange_strong(&records[place], &none, record)) {
      return;
    }
  }
}

/* ---- the same as last time ---- */

/* The outermost calls may be without a slot: they are of a chain's start, and follow from those before. */
static bool holds(const struct walk_record *record, uintptr_t frame) {
  if (record->stack == NULL || record->frame != frame) {
    return false;
  }
  for (unsigned i = 0; i < record->depth; i++) {
    uintptr_t returns_to = *(const uintptr_t *)record->calls[i].slot; // NOLINT(performance-no-int-to-ptr)
    if (call_of_return(returns_to) != record->calls[i].address) {
      return false;
    }
  }
  return true;
}

static void remember(struct walk_record *record, uintptr_t frame, struct call_stack *stack, unsigned depth) {
  bool whole = depth > 0;
  for (unsigned i = 0; i < depth; i++) {
    whole = whole && record->calls[i].slot != 0;
  }
  record->frame = frame;
  record->depth = depth;
  record->stack = whole ? stack : NULL;
}

/* ---- anew ---- */

static struct call_stack *intern(struct walk_record *record, unsigned depth) {
  for (unsigned i = 0; i < depth; i++) {
    record->frames[i] = record->calls[i].address;
  }
  return call_stacks_intern(record->frames, depth);
}

/* Without the calls of this library. */
static unsigned walk_chain(struct call *chain, uintptr_t frame) {
  unsigned depth = frame_chain_walk(frame, chain, CALL_STACK_FRAMES);
  unsigned own = 0;
  while (own < depth && unwinder_is_own(chain[own].address)) {
    own++;
  }
  for (unsigned i = own; i < depth; i++) {
    chain[i - own] = chain[i];
  }
  return depth - own;
}

static void use_chain(struct walk_record *record, unsigned depth) {
  for (unsigned i = 0; i < depth; i++) {
    record->calls[i] = record->chain[i];
  }
}

static struct call_stack *walk_anew(struct walk_record *record, uintptr_t frame) {
  unsigned in_chain = walk_chain(record->chain, frame);
  struct call_stack *stack = in_chain == 0 ? NULL : frame_chain_find(record->chain, in_chain);
  unsigned depth = in_chain;
  if (stack != NULL) {
    use_chain(record, depth);
  } else {
    depth = unwinder_walk(record->calls, CALL_STACK_FRAMES);
    if (depth > 0) {
      stack = intern(record, depth);
      frame_chain_learn(record->chain, in_chain, stack);
    } else {
      depth = in_chain;
      use_chain(record, depth);
      stack = intern(record, depth);
    }
  }
  remember(record, frame, stack, depth);
  return stack;
}

struct call_stack *call_walk(uintptr_t frame) {
  const uintptr_t *words = (const uintptr_t *)frame; // NOLINT(performance-no-int-to-ptr)
  uint64_t key = (frame >> 4 ^ words[1]) * UINT64_C(0x9E3779B97F4A7C15);
  unsigned place = (unsigned)(key >> 32) % CALL_WALKS;
  struct walk_record *record = record_take(place);
  if (record == NULL) {
    uintptr_t caller = call_of_return(words[1]);
    return call_stacks_intern(&caller, 1);
  }
  struct call_stack *stack = holds(record, frame) ? record->stack : walk_anew(record, frame);
  record_give(record, place);
  return stack;
}
