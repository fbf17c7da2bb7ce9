#include "fuzz/turns.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct slot {
  pthread_t thread;
  sem_t begin, done;
  void (*body)(void *); /* NULL: the thread is to end */
  void *argument;
  bool alive;
};

static struct slot slots[TURN_SLOTS];

static void *take_turns(void *argument) {
  struct slot *slot = argument;
  for (;;) {
    while (sem_wait(&slot->begin) != 0) {
    }
    if (slot->body == NULL) {
      return NULL;
    }
    slot->body(slot->argument);
    (void)sem_post(&slot->done);
  }
}

static void begin(struct slot *slot) {
  if (sem_init(&slot->begin, 0, 0) != 0 || sem_init(&slot->done, 0, 0) != 0 ||
      pthread_create(&slot->thread, NULL, take_turns, slot) != 0) {
    abort();
  }
  slot->alive = true;
}

void turn_run(unsigned number, void (*body)(void *), void *argument) {
  if (number == 0) {
    body(argument);
    return;
  }
  struct slot *slot = &slots[number];
  if (!slot->alive) {
    begin(slot);
  }
  slot->body = body;
  slot->argument = argument;
  (void)sem_post(&slot->begin);
  while (sem_wait(&slot->done) != 0) {
  }
}

void turn_end(unsigned number) {
  struct slot *slot = &slots[number];
  if (number != 0 && slot->alive) {
    slot->body = NULL;
    (void)sem_post(&slot->begin);
    (void)pthread_join(slot->thread, NULL);
    slot->alive = false;
  }
}
