/* malloc_info: the heap's figures in the forms of the C library: malloc_info, malloc_stats, mallinfo.
 *
 * Owns:     the C library's names that ask for figures; they are in libraries that define malloc.
 * Promises: mallinfo counts as the C library does: `uordblks` is what the program holds in slabs and large blocks, `hblkhd`
 *           what has a mapping of its own.
 * Callers:  programs. Any thread.
 */
#ifndef HAKMEM_REPORT_MALLOC_INFO_H
#define HAKMEM_REPORT_MALLOC_INFO_H

#include "hakmem.h"

#ifdef __GLIBC__

#include <malloc.h>
#include <stdio.h>

/* As malloc(3)'s pages on them say. malloc_info: 0, or -1 with errno (EINVAL for options other than 0, or the stream's). */
HAK_API struct mallinfo2 mallinfo2(void);
HAK_API struct mallinfo mallinfo(void);
HAK_API int malloc_info(int options, FILE *stream);
HAK_API void malloc_stats(void);

#endif

#endif
