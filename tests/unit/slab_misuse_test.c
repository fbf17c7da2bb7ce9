/* slab: blocks that are freed twice or within, and slabs that are given up too soon. */
#include "warm/slab.h"

#include "os/fatal.h"
#include "os/threads.h"
#include "unit/slabs.h"
#include "unit/unit.h"
#include "warm/collect.h"
#include "warm/remote.h"

static void announce(const void *block, const void *slab) {
  notice("block %p slab %p thread %ld", block, slab, os_thread_id());
}

#define ANNOUNCED "block (" ANY_POINTER ") slab (" ANY_POINTER ") thread (" ANY_NUMBER ")\n"

static void put_twice(void *unused) {
  (void)unused;
  struct slab *slab = new_slab(size_class_of(64));
  EXPECT_EQ(take(slab, 200), 200);
  slab_put(slab, 1, UINT64_C(1) << 5, 1);
  announce(block_of(slab, 69), slab_start(slab));
  slab_put(slab, 1, UINT64_C(3) << 5, 2);
}

static void put_what_was_never_taken(void *unused) {
  (void)unused;
  struct slab *slab = used_slab(size_class_of(6144));
  announce(block_of(slab, 3), slab_start(slab));
  put_index(slab, 3);
}

static void collect_what_is_free(void *unused) {
  (void)unused;
  struct slab *slab = new_slab(size_class_of(64));
  EXPECT_EQ(take(slab, 10), 10);
  atomic_store(&slab->remote[0], UINT64_C(1) << 10);
  announce(block_of(slab, 10), slab_start(slab));
  slab_collect(slab);
}

TEST(SlabTest, ABitThatIsSetAlreadyIsADoubleFree) {
  EXPECT_STOPS(put_twice, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
  EXPECT_STOPS(put_what_was_never_taken, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 6144 bytes, slab \\2, thread \\3\n");
  EXPECT_STOPS(collect_what_is_free, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
}

static void interior(void *what) {
  struct slab *slab = new_slab(size_class_of(1024));
  announce(block_of(slab, 3) + 8, slab_start(slab));
  fatal_interior(block_of(slab, 3) + 8, slab->size_class, what);
}

TEST(SlabTest, TheLineOfAnInteriorPointerNamesTheCall) {
  EXPECT_STOPS(interior, "free",
               ANNOUNCED
               "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n");
  EXPECT_STOPS(interior, "realloc",
               ANNOUNCED "hakmem: realloc of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, "
                         "thread \\3\n");
}

#if HAKMEM_VALIDATE
static void unbind_in_use(void *unused) {
  (void)unused;
  struct slab *slab = new_slab(size_class_of(64));
  EXPECT_EQ(take(slab, 1), 1);
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
}

static void unbind_without_token(void *unused) {
  (void)unused;
  slab_unbind(new_slab(size_class_of(64)));
}

TEST(SlabTest, DebugBuildsRefuseToUnbindWhatIsInUseOrNotHeld) {
  EXPECT_STOPS(unbind_in_use, NULL, "hakmem: invariant broken: slab_is_empty\\(slab\\).* at .*slab\\.c:[0-9]+\n");
  EXPECT_STOPS(unbind_without_token, NULL, "hakmem: invariant broken: .*token.* at .*slab\\.c:[0-9]+\n");
}
#endif
