/* huge_places: the table of ranges. Each test in a process of its own, where nothing else is in it. */
#include "cold/huge_places.h"

#include <string.h>

#include "base/base.h"
#include "os/system.h"
#include "unit/unit.h"

enum { STEP = 4 * MIB };

/* Addresses that nobody touches. */
static char *address(size_t i) { return (char *)(uintptr_t)(GIB + i * STEP); } // NOLINT(performance-no-int-to-ptr)

static struct huge_range *add(size_t i, size_t bytes) { return places_add((struct huge_range){address(i), bytes, i}); }

static struct neighbours beside(char *begin, char *end) {
  return places_beside((struct huge_range){begin, (size_t)(end - begin), 0});
}

/* The one that begins there. */
static struct huge_range *at(char *start) { return beside(start - MIB, start).behind; }

/* Each is found by where it begins and ends. */
static void expect_found(void) {
  for (unsigned i = 0; i < places_count(); i++) {
    struct huge_range *place = places_at(i);
    char *end = place->start + place->bytes;
    EXPECT_EQ(at(place->start), place);
    EXPECT_EQ(beside(end, end + MIB).before, place);
  }
}

static void add_and_drop(void *unused) {
  (void)unused;
  static const unsigned char order[] = {5, 2, 9, 0, 7, 1, 8, 3, 6, 4};
  for (size_t i = 0; i < sizeof order; i++) {
    ASSERT_NE(add(order[i], MIB), NULL);
    EXPECT_EQ(places_count(), i + 1);
    expect_found();
  }
  for (size_t i = 0; i < sizeof order; i++) {
    EXPECT_NE(at(address(i)), NULL);
  }
  places_drop(at(address(4)));
  places_drop(at(address(0)));
  EXPECT_EQ(places_count(), 8);
  expect_found();
  EXPECT_EQ(at(address(4)), NULL);
  EXPECT_EQ(beside(address(4) + MIB, address(5)).before, NULL);
  EXPECT_EQ(beside(address(4), address(5)).behind, at(address(5)));
}

TEST(HugePlacesTest, RangesAreFoundByWhereTheyBeginAndEnd) { EXPECT_RUNS(add_and_drop, NULL, ""); }

/* A range becomes one from `begin` to `end`, in MiB from where it began. */
static void expect_changed(size_t begin, size_t end) {
  static size_t i;
  struct huge_range *place = add(++i, 2 * MIB);
  char *old = place->start;
  char *new = old + begin *MIB;
  places_change(place, (struct huge_range){new, (end - begin) * MIB, 1});
  expect_found();
  EXPECT_EQ(at(new), place);
  EXPECT_EQ(at(old), begin == 0 ? place : NULL);
  EXPECT_EQ(beside(old + 2 * MIB, old + 3 * MIB).before, end == 2 ? place : NULL);
}

static void change(void *unused) {
  (void)unused;
  expect_changed(0, 1);
  expect_changed(0, 3);
  expect_changed(1, 2);
  expect_changed(1, 3);
  EXPECT_EQ(places_count(), 4);
}

TEST(HugePlacesTest, AChangedRangeIsFoundByWhereItBeginsAndEndsNow) { EXPECT_RUNS(change, NULL, ""); }

/* Of all lengths, against a search of all. */
static void find_best(void *unused) {
  (void)unused;
  uint64_t seed = unit_seed();
  for (size_t i = 0; i < 300; i++) {
    size_t pages = (size_t)1 << unit_below(&seed, 9);
    add(i, (pages + unit_below(&seed, pages)) * 4096);
  }
  for (size_t step = 0; step < 2000; step++) {
    size_t bytes = (1 + unit_below(&seed, 1100)) * 4096;
    const struct huge_range *best = NULL;
    for (unsigned i = 0; i < places_count(); i++) {
      const struct huge_range *range = places_at(i);
      best = range->bytes >= bytes && (best == NULL || range->bytes < best->bytes) ? range : best;
    }
    struct huge_range *found = places_best(bytes, 1);
    ASSERT_EQ(found == NULL, best == NULL);
    if (found != NULL) {
      ASSERT_EQ(found->bytes, best->bytes);
      size_t rest = found->bytes - bytes;
      if (rest == 0) {
        places_drop(found);
      } else {
        places_change(found, (struct huge_range){found->start + bytes, rest, 0});
      }
    }
  }
  expect_found();
  EXPECT_EQ(places_best((size_t)1 << 47, 1), NULL);
}

TEST(HugePlacesTest, TheShortestThatIsLongEnoughIsFound) { EXPECT_RUNS(find_best, NULL, ""); }

static void find_aligned(void *unused) {
  (void)unused;
  places_add((struct huge_range){address(1) + 4096, 2 * MIB, 0});
  places_add((struct huge_range){address(3) + 4096, 3 * MIB, 0});
  EXPECT_EQ(places_best(2 * MIB, 1)->start, address(1) + 4096);
  EXPECT_EQ(places_best(MIB, 2 * MIB)->start, address(3) + 4096);
  EXPECT_EQ(places_best(2 * MIB, 2 * MIB), NULL);
}

TEST(HugePlacesTest, FromAnAlignedAddressOn) { EXPECT_RUNS(find_aligned, NULL, ""); }

static void fill(void *unused) {
  (void)unused;
  for (size_t i = 0; i < RANGES_MAX; i++) {
    ASSERT_NE(add(i, MIB), NULL);
  }
  EXPECT_EQ(add(RANGES_MAX, MIB), NULL);
  places_drop(places_at(17));
  ASSERT_NE(add(RANGES_MAX, MIB), NULL);
  expect_found();
}

TEST(HugePlacesTest, ThereAreSoManyAndNoMore) { EXPECT_RUNS(fill, NULL, ""); }

/* As a child of fork() finds them whose parent was at work: the places hold what they hold, all else may be wrong. */
static void mend(void *unused) {
  (void)unused;
  for (size_t i = 0; i < 20; i++) {
    ASSERT_NE(add(i * 7 % 20, (i + 1) * 4096), NULL);
  }
  struct huge_range *lost = places_at(3);
  struct huge_range *shorter = places_at(11);
  lost->start = NULL;
  shorter->bytes = 4096;
  places_mend();
  EXPECT_EQ(places_count(), 19);
  expect_found();
  EXPECT_EQ(places_best(4096, 1)->bytes, 4096);
  while (places_best(4096, 1) != NULL) {
    places_drop(places_best(4096, 1));
  }
  EXPECT_EQ(places_count(), 0);
  for (size_t i = 0; i < RANGES_MAX; i++) {
    ASSERT_NE(add(i, MIB), NULL);
  }
  EXPECT_EQ(add(RANGES_MAX, MIB), NULL);
}

TEST(HugePlacesTest, TheyAreFoundAnewInTheChildOfAFork) { EXPECT_RUNS(mend, NULL, ""); }
