/* One part, whatever waits for its lock. */
#ifndef HAKMEM_COLD_POOL_PARTS_BOUNDS_H
#define HAKMEM_COLD_POOL_PARTS_BOUNDS_H

enum { PARTS_FIRST = 1, PARTS_MOST = 1 };

#endif
