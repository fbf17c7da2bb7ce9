/* cold: the floor of what is shared and locked: memory from the operating system, cut into superslabs and huge
 * blocks. */
#ifndef HAKMEM_COLD_COLD_H
#define HAKMEM_COLD_COLD_H

#include "cold/arena.h"
#include "cold/empty.h"
#include "cold/guarded.h"
#include "cold/huge.h"
#include "cold/huge_in_place.h"
#include "cold/huge_kept.h"
#include "cold/huge_note.h"
#include "cold/huge_ranges.h"
#include "cold/huge_resize.h"
#include "cold/huge_table.h"
#include "cold/large.h"
#include "cold/limit.h"
#include "cold/meta.h"
#include "cold/pool_purge.h"
#include "cold/probed.h"
#include "cold/reclaim.h"
#include "cold/registry.h"
#include "cold/residency.h"
#include "cold/residency_figures.h"
#include "cold/roots.h"
#include "cold/shared_pool.h"
#include "cold/slab_hooks.h"
#include "cold/superslab.h"
#include "cold/superslab_table.h"
#include "cold/window.h"
#include "cold/window_table.h"
#include "cold/words.h"

#endif
