#include "cold/probed.h"

struct slab *probed_take(struct density *density, unsigned units, units_source *source) {
  static const enum use uses[] = {[DENSITY_SMALL] = USE_PARTS, [DENSITY_HUGE] = USE_WHOLE, [DENSITY_PROBE] = USE_SMALL};
  enum density_answer answer = density_ask(density, units, true);
  struct slab *slab = source(units, uses[answer]);
  if (slab != NULL && answer == DENSITY_PROBE && !superslab_is_dense(superslab_of_slab(slab))) {
    density_probe(density, slab_start(slab), 0, (size_t)units << UNIT_SHIFT);
  }
  return slab;
}
