#include "secure/harden.h"

#include "secure/heap_part.h"

void harden_heap(struct thread_heap *heap) { quarantine_start(quarantine_of(heap)); }
