/* summary: the figures of the whole process, read from the boxes that count them anyway.
 *
 * Owns:     nothing.
 * Promises: no figure here costs anything on the path of a malloc or free. Live bytes are counted when they are asked
 *           for, by walking over the slabs.
 * Callers:  report/. Any thread; figures of threads that are busy are of some moment during the call.
 */
#ifndef HAKMEM_REPORT_SUMMARY_H
#define HAKMEM_REPORT_SUMMARY_H

#include "hakmem.h"

/* Fills every field but struct_size. */
void summary_fill(hak_heap_summary *summary);

/* Bytes of slabs and large blocks, and those of them that the program holds: blocks at their class's size. What the
 * calling thread has cached does not count; what other threads have cached does. Blocks with a mapping of their own,
 * and guarded samples, are huge. */
struct memory_in_use {
  size_t slab_bytes, live_bytes, huge_blocks, huge_bytes, retained_bytes;
};

struct memory_in_use memory_in_use(void);

#endif
