/* stack: the calls that led to a place, by frame pointers. */
#include "os/stack.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "os/os.h"
#include "unit/unit.h"

static struct stack taken;

/* Each is a call that is no tail of its caller, with a frame of its own. */
#define CALLER(name, callee)                                                                                           \
  static NOINLINE int name(int more) {                                                                                 \
    STACK_KEEPS_FRAME();                                                                                               \
    return (callee)(more) + 1;                                                                                         \
  }

static NOINLINE int innermost(int more) {
  stack_take(&taken, STACK_FRAME());
  return more;
}

CALLER(third, innermost)
CALLER(second, third)
CALLER(first, second)

/* The function that a call stands in begins a little before it. */
static bool is_in(const void *call, int (*function)(int)) { return (uintptr_t)call - (uintptr_t)function < 256; }

TEST(StackTest, TheCallsAreThoseThatLedThere) {
  EXPECT_EQ(first(0), 3);
  ASSERT_GE(taken.count, 3);
  EXPECT_TRUE(is_in(taken.call[0], third));
  EXPECT_TRUE(is_in(taken.call[1], second));
  EXPECT_TRUE(is_in(taken.call[2], first));
}

static NOINLINE int deep(int more) {
  STACK_KEEPS_FRAME();
  int got = more == 0 ? innermost(0) : deep(more - 1);
  __asm__ volatile("" : "+r"(got)); /* or it would be a loop */
  return got + 1;
}

TEST(StackTest, AListEndsWhenItIsFull) {
  EXPECT_EQ(deep(100), 101);
  EXPECT_EQ(taken.count, STACK_DEPTH);
}

TEST(StackTest, WhereTheProgramWasInterruptedIsTheFirst) {
  stack_take_from(&taken, (const void *)(uintptr_t)0x1234, NULL);
  EXPECT_EQ(taken.count, 1);
  EXPECT_EQ((uintptr_t)taken.call[0], 0x1234);
}

/* Two words that a frame may be taken for. */
struct frame {
  _Alignas(16) uintptr_t outer;
  uintptr_t returns_to;
};

static void take_of(struct frame *frame, unsigned count) {
  stack_take(&taken, frame);
  EXPECT_EQ(taken.count, count);
}

TEST(StackTest, NothingThatIsNoFrameIsFollowed) {
  struct frame frames[2] = {{0, 0x5000}, {0, 0x6000}};
  take_of(&frames[0], 1);
  const uintptr_t outers[] = {
      1, 8, UINTPTR_MAX, (uintptr_t)&frames[0], (uintptr_t)&frames[0] + 8, (uintptr_t)&frames[0] + (2 << 20)};
  for (size_t i = 0; i < sizeof outers / sizeof outers[0]; i++) {
    frames[0].outer = outers[i];
    take_of(&frames[0], 1);
  }
  frames[0].outer = (uintptr_t)&frames[1];
  take_of(&frames[0], 2);
  frames[1].returns_to = 0;
  take_of(&frames[0], 1);
  stack_take(&taken, (const void *)(uintptr_t)0xdead0000dead0000);
  EXPECT_EQ(taken.count, 0);
}

TEST(StackTest, WhatCannotBeReadIsNotRead) {
  size_t page = os_page_size();
  char *map = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_TRUE(map != MAP_FAILED);
  ASSERT_TRUE(os_forbid(map + page, page));
  struct frame *frame = (struct frame *)(void *)(map + page - sizeof *frame);
  *frame = (struct frame){(uintptr_t)map + page, 0x5000};
  take_of(frame, 1);
  frame->outer = (uintptr_t)map + 2 * page;
  *(struct frame *)(void *)(map + 2 * page) = (struct frame){0, 0x6000};
  take_of(frame, 2);
  ASSERT_TRUE(os_unmap(map + 2 * page, page));
  take_of(frame, 1);
  stack_take(&taken, map + page);
  EXPECT_EQ(taken.count, 0);
}
