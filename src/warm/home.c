#include "warm/home.h"

#include "events/events.h"

/* How many of the last magazines that have come a thief looks at. */
enum { STEAL_AMONG = 64 };

/* A chain of magazines, before `first`, which the stack is believed to begin with. */
static inline void put_before(struct home_stack *stack, void **first, void **chain, void **last) {
  do {
    last[0] = first;
    observe_shared_home();
  } while (
      !atomic_compare_exchange_weak_explicit(&stack->first, &first, chain, memory_order_release, memory_order_relaxed));
}

void home_stack_push(struct home_stack *stack, void **magazine) {
  void **first = atomic_load_explicit(&stack->first, memory_order_relaxed);
  uint32_t waiting = first == NULL ? 0 : atomic_load_explicit(&stack->waiting, memory_order_relaxed);
  atomic_store_explicit(&stack->waiting, waiting + 1, memory_order_relaxed);
  put_before(stack, first, magazine, magazine);
}

bool home_stack_is_full(struct home_stack *stack) {
  return !home_stack_is_empty(stack) &&
         atomic_load_explicit(&stack->waiting, memory_order_relaxed) >= HOME_WAITING_MOST;
}

void **home_stack_take(struct home_stack *stack) {
  if (home_stack_is_empty(stack)) {
    return NULL;
  }
  observe_shared_home();
  return atomic_exchange_explicit(&stack->first, NULL, memory_order_acquire);
}

/* ---- stealing ---- */

static bool is_of_class(void **magazine, size_t size_class) {
  return unit_tag_class(unit_tag_of(*magazine_full_top(magazine))) == size_class;
}

/* Takes one of this class out of a chain; NULL: none of the first is. */
static void **unlink_one(void ***chain, size_t size_class) {
  void **before = NULL;
  void **magazine = *chain;
  for (int i = 0; magazine != NULL && i < STEAL_AMONG; i++, before = magazine, magazine = magazine[0]) {
    if (is_of_class(magazine, size_class)) {
      if (before == NULL) {
        *chain = magazine[0];
      } else {
        before[0] = magazine[0];
      }
      return magazine;
    }
  }
  return NULL;
}

/* Others may have come meanwhile. */
static void give_back(struct home_stack *stack, void **chain) {
  void **first = NULL;
  observe_shared_home();
  if (!atomic_compare_exchange_strong_explicit(&stack->first, &first, chain, memory_order_release,
                                               memory_order_relaxed)) {
    void **last = chain;
    while (last[0] != NULL) {
      last = last[0];
    }
    put_before(stack, first, chain, last);
  }
}

/* What is held has left the stack, and is on it again only when it is held no more: a child of fork() finds it once. */
static void **steal_one(struct home_stack *stack, size_t size_class) {
  uint32_t waiting = atomic_load_explicit(&stack->waiting, memory_order_relaxed);
  void **chain = home_stack_take(stack);
  atomic_store_explicit(&stack->held, chain, memory_order_relaxed);
  void **stolen = unlink_one(&chain, size_class);
  atomic_store_explicit(&stack->held, NULL, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  if (chain != NULL) {
    give_back(stack, chain);
    atomic_store_explicit(&stack->waiting, waiting - (stolen != NULL && waiting > 0), memory_order_relaxed);
  }
  return stolen;
}

void **home_stack_steal(struct home_stack *stack, size_t size_class) {
  uint32_t steals = atomic_load_explicit(&stack->steals, memory_order_relaxed);
  if (home_stack_is_empty(stack) || steals % 2 != 0 ||
      !atomic_compare_exchange_strong_explicit(&stack->steals, &steals, steals + 1, memory_order_acquire,
                                               memory_order_relaxed)) {
    return NULL;
  }
  void **stolen = steal_one(stack, size_class);
  atomic_store_explicit(&stack->steals, steals + 2, memory_order_release);
  if (stolen != NULL) {
    stolen[0] = NULL;
  }
  return stolen;
}

void home_stack_mend(struct home_stack *stack) {
  uint32_t steals = atomic_load_explicit(&stack->steals, memory_order_relaxed);
  if (steals % 2 != 0) {
    void **chain = atomic_load_explicit(&stack->held, memory_order_relaxed);
    atomic_store_explicit(&stack->held, NULL, memory_order_relaxed);
    if (chain != NULL) {
      give_back(stack, chain);
    }
    atomic_store_explicit(&stack->steals, steals + 1, memory_order_relaxed);
  }
}
