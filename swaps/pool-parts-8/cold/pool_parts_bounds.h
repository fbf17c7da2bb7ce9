/* All parts from the start on. */
#ifndef HAKMEM_COLD_POOL_PARTS_BOUNDS_H
#define HAKMEM_COLD_POOL_PARTS_BOUNDS_H

enum { PARTS_FIRST = 8, PROCESSORS_EACH = 2 };

#endif
