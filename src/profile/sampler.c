#include "profile/sampler.h"

#include "hot/hot.h"
#include "profile/call_stacks.h"
#include "profile/call_walk.h"
#include "profile/poisson.h"
#include "profile/probes.h"
#include "profile/sampled_heaps.h"
#include "profile/samples.h"

static size_t every; /* written once, before `started` */
static atomic_bool started;
static _Atomic size_t missed;
static _Atomic uint64_t live_bytes;

void (*sampler_told)(void);

/* Of the calling thread: it is within the sampler; its first interval is drawn. */
static _Thread_local bool busy, drawn;

void sampler_start(size_t bytes) {
  every = bytes;
  atomic_store_explicit(&started, true, memory_order_release);
}

size_t sampler_every(void) { return atomic_load_explicit(&started, memory_order_acquire) ? every : 0; }
size_t sampler_missed(void) { return atomic_load_explicit(&missed, memory_order_relaxed); }
uint64_t sampler_live_bytes(void) { return atomic_load_explicit(&live_bytes, memory_order_relaxed); }
bool sampler_is_busy(void) { return busy; }

static void count_missed(void) { atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed); }

/* sample_due has taken `size` from what was left. A thread's first interval is drawn here; until the process has
 * started, every request comes here. */
static bool is_hit(size_t size) {
  if (sampler_every() == 0) {
    thread_cache.until_sample = 0;
    return false;
  }
  if (!drawn) {
    drawn = true;
    thread_cache.until_sample = poisson_interval(every);
    if (!sample_due(size)) {
      return false;
    }
  }
  thread_cache.until_sample = poisson_interval(every);
  if (busy) {
    count_missed();
  }
  return !busy;
}

/* The block is the program's from here on. */
static void enter(const void *block, size_t size, struct call_stack *stack) {
  struct weight weight = poisson_weight(size, every);
  call_stack_count(stack, weight);
  if (samples_put(&(struct sample){block, size, weight.bytes, stack})) {
    atomic_fetch_add_explicit(&live_bytes, weight.bytes, memory_order_relaxed);
  } else {
    count_missed();
  }
  probe_alloc(block, size, weight.bytes);
}

static void leave_sampler(void) {
  void (*told)(void) = sampler_told;
  if (told != NULL) {
    told();
  }
  busy = false;
}

/* A block of a class, among the sampled ones; NULL: an ordinary one will do. */
static void *sampled(size_t size_class, size_t size, uintptr_t frame) {
  busy = true;
  struct call_stack *stack = call_walk(frame);
  void *block = sampled_heaps_take(size_class);
  if (block == NULL) {
    count_missed();
  } else {
    enter(block, size, stack);
  }
  leave_sampler();
  return block;
}

static void sampled_big(const void *block, size_t size, uintptr_t frame) {
  busy = true;
  enter(block, size, call_walk(frame));
  leave_sampler();
}

NOINLINE void *sample_allocate(size_t size) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  bool hit = is_hit(size);
  void *block = hit && size <= SIZE_CLASS_MAX ? sampled(size_class_of(size), size, frame) : NULL;
  if (block == NULL) {
    bool is_big = hit && size > SIZE_CLASS_MAX;
    bool zeroed;
    block = is_big ? allocate_aligned(size, SIZE_CLASS_GRAIN, &zeroed) : gate_malloc_unsampled(size);
    if (is_big && block != NULL) {
      sampled_big(block, size, frame);
    }
  }
  return block;
}

NOINLINE void *sample_allocate_class(size_t size_class, size_t size) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  void *block = is_hit(size) ? sampled(size_class, size, frame) : NULL;
  return block != NULL ? block : gate_malloc_class(size_class);
}

NOINLINE void sample_big(void *block, size_t size) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (is_hit(size) && block != NULL) {
    sampled_big(block, size, frame);
  }
}

/* ---- the end of a sample ---- */

static void end(const struct sample *sample) {
  atomic_fetch_sub_explicit(&live_bytes, sample->bytes, memory_order_relaxed);
  probe_free(sample->block);
}

void sample_freed(const void *block, unit_tag tag) {
  struct sample sample;
  bool may_be = sample_tag(tag) || (route_of(tag) != ROUTE_SLAB && samples_may_have_big(block));
  if (may_be && samples_take(block, &sample)) {
    end(&sample);
  }
}

/* Out of the table before it moves: another thread may be given its address. */
void *sample_resize_large(void *block, size_t size) {
  struct sample was;
  bool had = samples_may_have_big(block) && samples_take(block, &was);
  void *resized = resize_large(block, size);
  if (resized == NULL) {
    if (had && !samples_put(&was)) {
      end(&was);
      count_missed();
    }
    return NULL;
  }
  if (had) {
    end(&was);
  }
  if (sample_due(size)) {
    sample_big(resized, size);
  }
  return resized;
}
