#include "secure/check.h"

#include "secure/big.h"
#include "secure/damage.h"
#include "secure/state.h"

/* What a look at slabs has come to. */
struct look {
  size_t blocks;
  const char *damaged; /* NULL: none so far */
  size_t size_class;
};

/* Blocks in fresh memory were never handed out, and are not looked at: that would make them resident. */
static void look_at_slab(struct look *look, const struct slab *slab, size_t size_class) {
  const char *block = slab_start(slab);
  size_t stride = size_classes[size_class].stride;
  unsigned carved = *(const volatile uint16_t *)&slab->carved; /* the owner may carve on meanwhile */
  unsigned capacity = size_classes[size_class].capacity;
  carved = carved < capacity ? carved : capacity;
  for (unsigned i = 0; i < carved; i++, block += stride) {
    if (unlikely(damage_is_there(block, size_class)) && damage_stays(block, size_class)) {
      look->damaged = block;
      look->size_class = size_class;
      return;
    }
  }
  look->blocks += carved;
}

/* Its addresses cannot be given back meanwhile. */
static void look_at_superslab(struct look *look, const struct superslab *superslab) {
  pool_lock_of(superslab);
  for (size_t unit = 0; !superslab->unmapped && unit < SUPERSLAB_UNITS; unit++) {
    unit_tag tag = unit_tag_at(window_unit(superslab->start) + unit);
    if (look->damaged == NULL && unit_tag_owner(tag) != 0) {
      look_at_slab(look, &superslab->slab[unit], unit_tag_class(tag));
    }
  }
  pool_unlock_of(superslab);
}

size_t check_all(void) {
  struct look look = {0, NULL, 0};
  const struct superslab *superslab = NULL;
  while (look.damaged == NULL && (superslab = superslab_next(superslab)) != NULL) {
    look_at_superslab(&look, superslab);
  }
  if (unlikely(look.damaged != NULL)) {
    damage_stop(look.damaged, look.size_class);
  }
  return look.blocks + big_check_all();
}

void check_free(const void *block, size_t size_class) {
  if (unlikely(damage_is_there(block, size_class))) {
    damage_stop(block, size_class);
  }
}

void check_ended(const struct slab *slab) {
  const char *block = slab_start(slab);
  for (unsigned i = 0; i < slab->carved; i++, block += size_classes[slab->size_class].stride) {
    check_free(block, slab->size_class);
  }
}
