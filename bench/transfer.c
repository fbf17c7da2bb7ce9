// Transfer: how long a line of memory takes from one processor to another.
//
// Two threads, each on a processor of its own, write the same line in turn: each write waits for the other's. The
// figure is the least of many rounds, as whatever else runs on the machine only makes them longer.
#include "report.h"
#include "support.h"

#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 1000 };

static struct {
  _Alignas(CACHE_LINE) atomic_uint_least32_t turn;
  _Alignas(CACHE_LINE) uint32_t writes; // of a round, by both
} shared;

struct player {
  size_t processor;
  uint32_t first; // it writes at this turn, and at each second one
  double least;   // seconds of a round
};

static void run_on(size_t processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) {
    bench_fail("a thread could not be put on processor %zu", processor);
  }
}

static void pass_on(uint32_t turn) {
  while (atomic_load_explicit(&shared.turn, memory_order_acquire) != turn) {
  }
  atomic_store_explicit(&shared.turn, turn + 1, memory_order_release);
}

static void *play(void *argument) {
  struct player *player = argument;
  run_on(player->processor);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t start = bench_now();
    for (uint32_t turn = player->first; turn < shared.writes; turn += 2) {
      pass_on(round * shared.writes + turn);
    }
    double seconds = bench_seconds_since(start);
    player->least = round == 0 || seconds < player->least ? seconds : player->least;
  }
  return NULL;
}

// The first processors that this process may run on.
static void find_two(size_t found[2]) {
  cpu_set_t all;
  unsigned count = 0;
  if (sched_getaffinity(0, sizeof all, &all) == 0) {
    for (size_t processor = 0; processor < CPU_SETSIZE && count < 2; processor++) {
      if (CPU_ISSET(processor, &all)) {
        found[count++] = processor;
      }
    }
  }
  if (count < 2) {
    bench_fail("this process may run on one processor alone: a line has nowhere to go");
  }
}

int main(int argc, char **argv) {
  uint64_t writes = 200;
  const struct bench_argument arguments[] = {
      {"--writes", "writes of a round, by both threads", &writes, 2, 1 << 20, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "transfer",
      "Two threads on two processors write the same line of memory in turn.",
      arguments,
      sizeof arguments / sizeof *arguments,
      "nanoseconds is what a write takes: the line's way from one processor to the other.",
  };
  bench_parse(&program, argc, argv);

  size_t processors[2];
  find_two(processors);
  shared.writes = (uint32_t)writes / 2 * 2;
  struct player players[2] = {{processors[0], 0, 0}, {processors[1], 1, 0}};
  double seconds = bench_run_threads(play, players, sizeof *players, 2);

  bench_report_begin("transfer", (uint64_t)ROUNDS * shared.writes, seconds);
  bench_report_real("nanoseconds", players[0].least / (double)shared.writes * 1e9);
  bench_report_end();
  return 0;
}
