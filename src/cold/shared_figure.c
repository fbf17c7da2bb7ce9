#include "cold/shared_figure.h"

size_t figure_take(_Atomic size_t *figure, size_t wanted) {
  size_t there = figure_get(figure);
  size_t taken;
  do {
    taken = smaller(wanted, there);
    observe_shared_figure();
  } while (!atomic_compare_exchange_weak_explicit(figure, &there, there - taken, memory_order_relaxed,
                                                  memory_order_relaxed));
  return taken;
}

void figure_change(_Atomic size_t *figure, size_t before, size_t now) {
  if (now > before) {
    figure_add(figure, now - before);
  } else {
    figure_subtract(figure, before - now);
  }
}
