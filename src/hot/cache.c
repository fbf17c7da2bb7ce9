#include "hot/cache.h"

_Alignas(MAGAZINE_BYTES) void *const no_magazine[MAGAZINE_SLOTS];

_Thread_local struct thread_cache thread_cache = {
    .self = PAGE_TAG_NOBODY,
    .state = THREAD_NEW,
    .top = {[0 ... SIZE_CLASS_COUNT - 1] = (void **)&no_magazine[MAGAZINE_SLOTS - 1]},
};

struct page_map page_map;
