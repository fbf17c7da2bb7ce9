#include "os/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* As <linux/futex.h> has them, which musl's compiler does not find. */
enum { WAIT_PRIVATE = 0 | 128, WAKE_PRIVATE = 1 | 128 };

long os_thread_id(void) { return syscall(SYS_gettid); }
long os_process_id(void) { return getpid(); }

/* The C library's own, where it has it (glibc 2.32 and later): not 0 while it has made no other thread. */
extern const volatile char one_thread __asm__("__libc_single_threaded") __attribute__((weak));

bool os_has_one_thread(void) { return &one_thread != NULL && one_thread != 0; }

/* The first thread's number is the process's. It is told by its stack, above which the system has put random bytes for
 * the program; other stacks lie far below. */
enum { FIRST_THREAD = UINT32_MAX, FIRST_STACK_BYTES = 4 << 20 };

uint32_t os_note_thread(void) {
  uintptr_t below = (uintptr_t)getauxval(AT_RANDOM) - (uintptr_t)__builtin_frame_address(0);
  return below < FIRST_STACK_BYTES ? FIRST_THREAD : (uint32_t)os_thread_id();
}

bool os_notes_first_thread(uint32_t note) { return note == FIRST_THREAD; }

long os_noted_thread(uint32_t note) { return note == FIRST_THREAD ? os_process_id() : (long)note; }

/* As <linux/membarrier.h> has them. */
enum { QUERY = 0, BARRIER = 1 << 3, BARRIER_REGISTER = 1 << 4, RESTART = 1 << 7, RESTART_REGISTER = 1 << 8 };

/* Below 0: refused. */
static long barrier(int command) {
#ifdef SYS_membarrier
  int saved = errno;
  long answer = syscall(SYS_membarrier, command, 0, 0);
  errno = saved;
  return answer;
#else
  (void)command;
  return -1;
#endif
}

bool os_barrier_begin(void) { return barrier(BARRIER_REGISTER) == 0; }
bool os_barrier(void) { return barrier(BARRIER) == 0; }

bool os_restart_is_known(void) {
  long known = barrier(QUERY);
  return known > 0 && (known & RESTART) != 0;
}

void os_restart_begin(void) { barrier(RESTART_REGISTER); }
bool os_restart_sequences(void) { return barrier(RESTART_REGISTER) == 0 && barrier(RESTART) == 0; }

size_t os_rseq_bytes(void) {
  enum { FEATURE_BYTES = 27 }; /* AT_RSEQ_FEATURE_SIZE, which older headers do not have */
  int saved = errno;
  size_t bytes = (size_t)getauxval(FEATURE_BYTES); /* older systems do not say */
  errno = saved;
  return bytes;
}

static bool start_with(const pthread_attr_t *attributes, void *(*body)(void *)) {
  pthread_t thread;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread inherits it */
  bool started = pthread_create(&thread, attributes, body, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool os_thread_start(void *(*body)(void *), size_t stack_bytes) {
  pthread_attr_t attributes;
  int saved = errno; /* the C library's own calls change it: EAGAIN where the process may have no more threads */
  bool started = false;
  if (pthread_attr_init(&attributes) == 0) {
    started = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
              (stack_bytes == 0 || pthread_attr_setstacksize(&attributes, stack_bytes) == 0) &&
              start_with(&attributes, body);
    pthread_attr_destroy(&attributes);
  }
  errno = saved;
  return started;
}

void os_name_thread(const char *name) {
  int saved = errno;
  prctl(PR_SET_NAME, name);
  errno = saved;
}

static void wait_on(_Atomic uint32_t *word, uint32_t value, const struct timespec *most) {
  int saved = errno;
  syscall(SYS_futex, word, WAIT_PRIVATE, value, most, NULL, 0);
  errno = saved;
}

void os_wait(_Atomic uint32_t *word, uint32_t value) { wait_on(word, value, NULL); }

void os_wait_for(_Atomic uint32_t *word, uint32_t value, uint32_t milliseconds) {
  struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  wait_on(word, value, &most);
}

size_t os_processors(void) {
  uint64_t set[1024 / 64] = {0};
  int saved = errno;
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
  errno = saved;
  size_t processors = 0;
  for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
    processors += (size_t)__builtin_popcountll(set[i]);
  }
  return bytes <= 0 || processors == 0 ? 1 : processors;
}

void os_yield(void) {
  int saved = errno;
  sched_yield();
  errno = saved;
}

void os_wake(_Atomic uint32_t *word) {
  int saved = errno;
  syscall(SYS_futex, word, WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = saved;
}
