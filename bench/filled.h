// Blocks that are written whole and know their size: what changes one byte of theirs is noticed when they are freed.
//
// Promises  a block that anyone else wrote to ends the program with one sentence.
// Threads   any.
#ifndef BENCH_FILLED_H
#define BENCH_FILLED_H

#include <stddef.h>

enum { BENCH_FILLED_SMALLEST = 8 };

// malloc of BENCH_FILLED_SMALLEST to 2^32 - 1 bytes, and every byte written.
void *bench_filled_allocate(size_t size);

// Looks at every byte, then frees the block. bench_free of such a block looks at the first one only.
void bench_filled_free(void *block);

size_t bench_filled_size(const void *block);

#endif
