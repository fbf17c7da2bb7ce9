/* misuse: the last line of a program that has misused a block of a slab. */
#include "warm/misuse.h"

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/thread.h"

static const size_t size_class = 28; /* 1024 bytes */

static void stop_interior(void *block) {
  announce(block, unit_of(block));
  fatal_interior((char *)block + 8, size_class, "free");
}

static void by_the_owner(void *unused) {
  (void)unused;
  stop_interior(gate_malloc_class(size_class));
}

static void by_another(void *unused) {
  (void)unused;
  unit_in_thread(stop_interior, gate_malloc_class(size_class));
}

TEST(MisuseTest, TheOwnersThreadIsNamedWhereItIsAnother) {
  EXPECT_STOPS(by_the_owner, NULL, ANNOUNCED "hakmem: free of an interior pointer: pointer .*, thread \\3\n");
  EXPECT_STOPS(by_another, NULL,
               ANNOUNCED "hakmem: free of an interior pointer: pointer .*, thread \\3, owner thread " ANY_NUMBER "\n");
}

static void *left_behind;

static void leave_a_block(void *unused) {
  (void)unused;
  left_behind = gate_malloc_class(size_class);
  notice("it was thread %ld", os_thread_id());
}

static void of_a_thread_that_has_ended(void *unused) {
  (void)unused;
  thread_heap(); /* or that of the other thread would be taken */
  unit_in_thread(leave_a_block, NULL);
  fatal_freed(left_behind, size_class, "realloc");
}

TEST(MisuseTest, AThreadThatHasEndedIsNamed) {
  EXPECT_STOPS(of_a_thread_that_has_ended, NULL,
               "it was thread (" ANY_NUMBER ")\nhakmem: realloc of a freed block: pointer " ANY_POINTER
               ", class of 1024 bytes, slab " ANY_POINTER ", thread " ANY_NUMBER ", owner thread \\1\n");
}

static void thread_is_the_childs_or_not_known(void *first) {
  long thread = os_noted_thread(atomic_load(&thread_cache.heap->link.thread));
  EXPECT_TRUE(thread == (first != NULL ? os_thread_id() : 0));
}

static void fork_on_this_thread(void *first) {
  gate_free(gate_malloc_class(size_class));
  ASSERT_TRUE(os_noted_thread(atomic_load(&thread_cache.heap->link.thread)) == os_thread_id());
  EXPECT_FORKS(thread_is_the_childs_or_not_known, first);
}

TEST(MisuseTest, AChildOfForkDoesNotNameItsParentsThread) {
  fork_on_this_thread("first");
  unit_in_thread(fork_on_this_thread, NULL);
}
