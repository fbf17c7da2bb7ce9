#include "profile/frame_chain.h"

#include <stdatomic.h>

#include "os/os.h"
#include "profile/os_profile.h"

enum { FRAME_GRAIN = 16, FRAME_MOST = 1 << 20 }; /* bytes of one frame */

static _Atomic(struct call_stack *) known[CHAINS];

/* Whether the two words at an address can be read. *page is the last one that was looked at. */
static bool can_read(uintptr_t frame, uintptr_t *page) {
  uintptr_t first = frame / os_page_size();
  uintptr_t last = (frame + sizeof(uintptr_t)) / os_page_size();
  for (uintptr_t one = first; one <= last; one++) {
    if (one != *page && !os_page_is_there(one * os_page_size())) {
      return false;
    }
    *page = one;
  }
  return true;
}

static bool follows(uintptr_t frame, uintptr_t next) {
  return next > frame && next - frame < FRAME_MOST && next % FRAME_GRAIN == 0;
}

unsigned frame_chain_walk(uintptr_t frame, struct call *calls, unsigned most) {
  uintptr_t page = frame / os_page_size(); /* our own frame: it is there */
  unsigned depth = 0;
  while (depth < most && can_read(frame, &page)) {
    const uintptr_t *words = (const uintptr_t *)frame; // NOLINT(performance-no-int-to-ptr)
    if (words[1] < UINT16_MAX) {
      break;
    }
    calls[depth++] = (struct call){call_of_return(words[1]), (uintptr_t)&words[1]};
    if (!follows(frame, words[0])) {
      break;
    }
    frame = words[0];
  }
  return depth;
}

static bool begins_with(const struct call_stack *stack, const struct call *calls, unsigned depth) {
  for (unsigned i = 0; i < depth; i++) {
    if (stack->frame[i] != calls[i].address) {
      return false;
    }
  }
  return true;
}

static _Atomic(struct call_stack *) *place_of_chain(const struct call *calls, unsigned depth) {
  uint64_t hash = depth;
  for (unsigned i = 0; i < depth; i++) {
    hash = (hash ^ calls[i].address) * UINT64_C(0x9FB21C651E98DF25);
    hash ^= hash >> 32;
  }
  return &known[hash % CHAINS];
}

struct call_stack *frame_chain_find(const struct call *calls, unsigned depth) {
  struct call_stack *stack = atomic_load_explicit(place_of_chain(calls, depth), memory_order_acquire);
  return stack != NULL && stack->chain == depth && begins_with(stack, calls, depth) ? stack : NULL;
}

void frame_chain_learn(const struct call *calls, unsigned depth, struct call_stack *stack) {
  if (depth > 0 && depth <= stack->depth && stack->depth - depth <= CHAIN_START && begins_with(stack, calls, depth)) {
    stack->chain = depth; /* the same number, whoever writes it: the calls of a stack decide it */
    atomic_store_explicit(place_of_chain(calls, depth), stack, memory_order_release);
  }
}
