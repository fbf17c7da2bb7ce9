/* frame_chain: follows what is a chain, stops at what is none, and believes only what it has learnt. */
#include "profile/frame_chain.h"

#include <string.h>
#include <sys/mman.h>

#include "os/os.h"
#include "profile/call_stacks.h"
#include "unit/heaps.h"

enum { FRAMES = 6, WORDS = 8 };

/* As a stack grows: the caller's frame lies above. */
static _Alignas(16) uintptr_t frames[FRAMES][WORDS];

static void make_chain(void) {
  memset(frames, 0, sizeof frames);
  for (int i = 0; i < FRAMES; i++) {
    frames[i][0] = i + 1 < FRAMES ? (uintptr_t)frames[i + 1] : 0;
    frames[i][1] = 0x100000 + (uintptr_t)i * 16;
  }
}

TEST(FrameChainTest, FollowsFrames) {
  struct call calls[FRAMES];
  make_chain();
  ASSERT_EQ(frame_chain_walk((uintptr_t)frames[0], calls, FRAMES), FRAMES);
  for (int i = 0; i < FRAMES; i++) {
    EXPECT_EQ(calls[i].address, 0x100000 + (uintptr_t)i * 16 - 1);
    EXPECT_EQ(calls[i].slot, (uintptr_t)&frames[i][1]);
  }
  EXPECT_EQ(frame_chain_walk((uintptr_t)frames[0], calls, 2), 2);
}

TEST(FrameChainTest, StopsAtWhatIsNone) {
  struct call calls[FRAMES];
  uintptr_t wrong[] = {1, (uintptr_t)frames[0], (uintptr_t)frames[1] + 8, UINTPTR_MAX,
                       (uintptr_t)frames[1] + (8 << 20)};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    make_chain();
    frames[1][0] = wrong[i];
    EXPECT_EQ(frame_chain_walk((uintptr_t)frames[0], calls, FRAMES), 2);
  }
  make_chain();
  frames[3][1] = 5; /* returns to no code */
  EXPECT_EQ(frame_chain_walk((uintptr_t)frames[0], calls, FRAMES), 3);
}

/* What may not be read, and what is not there: without a fault. */
TEST(FrameChainTest, ReadsOnlyWhatIsThere) {
  size_t page = os_page_size();
  char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  uintptr_t *frame = (uintptr_t *)(void *)pages;
  struct call calls[FRAMES];
  frame[0] = (uintptr_t)pages + page;
  frame[1] = 0x100000;
  mprotect(pages + page, page, PROT_NONE);
  EXPECT_EQ(frame_chain_walk((uintptr_t)frame, calls, FRAMES), 1);
  munmap(pages + page, page);
  EXPECT_EQ(frame_chain_walk((uintptr_t)frame, calls, FRAMES), 1);
  munmap(pages, page);
  munmap(pages + 2 * page, page);
}

TEST(FrameChainTest, KnowsWhatItHasLearnt) {
  struct call calls[FRAMES];
  uintptr_t whole[FRAMES + CHAIN_START + 1];
  make_chain();
  unsigned depth = frame_chain_walk((uintptr_t)frames[0], calls, FRAMES);
  EXPECT_EQ(frame_chain_find(calls, depth), NULL);
  for (unsigned i = 0; i < FRAMES + CHAIN_START + 1; i++) {
    whole[i] = i < depth ? calls[i].address : 0x200000 + i;
  }
  /* More is missing than a start: a call without a frame pointer was left out. */
  frame_chain_learn(calls, depth, call_stacks_intern(whole, FRAMES + CHAIN_START + 1));
  EXPECT_EQ(frame_chain_find(calls, depth), NULL);
  struct call_stack *stack = call_stacks_intern(whole, FRAMES + CHAIN_START);
  frame_chain_learn(calls, depth, stack);
  EXPECT_EQ(frame_chain_find(calls, depth), stack);
  EXPECT_EQ(frame_chain_find(calls, depth - 1), NULL);
  calls[2].address++;
  EXPECT_EQ(frame_chain_find(calls, depth), NULL);
  frame_chain_learn(calls, depth, stack); /* another stack's: not believed */
  EXPECT_EQ(frame_chain_find(calls, depth), NULL);
}
