/* One mapping a superslab. */
#ifndef HAKMEM_COLD_ARENA_SIZE_H
#define HAKMEM_COLD_ARENA_SIZE_H

enum { ARENA_MIN = 2 << 20, ARENA_MAX = 2 << 20 };

#endif
