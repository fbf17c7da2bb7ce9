// Growth: one buffer that realloc takes from a page to hundreds of megabytes in steps, and many vectors that grow at
// random to twice or half as much again, as vectors and strings of programs do, or always by the same share, as lists
// do. Every page is written.
#include "report.h"
#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 4096, VECTOR_FIRST = 16 };

struct vector {
  unsigned char *bytes;
  uint32_t size;
};

// The block with `to` bytes, marked at its first byte, at the pages added and at its end.
static void *grow(void *block, uint64_t from, uint64_t to) {
  unsigned char *grown = realloc(block, to);
  if (grown == NULL) {
    bench_fail("realloc to %llu bytes failed: %s", (unsigned long long)to, strerror(errno));
  }
  if (from > 0 && (grown[0] != 1 || grown[from / 2 / FIRST_SIZE * FIRST_SIZE] != 1 || grown[from - 1] != 1)) {
    bench_fail("realloc from %llu to %llu bytes lost what the block held", (unsigned long long)from,
               (unsigned long long)to);
  }
  grown[0] = 1;
  bench_touch(grown, from, to);
  return grown;
}

static uint64_t grow_buffer(uint64_t limit, uint64_t percent) {
  uint64_t steps = 0, size = 0;
  unsigned char *buffer = NULL;
  while (size < limit) {
    uint64_t wanted = size == 0 ? FIRST_SIZE : size + size * percent / 100;
    wanted = wanted < limit ? wanted : limit;
    buffer = grow(buffer, size, wanted);
    size = wanted;
    steps++;
  }
  bench_free_touched(buffer, size);
  return steps;
}

// By how much the vectors grow in a step, 0: by half or all of what they have; and where they end.
static uint64_t vector_percent, vector_last = 64 << 10;

static uint32_t vector_more(uint32_t size, uint32_t draw) {
  if (vector_percent == 0) {
    return draw & 1 ? size : size / 2;
  }
  uint32_t more = (uint32_t)(size * vector_percent / 100);
  return more < VECTOR_FIRST ? VECTOR_FIRST : more;
}

// Each step draws a vector: it grows, and one that has reached the last size is freed and begins anew.
static void step_vector(struct vector *vector, uint32_t draw) {
  if (vector->size >= vector_last) {
    bench_free_touched(vector->bytes, vector->size);
    *vector = (struct vector){0};
    return;
  }
  uint32_t wanted = vector->size == 0 ? VECTOR_FIRST : vector->size + vector_more(vector->size, draw);
  vector->bytes = grow(vector->bytes, vector->size, wanted);
  vector->size = wanted;
}

static void grow_vectors(struct vector *vectors, uint64_t count, uint64_t steps) {
  uint32_t random = bench_random_seed(1);
  for (uint64_t i = 0; i < steps; i++) {
    uint64_t k = bench_random(&random) % count;
    step_vector(&vectors[k], random >> 16);
  }
  for (uint64_t k = 0; k < count; k++) {
    if (vectors[k].bytes != NULL) {
      bench_free_touched(vectors[k].bytes, vectors[k].size);
    }
  }
}

int main(int argc, char **argv) {
  uint64_t megabytes = 512, percent = 10, rounds = 1, vectors = 1000, steps = 100000;
  const struct bench_argument arguments[] = {
      {"--megabytes", "where the one buffer ends", &megabytes, 1, 1 << 20, BENCH_OPTIONAL},
      {"--percent", "by how much it grows in a step", &percent, 1, 1000, BENCH_OPTIONAL},
      {"--rounds", "buffers, one after the other", &rounds, 0, UINT32_MAX, BENCH_OPTIONAL},
      {"--vectors", "vectors", &vectors, 1, 1 << 24, BENCH_OPTIONAL},
      {"--vector-last", "bytes where a vector ends", &vector_last, VECTOR_FIRST, 1 << 28, BENCH_OPTIONAL},
      {"--vector-percent", "by how much it grows in a step; 0: half or all", &vector_percent, 0, 1000, BENCH_OPTIONAL},
      {"--steps", "steps of the vectors", &steps, 0, UINT32_MAX, BENCH_OPTIONAL},
  };
  const struct bench_program program = {
      "growth",  "Grows one large buffer in steps, then many vectors, by realloc.",
      arguments, sizeof arguments / sizeof *arguments,
      NULL,
  };
  bench_parse(&program, argc, argv);

  struct vector *table = bench_table(vectors, sizeof *table);
  uint64_t operations = steps;
  uint64_t start = bench_now();
  for (uint64_t round = 0; round < rounds; round++) {
    operations += grow_buffer(megabytes << 20, percent);
  }
  grow_vectors(table, vectors, steps);
  double seconds = bench_seconds_since(start);

  bench_report_begin("growth", operations, seconds);
  bench_report_integer("megabytes", megabytes);
  bench_report_integer("vectors", vectors);
  bench_report_integer("steps", steps);
  bench_report_end();
  return 0;
}
