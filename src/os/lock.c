#include "os/lock.h"

_Thread_local uint8_t lock_fork_depth;

#if HAKMEM_VALIDATE

#include "os/fatal.h"

static _Thread_local unsigned held_ranks;

void lock_check_take(enum lock_rank rank) {
  if (held_ranks >> rank != 0) {
    fatal("lock order broken: rank %u asked for while ranks %x are held", (unsigned)rank, held_ranks);
  }
  held_ranks |= 1U << rank;
}

void lock_check_drop(enum lock_rank rank) { held_ranks &= ~(1U << rank); }

unsigned lock_held_ranks(void) { return held_ranks; }

#endif
