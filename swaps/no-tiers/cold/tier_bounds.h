/* A superslab of which anything is used is OPEN. */
#ifndef HAKMEM_COLD_TIER_BOUNDS_H
#define HAKMEM_COLD_TIER_BOUNDS_H

enum { TIER_DRAINING_AT = 0, TIER_OPEN_AGAIN_AT = 0 };

#endif
