/* density: whether the program uses whole what it is given, so that huge pages would not make resident what it never
 * touches.
 *
 * One block now and then, the probe, is looked at when another one takes its place, and when it is freed or moved: with
 * what its size leaves unused of its last unit, as a huge page makes that resident too. What is looked at lies in small
 * pages, as what lies in a huge page is resident whether it is used or not: the end of the block, behind its last huge
 * page; or all of it.
 *
 * Owns:     for each kind of block: the probe, and what the last one told.
 * Promises: a look is one system call, at 1 MiB in the middle. While blocks are used whole there are few probes, and
 *           while they are not fewer and fewer, down to a 16th, or to so few: who asks for much and uses little would
 *           else pay for each block.
 * Callers:  cold/huge_pages.c, cold/large.c, cold/probed.c, and WARM when a slab ends. Any thread, no lock: a block
 *           that is gone by the time it is looked at tells nothing.
 */
#ifndef HAKMEM_COLD_DENSITY_H
#define HAKMEM_COLD_DENSITY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* One kind of block. */
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what each allocation writes has a cache line of its own
struct density {
  size_t every, every_whole; /* one probe in about so many units, a power of two; and while blocks are used whole. 0: as
                                is usual for units of the pool */
  _Atomic unsigned doubled;  /* how often `every` was, by probes that were not used whole */
  atomic_bool whole;
  const char *_Atomic probe;
  _Atomic size_t from, bytes;        /* of the probe: what is looked at */
  _Alignas(64) _Atomic size_t units; /* handed out so far; apart from what each free reads */
  _Atomic size_t put_off;            /* handed out since a probe was due; 0: none is */
};

/* Of blocks of 32 KiB to 2 MiB, large and huge, in units of the pool. */
extern HIDDEN struct density density_large;

/* Of slabs of several units, in units. Their blocks are handed out one by one, so that the first 8 MiB lie in small
 * pages: a part of each slab may never be used. */
extern HIDDEN struct density density_wide;

/* A block of `units` is about to be given: it may come in huge pages; or it is to be the probe, if what is looked at
 * does not. */
enum density_answer { DENSITY_SMALL, DENSITY_HUGE, DENSITY_PROBE };

/* While blocks are used whole, the probe is the next one that `tells` so though it comes in huge pages, as others would
 * have to lie in small ones; but for as many units as lie between two probes at most. */
enum density_answer density_ask(struct density *density, size_t units, bool tells);

/* So far the blocks that follow may come in huge pages. */
bool density_is_whole(const struct density *density);

/* This block is the probe; `bytes` at `from` lie in small pages, and are looked at. */
void density_probe(struct density *density, const char *start, size_t from, size_t bytes);

/* A block is about to be freed, or moved. */
void density_left(struct density *density, const void *start);

/* This block, which has been moved, tells as the probe does. */
void density_judge(struct density *density, const char *start, size_t bytes);

#endif
