/* home: the stack of magazines that have come home, and the thieves among them. */
#include "warm/home.h"

#include "unit/forks.h"
#include "unit/heaps.h"

enum { FEW_CLASS = 7, OTHER_CLASS = 9, AMONG = 64 };

/* The stack's magazines, from the first on, are these. */
static void expect_stack(struct home_stack *stack, void **const *magazines, size_t count) {
  void **magazine = atomic_load(&stack->first);
  for (size_t i = 0; i < count; i++) {
    EXPECT_EQ(magazine, magazines[i]);
    ASSERT_NE(magazine, NULL);
    magazine = magazine[0];
  }
  EXPECT_EQ(magazine, NULL);
}

TEST(HomeTest, AThiefTakesOneOfItsClassAndTheOthersStay) {
  struct thread_heap *heap = new_heap();
  struct home_stack stack = {.first = NULL};
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), NULL);
  void **few[3];
  void **others[2];
  for (size_t i = 0; i < 3; i++) {
    few[i] = full_magazine(heap, FEW_CLASS);
  }
  for (size_t i = 0; i < 2; i++) {
    others[i] = full_magazine(heap, OTHER_CLASS);
  }
  home_stack_push(&stack, few[0]);
  home_stack_push(&stack, others[0]);
  home_stack_push(&stack, few[1]);
  home_stack_push(&stack, others[1]);
  home_stack_push(&stack, few[2]);
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), few[2]); /* the first of all */
  EXPECT_EQ(few[2][0], NULL);
  EXPECT_EQ(magazine_count(magazine_full_top(few[2])), size_classes[FEW_CLASS].magazine);
  expect_stack(&stack, (void **[]){others[1], few[1], others[0], few[0]}, 4);
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), few[1]); /* one between others */
  expect_stack(&stack, (void **[]){others[1], others[0], few[0]}, 3);
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), few[0]); /* the last of all */
  expect_stack(&stack, (void **[]){others[1], others[0]}, 2);
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), NULL);
  expect_stack(&stack, (void **[]){others[1], others[0]}, 2);
  EXPECT_EQ(home_stack_steal(&stack, OTHER_CLASS), others[1]);
  EXPECT_EQ(home_stack_steal(&stack, OTHER_CLASS), others[0]); /* the only one */
  EXPECT_TRUE(home_stack_is_empty(&stack));
}

TEST(HomeTest, AThiefLooksAtTheLastThatHaveCome) {
  struct thread_heap *heap = new_heap();
  struct home_stack stack = {.first = NULL};
  void **few = full_magazine(heap, FEW_CLASS);
  home_stack_push(&stack, few);
  for (int i = 1; i < AMONG; i++) {
    home_stack_push(&stack, full_magazine(heap, OTHER_CLASS));
  }
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), few);
  home_stack_push(&stack, few);
  for (int i = 0; i < AMONG; i++) {
    home_stack_push(&stack, full_magazine(heap, OTHER_CLASS));
  }
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), NULL);
  EXPECT_FALSE(home_stack_is_full(&stack));
  EXPECT_EQ(atomic_load(&stack.waiting), 2 * AMONG);
}

TEST(HomeTest, OneThiefAtATimeAndAChildMendsWhatItLeft) {
  struct thread_heap *heap = new_heap();
  struct home_stack stack = {.first = NULL};
  void **few[3];
  for (size_t i = 0; i < 3; i++) {
    few[i] = full_magazine(heap, FEW_CLASS);
    home_stack_push(&stack, few[i]);
  }
  atomic_store(&stack.steals, 5); /* a thief has begun, and has taken nothing yet */
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), NULL);
  home_stack_mend(&stack);
  expect_stack(&stack, (void **[]){few[2], few[1], few[0]}, 3);
  atomic_store(&stack.steals, 7);
  atomic_store(&stack.held, home_stack_take(&stack)); /* it has taken them */
  home_stack_push(&stack, full_magazine(heap, OTHER_CLASS));
  void **other = atomic_load(&stack.first);
  home_stack_mend(&stack);
  expect_stack(&stack, (void **[]){few[2], few[1], few[0], other}, 4);
  EXPECT_EQ(atomic_load(&stack.held), NULL);
  home_stack_mend(&stack); /* nobody was looking */
  expect_stack(&stack, (void **[]){few[2], few[1], few[0], other}, 4);
  EXPECT_EQ(home_stack_steal(&stack, FEW_CLASS), few[2]);
}

