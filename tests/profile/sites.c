/* Twenty sites that allocate known numbers of blocks of known sizes, of which each keeps some until the end; then a block
 * that is never freed. Prints what each allocated and kept: name, size, blocks, kept. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 20, MOST = 20000 };

static const struct {
  size_t size;
  int blocks, kept;
} plan[SITES] = {
    {16, 20000, 10000}, {24, 15000, 100},  {48, 12000, 12000}, {100, 10000, 0},    {200, 10000, 5000},
    {333, 8000, 2000},  {512, 8000, 8000}, {1000, 6000, 600},  {1500, 4000, 3999}, {2048, 3000, 1},
    {3000, 2000, 1000}, {4096, 2000, 500}, {6000, 1500, 1500}, {9000, 1000, 250},  {16000, 600, 300},
    {32768, 400, 100},  {40000, 300, 150}, {150000, 100, 40},  {900000, 30, 12},   {3000000, 8, 4},
};

static void *blocks[SITES][MOST];

#define SITE(n)                                                                                                        \
  __attribute__((noinline)) void *site_##n(size_t size) {                                                              \
    void *block = malloc(size);                                                                                        \
    memset(block, n, size < 16 ? size : 16);                                                                           \
    return block;                                                                                                      \
  }
#define EACH(DO)                                                                                                       \
  DO(0)                                                                                                                \
  DO(1)                                                                                                                \
  DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19)
EACH(SITE)

#define NAME(n) site_##n,
static void *(*const sites[SITES])(size_t) = {EACH(NAME)};

__attribute__((noinline)) void *leak(size_t size) {
  void *volatile block = malloc(size);
  return block;
}

static void run(int from, int step) {
  /* All sites in turn, so that what is sampled of one depends on what the others allocate. */
  for (int i = 0; i < MOST; i++) {
    for (int site = from; site < SITES; site += step) {
      if (i < plan[site].blocks) {
        blocks[site][i] = sites[site](plan[site].size);
      }
    }
  }
  for (int site = from; site < SITES; site += step) {
    for (int i = plan[site].kept; i < plan[site].blocks; i++) {
      free(blocks[site][i]);
    }
  }
}

static void *in_thread(void *number) {
  run((int)(long)number, 4);
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "threads") == 0) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) {
      pthread_create(&threads[i], NULL, in_thread, (void *)i);
    }
    for (int i = 0; i < 4; i++) {
      pthread_join(threads[i], NULL);
    }
  } else {
    run(0, 1);
  }
  leak(10000000);
  for (int site = 0; site < SITES; site++) {
    printf("site_%d %zu %d %d\n", site, plan[site].size, plan[site].blocks, plan[site].kept);
  }
  return 0;
}
