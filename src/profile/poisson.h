/* poisson: which bytes are sampled, and for how many bytes and blocks a sample stands.
 *
 * Samples are the points of a Poisson process over the bytes that a thread allocates, one in `every` on average. So a
 * block of `size` bytes is sampled with the probability p = 1 - exp(-size / every), whatever was allocated before it.
 * A sampled block counts as 1 / p blocks and size / p bytes: the expectation of what is counted for a block, p * 1 / p
 * and p * size / p, is then exactly 1 and `size`. The variance of a sum of bytes is that of each block,
 * size^2 * (1 - p) / p, at most size * every.
 *
 * Owns:     the state of the random numbers, one for the process.
 * Promises: no library of mathematics, no lock. Exact to the last byte for integers: the interval is the whole part of
 *           an exponentially distributed number, and what is left of it after a block is again such a number.
 * Callers:  src/profile. Any thread.
 */
#ifndef HAKMEM_PROFILE_POISSON_H
#define HAKMEM_PROFILE_POISSON_H

#include <stddef.h>
#include <stdint.h>

/* Blocks in parts of this. */
enum { WEIGHT_ONE = 1 << 16 };

struct weight {
  uint64_t blocks; /* in parts of WEIGHT_ONE */
  uint64_t bytes;
};

/* What a sampled block of `size` bytes, at least 1, stands for. */
struct weight poisson_weight(size_t size, size_t every);

/* Whole bytes before the next sample. */
size_t poisson_interval(size_t every);

/* The same for a number of 64 random bits. */
size_t poisson_interval_of(uint64_t random, size_t every);

/* 1 - exp(-x) for x >= 0; -log(u / 2^64) for u >= 1. For tests. */
double poisson_chance(double x);
double poisson_minus_log(uint64_t u);

#endif
