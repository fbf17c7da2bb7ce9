#include "report/lock_lines.h"

#include "os/os.h"

static const struct {
  const char *taken, *waited, *held_ns, *waited_ns;
} names[LOCK_RANKS] = {
    [LOCK_START] = {"start", "start_waited", "start_held_ns", "start_waited_ns"},
    [LOCK_ORPHANS] = {"orphans", "orphans_waited", "orphans_held_ns", "orphans_waited_ns"},
    [LOCK_BIG] = {"big", "big_waited", "big_held_ns", "big_waited_ns"},
    [LOCK_GUARDED] = {"guarded", "guarded_waited", "guarded_held_ns", "guarded_waited_ns"},
    [LOCK_HUGE] = {"huge", "huge_waited", "huge_held_ns", "huge_waited_ns"},
    [LOCK_POOL] = {"pool", "pool_waited", "pool_held_ns", "pool_waited_ns"},
    [LOCK_STOCK] = {"stock", "stock_waited", "stock_held_ns", "stock_waited_ns"},
    [LOCK_META] = {"meta", "meta_waited", "meta_held_ns", "meta_waited_ns"},
};

/* The locks of the pool's parts are one to who reads. */
static enum lock_rank named(enum lock_rank rank) {
  return rank > LOCK_POOL && rank <= LOCK_POOL_LAST ? LOCK_POOL : rank;
}

static void print_locks(struct text *text) {
  struct lock_counts counts[LOCK_RANKS] = {0};
  struct held_time times[LOCK_RANKS] = {0};
  struct lock_counts all = {0};
  struct held_time all_times = {0};
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    struct lock_counts count = lock_counts(rank);
    struct held_time time = held_time(rank, count.taken);
    counts[named(rank)].taken += count.taken;
    counts[named(rank)].waited += count.waited;
    times[named(rank)].held += time.held;
    times[named(rank)].waited += time.waited;
    all.taken += count.taken;
    all.waited += count.waited;
    all_times.held += time.held;
    all_times.waited += time.waited;
  }
  text_line(text, "lock_stats");
  text_number(text, "taken", all.taken);
  text_number(text, "waited", all.waited);
  text_number(text, "held_ns", all_times.held);
  text_number(text, "waited_ns", all_times.waited);
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    if (named(rank) != rank) {
      continue;
    }
    text_number(text, names[rank].taken, counts[rank].taken);
    text_number(text, names[rank].waited, counts[rank].waited);
    text_number(text, names[rank].held_ns, times[rank].held);
    text_number(text, names[rank].waited_ns, times[rank].waited);
  }
}

static void print_shared_lines(struct text *text, const struct observe_sums *sums) {
  const uint64_t *value = sums->value;
  text_line(text, "shared_line_stats");
  text_number(text, "writes",
              value[COUNT_SHARED_HOME] + value[COUNT_SHARED_REMOTE] + value[COUNT_SHARED_FIGURES] +
                  value[COUNT_SHARED_UNDER_LOCKS]);
  text_number(text, "home", value[COUNT_SHARED_HOME]);
  text_number(text, "remote", value[COUNT_SHARED_REMOTE]);
  text_number(text, "figures", value[COUNT_SHARED_FIGURES]);
  text_number(text, "under_locks", value[COUNT_SHARED_UNDER_LOCKS]);
}

void lock_lines_print(struct text *text, const struct observe_sums *sums) {
  print_locks(text);
  print_shared_lines(text, sums);
}
