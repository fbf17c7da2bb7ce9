/* poisson: the two functions are right, and what is counted is what was allocated. */
#include "profile/poisson.h"

#include "base/base.h"
#include "unit/unit.h"

static double absolute(double x) { return x < 0 ? -x : x; }

static bool is_near(double value, double expected) { return absolute(value - expected) <= 1e-9 * absolute(expected); }

TEST(PoissonTest, ChancesAreThoseOfTheExponentialFunction) {
  static const struct {
    double x, chance;
  } known[] = {
      {1e-9, 9.999999995e-10},
      {3.0517578125e-05, 3.051711246844961e-05},
      {0.0156, 0.015478950276008758},
      {0.0157, 0.01557739745853999},
      {0.3, 0.2591817793182821},
      {0.5, 0.3934693402873666},
      {0.51, 0.39950442118773405},
      {1, 0.6321205588285577},
      {2.5, 0.9179150013761013},
      {10, 0.9999546000702375},
      {39, 1},
      {1e6, 1},
  };
  EXPECT_EQ(poisson_chance(0), 0);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    NOTE("x number %u", i);
    EXPECT_TRUE(is_near(poisson_chance(known[i].x), known[i].chance));
  }
}

TEST(PoissonTest, LogarithmsAreRight) {
  static const double log_2 = 0.69314718055994531;
  for (unsigned bit = 0; bit < 64; bit++) {
    EXPECT_TRUE(is_near(poisson_minus_log(UINT64_C(1) << bit), (64 - bit) * log_2));
  }
  EXPECT_TRUE(is_near(poisson_minus_log(UINT64_C(3) << 62), 0.2876820724517809));  /* of 3/4 */
  EXPECT_TRUE(is_near(poisson_minus_log(UINT64_C(5) << 61), 0.47000362924573558)); /* of 5/8 */
  EXPECT_TRUE(poisson_minus_log(UINT64_MAX) < 1e-9);
  EXPECT_TRUE(poisson_minus_log(UINT64_MAX) > -1e-9);
}

TEST(PoissonTest, IntervalsHaveTheirMeanAndTheirSpread) {
  enum { DRAWS = 200000, EVERY = 1 << 20 };
  double sum = 0;
  unsigned above = 0;
  for (unsigned i = 0; i < DRAWS; i++) {
    size_t interval = poisson_interval(EVERY);
    sum += (double)interval;
    above += interval > EVERY;
  }
  /* Five standard deviations of a mean of so many, and of the part that exceeds the mean, 1/e. */
  EXPECT_TRUE(absolute(sum / DRAWS / EVERY - 1) < 5 / 447.0);
  EXPECT_TRUE(absolute((double)above / DRAWS - 0.36787944) < 5 * 0.00108);
}

/* Blocks of these sizes, allocated one after the other, are sampled as the sampler does it. */
TEST(PoissonTest, WhatIsCountedIsWhatWasAllocated) {
  static const size_t sizes[] = {8, 16, 100, 1000, 4095, 5000, 70000};
  enum { KINDS = sizeof sizes / sizeof *sizes, ROUNDS = 100000, EVERY = 4096 };
  double blocks[KINDS] = {0};
  double bytes[KINDS] = {0};
  uint64_t seed = 7;
  size_t left = poisson_interval_of(unit_random(&seed), EVERY);
  for (unsigned i = 0; i < KINDS * ROUNDS; i++) {
    unsigned kind = i % KINDS;
    if (sizes[kind] <= left) {
      left -= sizes[kind];
      continue;
    }
    left = poisson_interval_of(unit_random(&seed), EVERY);
    struct weight weight = poisson_weight(sizes[kind], EVERY);
    blocks[kind] += (double)weight.blocks / WEIGHT_ONE;
    bytes[kind] += (double)weight.bytes;
  }
  for (unsigned kind = 0; kind < KINDS; kind++) {
    double chance = poisson_chance((double)sizes[kind] / EVERY);
    double variance = ROUNDS * (1 - chance) / chance; /* of the number of blocks */
    double off = blocks[kind] - ROUNDS;
    NOTE("%zu bytes: %.0f blocks, variance %.0f", sizes[kind], blocks[kind], variance);
    EXPECT_TRUE(off * off <= 25 * variance + 1);
    EXPECT_TRUE(absolute(bytes[kind] / (double)sizes[kind] - blocks[kind]) < 1e-3 * ROUNDS);
  }
}

TEST(PoissonTest, EveryByteAndMoreThanEver) {
  EXPECT_EQ(poisson_weight(64, 1).bytes, 64);
  EXPECT_EQ(poisson_weight(64, 1).blocks, WEIGHT_ONE);
  EXPECT_EQ(poisson_weight(100 * MIB, 512 * KIB).bytes, 100 * MIB);
  struct weight rare = poisson_weight(1, (size_t)1 << 47);
  EXPECT_GE(rare.bytes, (uint64_t)1 << 47);
  EXPECT_LE(rare.bytes, ((uint64_t)1 << 47) + 1);
}
