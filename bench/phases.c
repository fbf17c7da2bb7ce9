// Phases: a program that does one thing after another, each with blocks of other sizes. A phase allocates until so much
// lives, replaces blocks at random, and frees them all, also at random. A few stay for some phases more.
#include "report.h"
#include "support.h"

enum { PHASES = 5, STAYS_ONE_IN = 1024, STAY = 64 };

static const struct {
  uint32_t least, most;
} sizes[PHASES] = {{1024, 2048}, {16, 96}, {256, 640}, {96, 256}, {640, 1024}};

struct blocks {
  void **block;
  uint64_t count, room;
};

static void *draw(uint32_t *random, uint64_t phase, uint64_t *live) {
  uint32_t size = sizes[phase].least + bench_random(random) % (sizes[phase].most - sizes[phase].least + 1);
  *live += size;
  return bench_allocate(size);
}

// The last blocks that stayed; the oldest makes way for the next.
static void *stay[STAY];

static void let_stay(void *block) {
  static uint64_t stayed;
  void **place = &stay[stayed++ % STAY];
  if (*place != NULL) {
    bench_free(*place);
  }
  *place = block;
}

static void free_at_random(struct blocks *blocks, uint32_t *random) {
  while (blocks->count > 0) {
    uint64_t k = bench_random(random) % blocks->count;
    void *block = blocks->block[k];
    blocks->block[k] = blocks->block[--blocks->count];
    if (bench_random(random) % STAYS_ONE_IN == 0) {
      let_stay(block);
    } else {
      bench_free(block);
    }
  }
}

static uint64_t run_phase(struct blocks *blocks, uint64_t phase, uint64_t bytes, uint32_t *random) {
  uint64_t live = 0;
  while (live < bytes && blocks->count < blocks->room) {
    blocks->block[blocks->count++] = draw(random, phase, &live);
  }
  uint64_t filled = blocks->count;
  for (uint64_t i = 0; i < filled; i++) {
    uint64_t k = bench_random(random) % filled;
    bench_free(blocks->block[k]);
    blocks->block[k] = draw(random, phase, &live);
  }
  free_at_random(blocks, random);
  return 2 * filled;
}

int main(int argc, char **argv) {
  uint64_t megabytes = 6, rounds = 20, seed = 1;
  const struct bench_argument arguments[] = {
      {"--megabytes", "what lives in a phase at most", &megabytes, 1, 1 << 16, BENCH_OPTIONAL},
      {"--rounds", "times through all phases", &rounds, 1, UINT32_MAX, BENCH_OPTIONAL},
      {"--seed", "seed", &seed, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "phases",  "Works in phases, each with blocks of other sizes, which it frees at random before the next.",
      arguments, sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  uint64_t bytes = megabytes << 20;
  uint64_t room = bytes / sizes[1].least;
  struct blocks blocks = {bench_table(room, sizeof(void *)), 0, room};
  uint32_t random = bench_random_seed((uint32_t)seed);
  uint64_t operations = 0;
  uint64_t start = bench_now();
  for (uint64_t round = 0; round < rounds; round++) {
    for (uint64_t phase = 0; phase < PHASES; phase++) {
      operations += run_phase(&blocks, phase, bytes, &random);
    }
  }
  double seconds = bench_seconds_since(start);
  for (uint64_t i = 0; i < STAY; i++) {
    if (stay[i] != NULL) {
      bench_free(stay[i]);
    }
  }

  bench_report_begin("phases", operations, seconds);
  bench_report_integer("megabytes", megabytes);
  bench_report_integer("rounds", rounds);
  bench_report_integer("seed", seed);
  bench_report_end();
  return 0;
}