/* ---- many threads ---- */

enum { MAGAZINES = 40, THIEVES = 3, ROUNDS = 20000, HANDS_MOST = 8 };

static struct {
  struct home_stack stack;
  void **all[MAGAZINES];
  atomic_bool stop;
} shared;

static void fill_stack(void) {
  struct thread_heap *heap = new_heap();
  atomic_store(&shared.stack.first, NULL);
  atomic_store(&shared.stop, false);
  for (size_t i = 0; i < MAGAZINES; i++) {
    shared.all[i] = full_magazine(heap, i % 2 == 0 ? FEW_CLASS : OTHER_CLASS);
    home_stack_push(&shared.stack, shared.all[i]);
  }
}

/* Some of a class, and back again in any order. */
static void steal_and_push(uint64_t *seed) {
  void **hands[HANDS_MOST];
  size_t count = 0;
  while (count < HANDS_MOST && unit_below(seed, 4) != 0) {
    size_t size_class = unit_below(seed, 2) == 0 ? FEW_CLASS : OTHER_CLASS;
    void **stolen = home_stack_steal(&shared.stack, size_class);
    if (stolen == NULL) {
      break;
    }
    ASSERT_EQ(class_of(*magazine_full_top(stolen)), size_class);
    hands[count++] = stolen;
  }
  while (count > 0) {
    home_stack_push(&shared.stack, hands[--count]);
  }
}

static void be_thief(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < ROUNDS; i++) {
    steal_and_push(&seed);
  }
}

static void be_owner(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    for (void **magazine = home_stack_take(&shared.stack), **next; magazine != NULL; magazine = next) {
      next = magazine[0];
      home_stack_push(&shared.stack, magazine);
    }
  }
}

/* How many are on the stack: none is there twice, or it would never end. */
static size_t count_stack(void) {
  size_t count = 0;
  for (void **magazine = atomic_load(&shared.stack.first); magazine != NULL && count <= MAGAZINES;
       magazine = magazine[0]) {
    count++;
  }
  return count;
}

TEST(HomeTest, ThievesOwnersAndThoseWhoSendLoseNothing) {
  fill_stack();
  struct unit_thread threads[THIEVES + 1];
  for (size_t i = 0; i < THIEVES; i++) {
    unit_start(&threads[i], be_thief, (void *)(unit_seed() % 1000 + i + 1));
  }
  unit_start(&threads[THIEVES], be_owner, NULL);
  for (size_t i = 0; i <= THIEVES; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(count_stack(), MAGAZINES);
  EXPECT_EQ(atomic_load(&shared.stack.steals) % 2, 0);
  EXPECT_EQ(atomic_load(&shared.stack.held), NULL);
}

/* ---- the child of a fork() ---- */

static void steal_until_stopped(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  while (!atomic_load(&shared.stop)) {
    steal_and_push(&seed);
  }
}

/* What lost threads had in hand is lost; what one looked through is there, and what is there is there once. */
static void mend(void *unused) {
  (void)unused;
  home_stack_mend(&shared.stack);
  EXPECT_EQ(atomic_load(&shared.stack.steals) % 2, 0);
  size_t count = count_stack();
  EXPECT_LE(count, MAGAZINES);
  void **few = home_stack_steal(&shared.stack, FEW_CLASS);
  void **other = home_stack_steal(&shared.stack, OTHER_CLASS);
  EXPECT_EQ(count_stack(), count - (few != NULL) - (other != NULL));
}

TEST(HomeTest, TheChildOfAForkFindsEachOnce) {
  SKIP_WITHOUT_FORKS
  fill_stack();
  fork_beside_two(40, steal_until_stopped, &shared.stop, mend, 1);
  EXPECT_EQ(count_stack(), MAGAZINES);
}
