/* One part, whatever waits for its lock. */
#ifndef HAKMEM_COLD_POOL_PARTS_BOUNDS_H
#define HAKMEM_COLD_POOL_PARTS_BOUNDS_H

enum { PARTS_FIRST = 1, PROCESSORS_EACH = 1 << 16 };

#endif
