/* report: the heap's figures in the forms that callers know.
 *
 * Owns:     nothing.
 * Promises: figures come from COLD alone. `slab_bytes` counts whole slabs: what the program holds in them and what is
 *           free in them.
 * Callers:  api/malloc.c and api/hak.c. Any thread.
 */
#ifndef HAKMEM_API_REPORT_H
#define HAKMEM_API_REPORT_H

#include <stddef.h>
#include <stdio.h>

struct report {
  size_t slab_bytes, retained_bytes, huge_blocks, huge_bytes;
};

struct report report_now(void);

/* As malloc_info(0, stream): an XML element. 0, or -1 with errno from the stream. */
int report_xml(FILE *stream);

/* As malloc_stats: a few lines on standard error. */
void report_print(void);

#endif
