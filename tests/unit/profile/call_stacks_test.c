/* call_stacks: each stack is there once, whoever asks. */
#include "profile/call_stacks.h"

#include "unit/heaps.h"

static bool count_one(const struct call_stack *stack, void *counts) {
  size_t *sums = counts;
  sums[0]++;
  sums[1] += stack->samples;
  return true;
}

TEST(CallStacksTest, TheSameCallsAreTheSameStack) {
  uintptr_t frames[] = {0x1000, 0x2000, 0x3000};
  struct call_stack *stack = call_stacks_intern(frames, 3);
  EXPECT_EQ(stack->depth, 3);
  EXPECT_EQ(stack->frame[2], 0x3000);
  EXPECT_EQ(call_stacks_intern(frames, 3), stack);
  struct call_stack *shorter = call_stacks_intern(frames, 2);
  EXPECT_NE(shorter, stack);
  frames[2]++;
  struct call_stack *other = call_stacks_intern(frames, 3);
  EXPECT_NE(other, stack);
  EXPECT_NE(other->number, stack->number);
  EXPECT_NE(shorter->number, stack->number);
}

TEST(CallStacksTest, CountsWhatIsAllocated) {
  uintptr_t frames[] = {0x4000};
  struct call_stack *stack = call_stacks_intern(frames, 1);
  size_t before[2] = {0};
  size_t after[2] = {0};
  EXPECT_TRUE(call_stacks_each(count_one, before));
  call_stack_count(stack, (struct weight){.blocks = 10, .bytes = 100});
  call_stack_count(stack, (struct weight){.blocks = 1, .bytes = 5});
  EXPECT_TRUE(call_stacks_each(count_one, after));
  EXPECT_EQ(stack->samples, 2);
  EXPECT_EQ(stack->blocks, 11);
  EXPECT_EQ(stack->bytes, 105);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1] + 2);
}

enum { THREADS = 4, STACKS = 20000 };

static struct call_stack *found[THREADS][STACKS];

static void intern_all(void *of) {
  struct call_stack **mine = of;
  for (uintptr_t i = 0; i < STACKS; i++) {
    uintptr_t frames[] = {i, i * 7 + 1, 3};
    mine[i] = call_stacks_intern(frames, 3);
  }
}

TEST(CallStacksTest, ThreadsFindTheSame) {
  struct unit_thread threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    unit_start(&threads[i], intern_all, found[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  for (int i = 0; i < STACKS; i++) {
    for (int thread = 1; thread < THREADS; thread++) {
      ASSERT_EQ(found[thread][i], found[0][i]);
    }
    ASSERT_EQ(found[0][i]->frame[0], i);
  }
}

static void fill(void *unused) {
  (void)unused;
  call_stacks_most_bytes = 64 * KIB;
  size_t lost = 0;
  struct call_stack *rest = NULL;
  for (uintptr_t i = 1; i <= 2000; i++) {
    struct call_stack *stack = call_stacks_intern(&i, 1);
    if (stack->depth == 0) {
      rest = rest == NULL ? stack : rest;
      EXPECT_EQ(stack, rest);
      lost++;
    } else {
      EXPECT_EQ(stack->frame[0], i);
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, 2000);
  EXPECT_EQ(call_stacks_lost(), lost);
  uintptr_t first = 1;
  EXPECT_EQ(call_stacks_intern(&first, 1)->depth, 1); /* what is there is found */
}

TEST(CallStacksTest, AFullTableHasOneForTheRest) { EXPECT_RUNS(fill, NULL, ""); }

static void without_memory(void *unused) {
  (void)unused;
  unit_limit_memory(0);
  uintptr_t frame = 0x123;
  struct call_stack *stack = call_stacks_intern(&frame, 1);
  EXPECT_NE(stack, NULL); /* the one without frames, unless the records had room */
  unit_limit_memory(SIZE_MAX);
}

TEST(CallStacksTest, WithoutMemoryToo) { EXPECT_RUNS(without_memory, NULL, ""); }
