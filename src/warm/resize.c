#include "warm/resize.h"

#include <string.h>

#include "warm/growth.h"
#include "warm/route.h"

static void *move_to_room(void *block, size_t had, size_t size) {
  void *moved = huge_allocate_roomy(had, size);
  if (moved != NULL) {
    memcpy(moved, block, had);
    if (unlikely(!huge_free(block))) {
      fatal_foreign(block, "realloc");
    }
  }
  return moved;
}

static NOINLINE void *resize_huge(void *block, size_t size) {
  size_t had = huge_resize_in_place(block, size);
  if (had >= size) {
    return block;
  }
  void *moved = move_to_room(block, had, size);
  if (moved != NULL) {
    return moved;
  }
  if (size <= LARGE_FRESH_MAX) {
    return NULL;
  }
  growth_by_huge(had, size);
  moved = huge_resize(block, size);
  return moved == NULL && make_way_for(size) ? huge_resize(block, size) : moved;
}

void *resize_large(void *block, size_t size) {
  enum route route = route_of(unit_tag_of(block));
  if (route == ROUTE_LARGE) {
    return size > SIZE_CLASS_MAX && size <= LARGE_MAX && large_resize(block, size) ? block : NULL;
  }
  bool moves = route == ROUTE_SLAB || size <= SIZE_CLASS_MAX || size >= OS_ADDRESSABLE || guarded_holds(block);
  return moves ? NULL : resize_huge(block, size);
}
