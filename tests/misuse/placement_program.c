/* How many bits must be guessed by who wants two blocks side by side, or a freed address back.
 *
 *   LD_PRELOAD=build/lib/libhakmem-secure.so build/release/tests/misuse_placement SIZE [ADJACENT REUSE]
 *
 * The program starts itself RUNS times. Each time it does the very same: it fills a heap, frees and allocates, then
 * allocates two blocks, frees the first, and allocates LATER others. What differs from run to run is the allocator's
 * doing.
 *
 *   adjacent   how far the second block lies from the first: -log2 of the share of runs with the most frequent distance
 *   reuse      which of the later blocks gets the first one's address: the same, of the runs in which one does
 *
 * Both are figures for an attacker who knows the allocator and may choose what is most likely. Exit status 1: a
 * figure is less than was asked for.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 500, BLOCKS = 300, STEPS = 3000, LATER = 64, NEVER = -1 };

static uint64_t seed = 1;

static size_t below(size_t bound) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (size_t)(seed % bound);
}

static char *get(size_t size) {
  char *block = malloc(size);
  if (block == NULL) {
    exit(2);
  }
  *(volatile char *)block = 1;
  return block;
}

static int one_run(size_t size) {
  static char *blocks[BLOCKS];
  static char *later[LATER];
  for (size_t i = 0; i < STEPS; i++) {
    size_t slot = below(BLOCKS);
    free(blocks[slot]);
    blocks[slot] = get(size);
  }
  char *first = get(size);
  char *second = get(size);
  long long distance = second - first;
  uintptr_t freed = (uintptr_t)first;
  int again = NEVER;
  free(first);
  for (int i = 0; i < LATER; i++) {
    later[i] = get(size);
    again = again == NEVER && (uintptr_t)later[i] == freed ? i : again;
  }
  return printf("%lld %d\n", distance, again) < 0;
}

struct results {
  long long value[RUNS];
  int count;
};

static double bits(const struct results *results) {
  int most = 0;
  for (int i = 0; i < results->count; i++) {
    int same = 0;
    for (int j = 0; j < results->count; j++) {
      same += results->value[i] == results->value[j];
    }
    most = same > most ? same : most;
  }
  return most == 0 ? log2(RUNS) : fabs(log2((double)most / results->count));
}

int main(int argc, char **argv) {
  static struct results distances, places;
  if (argc == 3 && strcmp(argv[1], "--one") == 0) {
    return one_run(strtoul(argv[2], NULL, 10));
  }
  size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
  char command[4200];
  snprintf(command, sizeof command, "exec '%s' --one %zu", argv[0], size);
  for (int i = 0; i < RUNS; i++) {
    FILE *run = popen(command, "r");
    long long distance;
    int place;
    if (run == NULL || fscanf(run, "%lld %d", &distance, &place) != 2 || pclose(run) != 0) {
      fprintf(stderr, "a run failed\n");
      return 2;
    }
    distances.value[distances.count++] = distance;
    if (place != NEVER) {
      places.value[places.count++] = place;
    }
  }
  double adjacent = bits(&distances);
  double reuse = bits(&places);
  printf("blocks of %zu bytes: adjacent %.1f bits, reuse %.1f bits (within %d: %d %%)\n", size, adjacent, reuse, LATER,
         places.count * 100 / RUNS);
  return (argc > 2 && adjacent < strtod(argv[2], NULL)) || (argc > 3 && reuse < strtod(argv[3], NULL));
}
