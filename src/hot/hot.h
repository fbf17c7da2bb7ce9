/* hot: the floor of what every malloc and every free runs. The secure library has a gate of its own. */
#ifndef HAKMEM_HOT_HOT_H
#define HAKMEM_HOT_HOT_H

#include "hot/cache.h"
#if !HAKMEM_SECURE
#include "hot/gate.h"
#endif

#endif
