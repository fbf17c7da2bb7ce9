#include "secure/families.h"

#include "config/config.h"
#include "secure/big.h"
#include "secure/mark.h"
#include "warm/warm.h"

bool families_differ;

void families_start(void) { families_differ = options.secure_types != 0; }

void families_set(void *block, enum family family) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) == ROUTE_SLAB) {
    size_t size_class = unit_tag_class(tag);
    mark_anew(block, size_class, state_size(state_of(block, size_class)), family);
  } else if (empty_holds(block)) {
    empty_set_mark(block, family);
  } else {
    big_set_family(block, family);
  }
}

/* What is no live block is found by the free that follows. */
static bool find_family(const void *block, enum family *family) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) != ROUTE_SLAB) {
    unsigned found = empty_holds(block) ? empty_mark(block) : big_family(block);
    *family = (enum family)found;
    return true;
  }
  size_t size_class = unit_tag_class(tag);
  return place_of(block, size_class).index != PLACE_NONE && state_is_live(state_of(block, size_class)) &&
         mark_family(block, size_class, family);
}

void families_stop(const void *block, enum family given, enum family taken) {
  fatal("%s of a block of %s: pointer %p, thread %ld", family_giver(given), family_taker(taken), block, os_thread_id());
}

enum family families_of(const void *block) {
  enum family family;
  return find_family(block, &family) ? family : FAMILY_MALLOC;
}

void families_check(void *block, enum family family) {
  enum family found;
  if (!find_family(block, &found)) {
    return;
  }
  if (found != family) {
    families_stop(block, family, found);
  }
  if (found != FAMILY_MALLOC) {
    families_set(block, FAMILY_MALLOC);
  }
}
