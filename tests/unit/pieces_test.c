/* pieces: files read and written whatever interrupts it. */
#include "os/pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "unit/unit.h"

enum { LENGTH = 1 << 20 }; /* more than a pipe holds */

static char sent[LENGTH], received[LENGTH];
static volatile sig_atomic_t interrupted;

static void on_signal(int number) { interrupted = number != 0; }

TEST(PiecesTest, WhatIsWrittenIsRead) {
  char name[] = "/tmp/hakmem-pieces-XXXXXX";
  int written = mkstemp(name);
  ASSERT_NE(written, -1);
  EXPECT_EQ(os_pieces_write(written, "first, then the second", 22), 0);
  close(written);
  errno = 4711;
  int file = os_pieces_open(name);
  ASSERT_NE(file, -1);
  char text[100];
  EXPECT_EQ(os_pieces_read(file, text, 7), 7);
  EXPECT_EQ(os_pieces_read(file, text + 7, sizeof text - 7), 15);
  EXPECT_EQ(memcmp(text, "first, then the second", 22), 0);
  EXPECT_EQ(os_pieces_read(file, text, sizeof text), 0);
  EXPECT_EQ(fcntl(file, F_GETFD), FD_CLOEXEC);
  os_pieces_close(file);
  EXPECT_EQ(fcntl(file, F_GETFD), -1);
  unlink(name);
}

TEST(PiecesTest, AnErrorIsTold) {
  char byte;
  errno = 4711;
  EXPECT_EQ(os_pieces_open("/nowhere/at/all"), -1);
  EXPECT_EQ(os_pieces_read(-1, &byte, 1), 0);
  EXPECT_EQ(errno, 4711);
  EXPECT_EQ(os_pieces_write(-1, "x", 1), EBADF);
  EXPECT_EQ(os_pieces_write(-1, "x", 0), 0);
}

/* The writer waits until the pipe has room again, and signals come. */
static void *read_late(void *context) {
  const int *ends = context;
  struct timespec a_while = {.tv_nsec = 20000000};
  nanosleep(&a_while, NULL);
  size_t had = 0;
  for (size_t more; had < LENGTH && (more = os_pieces_read(ends[0], received + had, LENGTH - had)) > 0; had += more) {
  }
  return NULL;
}

TEST(PiecesTest, SignalsThatInterruptItChangeNothing) {
  int ends[2];
  pthread_t reader;
  struct sigaction interrupts = {.sa_handler = on_signal}; /* no SA_RESTART */
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  for (size_t i = 0; i < LENGTH; i++) {
    sent[i] = (char)(i * 31 % 251);
  }
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(pthread_create(&reader, NULL, read_late, ends), 0);
  sigaction(SIGALRM, &interrupts, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  EXPECT_EQ(os_pieces_write(ends[1], sent, LENGTH), 0);
  pthread_join(reader, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  EXPECT_TRUE(interrupted);
  EXPECT_EQ(memcmp(sent, received, LENGTH), 0);
}
