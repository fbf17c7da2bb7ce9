/* advice: what a test that includes this has the library tell the system of superslabs: to come in huge pages or not. */
#ifndef HAKMEM_TESTS_UNIT_ADVICE_H
#define HAKMEM_TESTS_UNIT_ADVICE_H

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/superslab.h"
#include "os/lock.h"

static size_t told_huge;          /* bytes */
static size_t told_small;         /* superslabs */
static unsigned locks_held;       /* while it was told that one is not dense any more */
static struct superslab *changes; /* meanwhile */

int madvise(void *start, size_t bytes, int advice) {
  told_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  told_small += advice == MADV_NOHUGEPAGE && bytes == SUPERSLAB_BYTES;
  locks_held |= advice == MADV_NOHUGEPAGE && bytes == SUPERSLAB_BYTES ? lock_held_ranks() : 0;
  if (changes != NULL) {
    changes->dense = !changes->dense;
    changes = NULL;
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

#endif
