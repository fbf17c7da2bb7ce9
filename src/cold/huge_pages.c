#include "cold/huge_pages.h"

#include <stdatomic.h>

#include "cold/huge_cost.h"
#include "cold/huge_ranges.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "config/config.h"
#include "os/os.h"

enum { END_MIN = 1 << 16 }; /* of an end that tells */

/* An end gets a huge page of its own if it is so much of it, else small pages cost less time; and if it leaves so much
 * of it unused at most, or such a share of the block. */
enum { WORTH = OS_HUGE_PAGE / 4, UNUSED_MOST = OS_HUGE_PAGE / 4, UNUSED_SHARE = 8 };

enum { SUDDEN_TIMES = 2, SUDDEN_BYTES = 128 << 20 };

enum { GUARD_BYTES = 2 << 20 };

/* Of blocks of a huge page or more, in huge pages. */
static struct density density = {.every = 1, .every_whole = 64};

static size_t end_of(uintptr_t address) { return address & (OS_HUGE_PAGE - 1); }

/* A block of more than so many times what was in use at once before, and so much: how others were used tells little of
 * it, and huge pages could make all of it resident. */
static bool is_sudden(size_t bytes) {
  return options.thp == thp_default && bytes > SUDDEN_TIMES * residency_peak_used() + SUDDEN_BYTES;
}

/* A mapping of which so much lies behind the last huge page. */
static bool end_tells(size_t end, size_t bytes) {
  return end >= END_MIN && end < bytes && density_is_whole(&density) && !is_sudden(bytes);
}

/* Bytes by which a block is longer if its end gets a huge page of its own; else 0. */
static size_t whole_end(size_t bytes) {
  size_t unused = end_of(-bytes);
  bool is_worth = unused <= OS_HUGE_PAGE - WORTH;
  return is_worth && (unused <= UNUSED_MOST || unused <= bytes / UNUSED_SHARE) ? unused : 0;
}

static bool is_short(size_t bytes) { return bytes < OS_HUGE_PAGE; }

/* A block of whole huge pages has them for itself. */
static bool may_share(size_t bytes, size_t alignment) {
  return bytes < SHARED_BELOW && end_of(bytes) > 0 && alignment <= os_page_size();
}

static struct huge_plan plan_short(size_t bytes, size_t alignment) {
  enum density_answer answer = density_ask(&density_large, (bytes + UNIT_BYTES - 1) >> UNIT_SHIFT, true);
  bool shares = answer == DENSITY_HUGE && may_share(bytes, alignment);
  return (struct huge_plan){answer == DENSITY_HUGE ? DENSITY_SMALL : answer, bytes, shares};
}

struct huge_plan huge_pages_plan(size_t bytes, size_t alignment) {
  if (limit_is_set()) {
    return (struct huge_plan){DENSITY_SMALL, bytes, false};
  }
  if (is_short(bytes)) {
    return plan_short(bytes, alignment);
  }
  enum density_answer answer = density_ask(&density, bytes / OS_HUGE_PAGE, end_tells(end_of(bytes), bytes));
  answer = answer == DENSITY_HUGE && is_sudden(bytes) ? DENSITY_SMALL : answer;
  bool shares = answer == DENSITY_HUGE && may_share(bytes, alignment);
  bytes += answer == DENSITY_HUGE && !shares ? whole_end(bytes) : 0;
  return (struct huge_plan){answer, bytes, shares};
}

bool huge_pages_may_be_used(struct huge_plan plan) {
  if (is_short(plan.bytes)) {
    return false;
  }
  return plan.answer == DENSITY_HUGE || (plan.answer == DENSITY_PROBE && end_tells(end_of(plan.bytes), plan.bytes));
}

static void advise_short(struct huge_plan plan, char *start) {
  if (plan.answer == DENSITY_PROBE) {
    density_probe(&density_large, start, 0, plan.bytes);
  }
}

/* All of a mapping, so that it stays one area of the system's, which can be remapped. */
static void advise(struct huge_plan plan, char *start) {
  size_t end = end_of((uintptr_t)start + plan.bytes);
  bool tells = end_tells(end, plan.bytes);
  if (plan.answer == DENSITY_HUGE || (plan.answer == DENSITY_PROBE && tells)) {
    os_advise_huge(start, plan.bytes);
  }
  if (plan.answer == DENSITY_PROBE) {
    density_probe(&density, start, tells ? plan.bytes - end : 0, tells ? end : plan.bytes);
  }
}

/* In small pages alone it need not begin with a huge one. */
static bool begins_huge(struct huge_plan plan) {
  return plan.answer == DENSITY_HUGE || (plan.answer == DENSITY_PROBE && !is_short(plan.bytes));
}

/* Behind the first mapping, below which the system places the next ones, lie addresses without access. */
static char *map_first(size_t bytes) {
  char *start = os_map(NULL, bytes + GUARD_BYTES);
  if (start == NULL) {
    return os_map(NULL, bytes);
  }
  os_forbid(start + bytes, GUARD_BYTES);
  return start;
}

static char *map_unaligned(size_t bytes) {
  static RARE_ZEROES atomic_bool mapped;
  bool is_first = !atomic_exchange_explicit(&mapped, true, memory_order_relaxed);
  return is_first ? map_first(bytes) : os_map(NULL, bytes);
}

char *huge_pages_map(struct huge_plan plan, size_t alignment) {
  size_t wanted = begins_huge(plan) && alignment < OS_HUGE_PAGE ? OS_HUGE_PAGE : alignment;
  char *start = wanted <= os_page_size() ? map_unaligned(plan.bytes) : os_map_aligned(plan.bytes, wanted);
  if (start != NULL) {
    os_name(start, plan.bytes, "hakmem huge");
    (is_short(plan.bytes) ? advise_short : advise)(plan, start);
  }
  return start;
}

/* What lies between two offsets is fresh memory. It is touched first where its first whole huge page begins. */
static void weigh(struct huge_plan plan, char *start, size_t from, size_t end) {
  size_t first = from + end_of(-((uintptr_t)start + from));
  size_t pages = first < end ? (end - first) / OS_HUGE_PAGE : 0;
  if (pages > 0 && huge_pages_may_be_used(plan) && !(huge_cost_is_low(pages) && huge_cost_try(start + first))) {
    os_advise_small(start, plan.bytes);
  }
}

void huge_pages_fresh(struct huge_plan plan, char *start, size_t used) { weigh(plan, start, used, plan.bytes); }

void huge_pages_grown(char *start, size_t old_bytes, size_t used, size_t bytes) {
  density_judge(is_short(old_bytes) ? &density_large : &density, start, old_bytes);
  if (is_short(bytes)) {
    return;
  }
  struct huge_plan plan = huge_pages_plan(bytes, 1);
  plan.bytes = bytes;
  advise(plan, start);
  weigh(plan, start, old_bytes, used);
}

bool huge_pages_used_whole(size_t bytes) {
  return options.thp != thp_default || density_is_whole(is_short(bytes) ? &density_large : &density);
}

void huge_pages_left(const void *block) {
  density_left(&density, block);
  density_left(&density_large, block);
}
