/* sample_hooks_profile: what the profile library does at warm/heap_hooks.h. Sampling begins when the process has
 * started: what the dynamic linker allocates before is not sampled. */
#include "config/config.h"
#include "os/os.h"
#include "profile/occasions.h"
#include "profile/sampled_heaps.h"
#include "profile/sampler.h"
#include "profile/unwinder.h"
#include "warm/warm.h"

void hook_collect(void) { sampled_heaps_collect(); }

void hook_loaded(void) {
  if (!unwinder_start()) {
    notice(
        "hakmem: warning: libgcc_s.so.1 is not there: call stacks are complete only where all code has frame pointers");
  }
  occasions_start();
  sampler_start((size_t)options.profile_every);
}
