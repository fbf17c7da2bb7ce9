#include "warm/home.h"

#include "events/events.h"

void home_stack_push(struct home_stack *stack, void **magazine) {
  void **first = atomic_load_explicit(&stack->first, memory_order_relaxed);
  uint32_t waiting = first == NULL ? 0 : atomic_load_explicit(&stack->waiting, memory_order_relaxed);
  atomic_store_explicit(&stack->waiting, waiting + 1, memory_order_relaxed);
  do {
    magazine[0] = first;
    observe_shared_home();
  } while (!atomic_compare_exchange_weak_explicit(&stack->first, &first, magazine, memory_order_release,
                                                  memory_order_relaxed));
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
