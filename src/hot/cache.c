#include "hot/cache.h"

_Alignas(MAGAZINE_BYTES) void *const no_magazine[MAGAZINE_SLOTS];

_Thread_local struct thread_cache thread_cache = {
    .self = PAGE_TAG_NOBODY,
    .state = THREAD_NEW,
    .top = {[0 ... SIZE_CLASS_COUNT + BAND_CLASSES - 1] = (void **)&no_magazine[MAGAZINE_SLOTS - 1]},
};

uintptr_t page_map_base;
size_t page_map_units;
_Atomic page_tag *page_map_tags;
_Atomic(struct superslab *) *page_map_superslab;
