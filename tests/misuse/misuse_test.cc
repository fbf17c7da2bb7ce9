// What holds of every stop: right use is silent, and a thread that is cancelled does not escape.
#include <csignal>
#include <cstdio>

#include <pthread.h>

#include "hakmem.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

HAKMEM_SCENARIO(no_misuse) {
  Victim victim;
  for (void *block : victim.neighbours) {
    heap.free(block);
  }
  hak_collect();
  in_another_thread(free_it, heap.malloc(100));
  hak_collect();
  heap.free(heap.malloc(100000));
  heap.free(heap.malloc(100 * MiB));
}

alignas(64) char static_data[4096];

// write() is a point of cancellation: the thread must not get away there, between the line and the end.
void in_a_cancelled_thread(void (*body)()) {
  pthread_t thread;
  auto start = [](void *pointer) -> void * {
    pthread_cancel(pthread_self());
    reinterpret_cast<void (*)()>(pointer)();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, nullptr, start, reinterpret_cast<void *>(body)) == 0);
  pthread_join(thread, nullptr);
  heap.free(heap.malloc(100 * KiB)); // where a lock was left behind, this waits
}

HAKMEM_SCENARIO(foreign_in_a_cancelled_thread) {
  dprintf(1, "pointer 0x%zx\n", reinterpret_cast<size_t>(static_data));
  in_a_cancelled_thread([] { heap.free(opaque(static_data)); });
}

HAKMEM_SCENARIO(double_free_big_in_a_cancelled_thread) {
  static void *block;
  block = heap.malloc(size_under_test());
  REQUIRE(block != nullptr);
  announce(block);
  in_a_cancelled_thread([] {
    heap.free(block);
    heap.free(block);
  });
}

// ---- how they end ----

TEST(MisuseTest, RightUseIsSilent) {
  Outcome outcome = run_scenario("no_misuse");
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
  EXPECT_EQ(outcome.err, "");
}

TEST(CancelledThreadTest, IsStoppedForItsMisuse) {
  expect_stopped("foreign_in_a_cancelled_thread", kForeign);
  expect_stopped("double_free_big_in_a_cancelled_thread", kDoubleOrForeign, {size_is(100 * KiB)});
  expect_stopped("double_free_big_in_a_cancelled_thread", kDoubleOrForeign, {size_is(3 * MiB)});
}

} // namespace
