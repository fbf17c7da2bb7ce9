#include "warm/thread_cache.h"

_Thread_local struct thread_cache thread_cache = {
    .self = UNIT_TAG_NOBODY,
    .state = THREAD_NEW,
#if HAKMEM_CPU_CACHES
    .cpu = &cpu_none,
#endif
    .top = {[0 ... SIZE_CLASS_COUNT - 1] = (void **)&no_magazine[MAGAZINE_SLOTS - 1]},
};
