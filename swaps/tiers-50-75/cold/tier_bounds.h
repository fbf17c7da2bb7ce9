/* DRAINING at a half and below; OPEN again at three quarters. */
#ifndef HAKMEM_COLD_TIER_BOUNDS_H
#define HAKMEM_COLD_TIER_BOUNDS_H

enum { TIER_DRAINING_AT = 16, TIER_OPEN_AGAIN_AT = 24 };

#endif
