#include "warm/thread_cache.h"

_Thread_local struct thread_cache thread_cache = {
    .self = UNIT_TAG_NOBODY,
    .state = THREAD_NEW,
    .top = {[0 ... SIZE_CLASS_EMPTY] = (void **)&no_magazine[MAGAZINE_SLOTS - 1]},
};
