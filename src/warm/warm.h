/* warm: the floor of what each thread has: its heap, refilled and emptied in batches; below HOT, above what is
 * shared. */
#ifndef HAKMEM_WARM_WARM_H
#define HAKMEM_WARM_WARM_H

#include "warm/background.h"
#include "warm/bounds.h"
#include "warm/cached.h"
#include "warm/census.h"
#include "warm/claim.h"
#include "warm/cpu_cache.h"
#include "warm/free_remote.h"
#include "warm/heap.h"
#include "warm/heap_hooks.h"
#include "warm/misuse.h"
#include "warm/post.h"
#include "warm/process.h"
#include "warm/put.h"
#include "warm/refill.h"
#include "warm/release.h"
#include "warm/relief.h"
#include "warm/resize.h"
#include "warm/route.h"
#include "warm/sample.h"
#include "warm/sample_hooks.h"
#include "warm/slab.h"
#include "warm/spill.h"
#include "warm/thread_cache.h"
#include "warm/tidy.h"
#include "warm/trim.h"
#include "warm/visit.h"

#endif
