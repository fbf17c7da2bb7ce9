/* window: one word per unit says who owns it and of which class; the look-up of any address is safe. */
#include "cold/window.h"

#include "cold/superslab.h"
#include "hakmem.h"
#include "hot/cache.h"
#include "unit/unit.h"
#include "warm/refill.h"

static unit_tag tag_of_class(uint32_t owner, size_t size_class) {
  return owner << UNIT_TAG_CLASS_BITS | (unit_tag)size_class;
}

TEST(WindowTest, AddressesOutsideTheWindowHaveNone) {
  hak_free(hak_malloc(1)); /* places the window */
  ASSERT_GT(window_units, 0);
  uintptr_t end = window_base + (window_units << UNIT_SHIFT);
  int on_stack = 0;
  EXPECT_EQ(unit_tag_of(NULL), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of(&on_stack), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of(&size_classes), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)(window_base - 1)), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)end), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)UINTPTR_MAX), UNIT_TAG_NONE);
}

TEST(WindowTest, UnitsCountFromTheBaseOfTheWindow) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(window_base % SUPERSLAB_BYTES, 0);
  EXPECT_EQ(window_unit((void *)window_base), 0);
  EXPECT_EQ(window_unit((void *)(window_base + UNIT_BYTES - 1)), 0);
  EXPECT_EQ(window_unit((void *)(window_base + UNIT_BYTES)), 1);
  EXPECT_GE(window_unit((void *)(window_base - 1)), window_units);
}

TEST(WindowTest, BothEndsOfTheWindowCanBeRead) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(unit_tag_at(window_units - 1), UNIT_TAG_NONE);
  EXPECT_EQ(window_superslabs[(window_units - 1) / SUPERSLAB_UNITS], NULL);
  (void)unit_tag_at(0);
}

TEST(WindowTest, EveryByteOfABlockNamesItsOwnerAndClass) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    size_t stride = size_classes[size_class].stride;
    char *block = refill(stride, size_class);
    unit_tag tag = unit_tag_of(block);
    size_t tagged = unit_tag_class(tag);
    EXPECT_TRUE(tagged == size_class || tagged == size_class + 1); /* a block of the next class may serve */
    EXPECT_EQ(tag, tag_of_class((uint32_t)(thread_cache.self >> UNIT_TAG_CLASS_BITS), tagged));
    EXPECT_EQ(unit_tag_of(block + stride - 1), tag);
    EXPECT_EQ((uint64_t)tag ^ thread_cache.self, tagged);
    hak_free(block);
  }
}

static void own_tag(void *self) {
  void *block = hak_malloc(64);
  *(uint64_t *)self = thread_cache.self;
  EXPECT_EQ(unit_tag_of(block) >> UNIT_TAG_CLASS_BITS, thread_cache.self >> UNIT_TAG_CLASS_BITS);
  hak_free(block);
}

TEST(WindowTest, LivingThreadsHaveDifferentOwners) {
  uint64_t other;
  hak_free(hak_malloc(64));
  unit_in_thread(own_tag, &other);
  EXPECT_NE(other, thread_cache.self);
  EXPECT_NE(other, UNIT_TAG_NOBODY);
}

TEST(WindowTest, NoTagIsMineForAThreadWithoutAHeap) {
  const uint64_t nobody = UNIT_TAG_NOBODY;
  const unit_tag all[] = {UNIT_TAG_NONE,
                          UNIT_TAG_LARGE,
                          UNIT_TAG_INSIDE,
                          tag_of_class(1, 0),
                          tag_of_class(1, SIZE_CLASS_COUNT - 1),
                          tag_of_class(OWNER_MAX, 0),
                          tag_of_class(OWNER_MAX, SIZE_CLASS_COUNT - 1)};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    EXPECT_GE(all[i] ^ nobody, SIZE_CLASS_COUNT);
  }
}

TEST(WindowTest, OnlyTheSameOwnersSlabsAreMine) {
  const uint32_t owners[] = {1, 2, 255, 256, OWNER_MAX - 1, OWNER_MAX};
  const size_t count = sizeof owners / sizeof owners[0];
  for (size_t mine = 0; mine < count; mine++) {
    uint64_t self = owners[mine] << UNIT_TAG_CLASS_BITS;
    EXPECT_GE(UNIT_TAG_NONE ^ self, SIZE_CLASS_COUNT);
    EXPECT_GE(UNIT_TAG_LARGE ^ self, SIZE_CLASS_COUNT);
    EXPECT_GE(UNIT_TAG_INSIDE ^ self, SIZE_CLASS_COUNT);
    for (size_t other = 0; other < count; other++) {
      for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
        ASSERT_EQ((tag_of_class(owners[other], size_class) ^ self) == size_class, mine == other);
      }
    }
  }
}

