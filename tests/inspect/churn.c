/* Four threads allocate, free and hand blocks over to each other until the end of the input; with an argument each keeps
 * its blocks to itself. Every block's bytes are checked. For each byte of the input a line says how many steps they have made, and in how many nanoseconds of
 * processor time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 3000 };

struct block {
  size_t size;
  unsigned char bytes[];
};

static _Atomic(struct block *) slots[SLOTS];
static atomic_bool stop, apart;

struct counter {
  _Alignas(64) _Atomic uint64_t steps;
};

static struct counter counters[THREADS];

static struct block *make(uint32_t random) {
  size_t size = random % 64 == 0 ? random % 400000 : random % 3000;
  struct block *block = malloc(sizeof *block + size);
  if (block == NULL) {
    abort();
  }
  block->size = size;
  memset(block->bytes, (int)(size & 0xFF), size < 64 ? size : 64);
  return block;
}

static void check_and_free(struct block *block) {
  for (size_t i = 0; block != NULL && i < block->size && i < 64; i++) {
    if (block->bytes[i] != (block->size & 0xFF)) {
      abort();
    }
  }
  free(block);
}

static void *work(void *own) {
  struct counter *counter = own;
  uint32_t random = (uint32_t)(counter - counters + 1) * 2654435761U + 1;
  uint32_t first = apart ? (uint32_t)(counter - counters) * (SLOTS / THREADS) : 0;
  uint32_t many = apart ? SLOTS / THREADS : SLOTS;
  while (!stop) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    struct block *new = random & 0x10000 ? make(random) : NULL;
    check_and_free(atomic_exchange(&slots[first + random % many], new));
    atomic_store_explicit(&counter->steps, counter->steps + 1, memory_order_relaxed);
  }
  return NULL;
}

static void tell(void) {
  uint64_t steps = 0;
  struct timespec used;
  for (int i = 0; i < THREADS; i++) {
    steps += counters[i].steps;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  printf("%llu %llu\n", (unsigned long long)steps,
         (unsigned long long)used.tv_sec * 1000000000U + (unsigned long long)used.tv_nsec);
  fflush(stdout);
}

int main(int argc, char **argv) {
  (void)argv;
  apart = argc > 1;
  pthread_t threads[THREADS];
  char end;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where the system lets nobody but ancestors read it */
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, work, &counters[i]);
  }
  puts("ready");
  fflush(stdout);
  while (read(0, &end, 1) > 0) {
    tell();
  }
  stop = true;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  puts("whole");
  return 0;
}
