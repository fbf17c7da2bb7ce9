#include "profile/poisson.h"

#include "os/os.h"

/* ---- two functions of mathematics, so that nothing is linked for them ---- */

/* expm1(-x) by its series, of which few terms are needed where x is small; above 1/2 by expm1(2a) = y * (2 + y). */
double poisson_chance(double x) {
  static const double certain = 40;
  static const double part[] = {1.0,     1.0 / 2, 1.0 / 3, 1.0 / 4,  1.0 / 5,  1.0 / 6,
                                1.0 / 7, 1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12};
  enum { FEW = 5, TERMS = sizeof part / sizeof part[0] };
  if (x > certain) {
    return 1;
  }
  unsigned doublings = 0;
  while (x > 0.5) {
    x /= 2;
    doublings++;
  }
  double sum = 0;
  for (int i = x < 1.0 / 64 ? FEW : TERMS; i > 0; i--) {
    sum = -x * part[i - 1] * (1 + sum);
  }
  for (; doublings > 0; doublings--) {
    sum *= 2 + sum;
  }
  return -sum;
}

/* log by exponent and mantissa: with m from 1 to 2 and z = (m - r) / (m + r), r = sqrt 2, log m = log r + 2 atanh z. */
double poisson_minus_log(uint64_t u) {
  static const double root = 1.4142135623730951;
  static const double log_2 = 0.69314718055994531;
  static const double part[] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11};
  enum { TERMS = sizeof part / sizeof part[0], BITS = 64, FRACTION_BITS = 52 };
  int shift = __builtin_clzll(u);
  double mantissa = 1 + (double)(u << shift << 1 >> (BITS - FRACTION_BITS)) / (double)(UINT64_C(1) << FRACTION_BITS);
  double z = (mantissa - root) / (mantissa + root);
  double sum = 0;
  for (int i = TERMS; i > 0; i--) {
    sum = sum * z * z + part[i - 1];
  }
  return (shift + 1) * log_2 - (log_2 / 2 + 2 * z * sum);
}

/* ---- what follows from them ---- */

struct weight poisson_weight(size_t size, size_t every) {
  double chance = poisson_chance((double)size / (double)every);
  return (struct weight){
      .blocks = (uint64_t)(WEIGHT_ONE / chance + 0.5),
      .bytes = (uint64_t)((double)size / chance + 0.5),
  };
}

size_t poisson_interval_of(uint64_t random, size_t every) {
  return (size_t)(poisson_minus_log(random | 1) * (double)every);
}

/* A Weyl sequence and a finaliser: numbers of any thread, each by one addition. */
static uint64_t next_random(void) {
  static _Atomic uint64_t state;
  uint64_t seed = atomic_load_explicit(&state, memory_order_relaxed);
  if (unlikely(seed == 0)) {
    atomic_compare_exchange_strong(&state, &seed, os_random() | 1);
  }
  uint64_t x = atomic_fetch_add_explicit(&state, UINT64_C(0x9E3779B97F4A7C15), memory_order_relaxed);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

size_t poisson_interval(size_t every) { return poisson_interval_of(next_random(), every); }
