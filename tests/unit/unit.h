/* unit: tests that are written in C, in GoogleTest's words.
 *
 * The boxes speak C17 (atomics, thread-locals, designated ranges), so their tests do, and see each header as the
 * library does. runner.c runs them, wherever the library runs: there may be no C++ (musl) or no GoogleTest (another
 * machine's, under an emulator).
 *
 *   TEST(SlabTest, HandsOutLowestAddressesFirst) { EXPECT_EQ(slab_take(slab, slot, 4), 4); }
 *
 * Values are compared and printed as unsigned integers as wide as a pointer; pointers may be given as they are.
 * ASSERT_... also returns from the function, which must be one that returns nothing. A check that succeeds allocates
 * nothing, so that what a test counts is its own.
 */
#ifndef HAKMEM_TESTS_UNIT_UNIT_H
#define HAKMEM_TESTS_UNIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit_test {
  const char *suite, *name, *file;
  int line;
  void (*body)(void);
  struct unit_test *next;
};

void unit_register(struct unit_test *test);

/* What comes before the first test; false: the library does not start. */
bool unit_begin(void);

void unit_fail(const char *file, int line, const char *what);
void unit_fail_compare(const char *file, int line, const char *what, uintmax_t left, uintmax_t right);
void unit_skip(const char *why);
void unit_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void unit_expect_process(const char *file, int line, void (*body)(void *), void *argument, int signal,
                         const char *text);
void unit_expect_fork(const char *file, int line, void (*body)(void *), void *argument);

#define TEST(suite_name, test_name)                                                                                    \
  static void suite_name##_##test_name(void);                                                                          \
  __attribute__((constructor)) static void suite_name##_##test_name##_register(void) {                                 \
    static struct unit_test test = {#suite_name, #test_name, __FILE__, __LINE__, suite_name##_##test_name, NULL};      \
    unit_register(&test);                                                                                              \
  }                                                                                                                    \
  static void suite_name##_##test_name(void)

#define UNIT_CHECK(condition, what, otherwise)                                                                         \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      unit_fail(__FILE__, __LINE__, what);                                                                             \
      otherwise;                                                                                                       \
    }                                                                                                                  \
  } while (0)

#define UNIT_COMPARE(left, comparison, right, otherwise)                                                               \
  do {                                                                                                                 \
    uintmax_t unit_left = (uintmax_t)(left);                                                                           \
    uintmax_t unit_right = (uintmax_t)(right);                                                                         \
    if (!(unit_left comparison unit_right)) {                                                                          \
      unit_fail_compare(__FILE__, __LINE__, #left " " #comparison " " #right, unit_left, unit_right);                  \
      otherwise;                                                                                                       \
    }                                                                                                                  \
  } while (0)

#define EXPECT_TRUE(condition) UNIT_CHECK(condition, #condition, (void)0)
#define EXPECT_FALSE(condition) UNIT_CHECK(!(condition), "not: " #condition, (void)0)
#define EXPECT_EQ(left, right) UNIT_COMPARE(left, ==, right, (void)0)
#define EXPECT_NE(left, right) UNIT_COMPARE(left, !=, right, (void)0)
#define EXPECT_LT(left, right) UNIT_COMPARE(left, <, right, (void)0)
#define EXPECT_LE(left, right) UNIT_COMPARE(left, <=, right, (void)0)
#define EXPECT_GT(left, right) UNIT_COMPARE(left, >, right, (void)0)
#define EXPECT_GE(left, right) UNIT_COMPARE(left, >=, right, (void)0)

#define ASSERT_TRUE(condition) UNIT_CHECK(condition, #condition, return )
#define ASSERT_FALSE(condition) UNIT_CHECK(!(condition), "not: " #condition, return )
#define ASSERT_EQ(left, right) UNIT_COMPARE(left, ==, right, return )
#define ASSERT_NE(left, right) UNIT_COMPARE(left, !=, right, return )
#define ASSERT_LT(left, right) UNIT_COMPARE(left, <, right, return )
#define ASSERT_LE(left, right) UNIT_COMPARE(left, <=, right, return )
#define ASSERT_GT(left, right) UNIT_COMPARE(left, >, right, return )
#define ASSERT_GE(left, right) UNIT_COMPARE(left, >=, right, return )

/* Ends the test as skipped. */
#define SKIP(why)                                                                                                      \
  do {                                                                                                                 \
    unit_skip(why);                                                                                                    \
    return;                                                                                                            \
  } while (0)

/* Words that are printed with every failure of this thread from here on, such as the class that a loop has come to. */
#define NOTE(...) unit_note(__VA_ARGS__)

/* body(argument) in a process of its own: the test binary started afresh, with the environment and limits of this
 * moment, and the test run again up to here. `text` is an extended regular expression for all that the process writes
 * to standard error. */

/* It is stopped by abort(). */
#define EXPECT_STOPS(body, argument, text) unit_expect_process(__FILE__, __LINE__, body, argument, UNIT_ABORTED, text)

/* It is stopped by a signal; nothing is said of its words. */
#define EXPECT_KILLED(body, argument, number) unit_expect_process(__FILE__, __LINE__, body, argument, number, NULL)

/* It comes to its end, and every check in it holds. Then exit() ends it. */
#define EXPECT_RUNS(body, argument, text) unit_expect_process(__FILE__, __LINE__, body, argument, 0, text)

/* body(argument) in a child of fork() of the calling thread: every check in it holds. */
#define EXPECT_FORKS(body, argument) unit_expect_fork(__FILE__, __LINE__, body, argument)

enum { UNIT_ABORTED = 6 };

/* Parts of the expressions above. */
#define ANY_POINTER "0x[0-9a-f]+"
#define ANY_NUMBER "[0-9]+"

/* Under a sanitizer the address space cannot be limited, signals become exits, and there is no thread in the child of
 * fork(). */
#if defined(__has_feature)
#define UNIT_HAS(feature) __has_feature(feature)
#else
#define UNIT_HAS(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || UNIT_HAS(thread_sanitizer)
#define UNIT_THREAD_SANITIZED 1
#else
#define UNIT_THREAD_SANITIZED 0
#endif
#if defined(__SANITIZE_ADDRESS__) || UNIT_HAS(address_sanitizer) || UNIT_THREAD_SANITIZED
#define UNIT_SANITIZED 1
#else
#define UNIT_SANITIZED 0
#endif

/* The seed of a random test: HAKMEM_TEST_SEED, or another one each time; a failure prints it. */
uint64_t unit_seed(void);

/* splitmix64. */
static inline uint64_t unit_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static inline size_t unit_below(uint64_t *state, size_t bound) { return (size_t)(unit_random(state) % bound); }

/* A thread that runs body(argument); unit_join waits for its end. */
struct unit_thread {
  uintptr_t handle;
  void (*body)(void *);
  void *argument;
};
void unit_start(struct unit_thread *thread, void (*body)(void *), void *argument);
void unit_join(struct unit_thread *thread);

/* Both at once: body(argument) on a new thread, which has ended on return. */
void unit_in_thread(void (*body)(void *), void *argument);

/* Bytes of a mapped range that are resident, and bytes of the whole address space that are mapped. */
size_t unit_resident(const void *start, size_t bytes);
size_t unit_mapped(void);

bool unit_is_zero(const void *start, size_t bytes);

/* What body(argument) writes to standard error, as a string of at most `size` bytes; returns the number of its write
 * calls. */
size_t unit_capture(void (*body)(void *), void *argument, char *text, size_t size);

/* Lets the process map at most `more` bytes beyond what it has now; SIZE_MAX lifts the limit. */
void unit_limit_memory(size_t more);

#endif