TEST(WindowTest, SettingTouchesExactlyTheRange) {
  hak_free(hak_malloc(1));
  const size_t unit = window_units - 8; /* no arena has come so far */
  ASSERT_TRUE(window_cover(unit / SUPERSLAB_UNITS));
  unit_tag_set(unit + 2, 3, UNIT_TAG_INSIDE);
  const unit_tag expected[] = {0, 0, UNIT_TAG_INSIDE, UNIT_TAG_INSIDE, UNIT_TAG_INSIDE, 0, 0, 0};
  for (size_t i = 0; i < 8; i++) {
    EXPECT_EQ(unit_tag_at(unit + i), expected[i]);
  }
  unit_tag_set(unit + 2, 3, UNIT_TAG_NONE);
  unit_tag_set(unit, 0, UNIT_TAG_LARGE);
  for (size_t i = 0; i < 8; i++) {
    EXPECT_EQ(unit_tag_at(unit + i), UNIT_TAG_NONE);
  }
}

/* ---- before the start ---- */

static struct {
  bool seen;
  uintptr_t base;
  size_t units;
} before_start;

static void look_before_the_start(void) {
  before_start.seen = true;
  before_start.base = window_base;
  before_start.units = window_units;
}

/* Ahead of every constructor, which may allocate. */
__attribute__((section(".preinit_array"), used)) static void (*const first_of_all)(void) = look_before_the_start;

/* A thread that has no order with the start may see how many units there are, and not yet where. */
TEST(WindowTest, BeforeTheStartEveryAddressLiesOutside) {
  if (!before_start.seen || before_start.units != 0) {
    SKIP("the library starts before any code of the program's");
  }
  int on_stack = 0;
  char *block = hak_malloc(100);
  const uintptr_t addresses[] = {0,
                                 1,
                                 UNIT_BYTES,
                                 (uintptr_t)&on_stack,
                                 (uintptr_t)&size_classes,
                                 (uintptr_t)block,
                                 window_base,
                                 window_base + (window_units << UNIT_SHIFT),
                                 ((uintptr_t)1 << 47) - 1,
                                 (uintptr_t)1 << 47,
                                 ((uintptr_t)1 << 56) - 1,
                                 (uintptr_t) - ((intptr_t)1 << 47),
                                 UINTPTR_MAX};
  const uintptr_t base = window_base;
  const size_t units = (size_t)64 << 40 >> UNIT_SHIFT; /* of the widest window */
  size_t inside = 0;
  window_base = before_start.base;
  for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
    inside += window_unit((const void *)addresses[i]) < units;
  }
  window_base = base;
  EXPECT_EQ(inside, 0);
  EXPECT_LT(window_unit(block), window_units);
  hak_free(block);
}

/* ---- where it lies ---- */

TEST(WindowTest, HoldsRangesThatLieWhollyInside) {
  char *first = (char *)window_base;
  const size_t bytes = window_units << UNIT_SHIFT;
  EXPECT_TRUE(window_holds(first, bytes));
  EXPECT_TRUE(window_holds(first + bytes - UNIT_BYTES, UNIT_BYTES));
  EXPECT_FALSE(window_holds(first, bytes + 1));
  EXPECT_FALSE(window_holds(first + bytes - UNIT_BYTES, UNIT_BYTES + 1));
  EXPECT_FALSE(window_holds(first - 1, 1));
  EXPECT_FALSE(window_holds(first + bytes, 1));
}

static void move(void *unused) {
  (void)unused;
  const uintptr_t bytes = window_units << UNIT_SHIFT;
  const uintptr_t places[] = {(uintptr_t)100 << 40, ((uintptr_t)120 << 40) + (uintptr_t)12345 * SUPERSLAB_BYTES + 4096,
                              SUPERSLAB_BYTES, bytes / 2};
  const uintptr_t base = window_base;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    window_move((const void *)places[i]);
    const uintptr_t moved = window_base;
    bool held = window_holds((const void *)places[i], SUPERSLAB_BYTES);
    window_base = base;
    EXPECT_EQ(moved % SUPERSLAB_BYTES, 0);
    EXPECT_GT(moved, 0); /* NULL lies outside */
    EXPECT_TRUE(held);
  }
}

TEST(WindowTest, GoesRoundItsFirstArenaWhereHintsAreNotHonoured) { EXPECT_RUNS(move, NULL, ""); }

/* ---- routes ---- */

TEST(WindowTest, TheTagSaysWhichBoxServes) {
  EXPECT_EQ(route_of(UNIT_TAG_NONE), ROUTE_OUTSIDE);
  EXPECT_EQ(route_of(UNIT_TAG_LARGE), ROUTE_LARGE);
  EXPECT_EQ(route_of(UNIT_TAG_INSIDE), ROUTE_LARGE);
  EXPECT_EQ(route_of(unit_tag_for(1, 0)), ROUTE_SLAB);
  EXPECT_EQ(route_of(unit_tag_for(OWNER_MAX, SIZE_CLASS_COUNT - 1)), ROUTE_SLAB);
  EXPECT_EQ(unit_tag_owner(unit_tag_for(OWNER_MAX, 7)), OWNER_MAX);
  EXPECT_EQ(unit_tag_class(unit_tag_for(OWNER_MAX, 7)), 7);
}
