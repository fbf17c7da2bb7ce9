#include "cold/huge_places.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/base.h"

enum { PAGE_SHIFT = 12, SHARES_SHIFT = 3, SHARES = 1 << SHARES_SHIFT };
enum { BINS = (48 - PAGE_SHIFT - SHARES_SHIFT + 1) * SHARES, BIN_WORDS = (BINS + 63) / 64 };

static RARE_ZEROES struct huge_range ranges[RANGES_MAX];
ADDRESS_KNOWN_AS(root_huge_ranges, ranges);

/* The numbers of the places that are taken, in no order, and behind them of those that were once. */
static RARE_ZEROES uint16_t numbers[RANGES_MAX];
static RARE_ZEROES unsigned known;
static _Atomic unsigned taken;

unsigned places_count(void) { return atomic_load_explicit(&taken, memory_order_relaxed); }

static void set_count(unsigned count) { atomic_store_explicit(&taken, count, memory_order_relaxed); }

struct huge_range *places_at(unsigned i) {
  return &ranges[numbers[i]];
}

/* A list for each bin, and one for each hash of an address, of the ranges that begin, and that end, at such addresses.
 * A place is told by its number and one, and 0 ends a list. */
static RARE_ZEROES uint16_t first[BINS];
static RARE_ZEROES uint64_t filled[BIN_WORDS];
static RARE_ZEROES struct {
  uint16_t at; /* in the numbers */
  uint16_t next, previous;
} links[RANGES_MAX];

enum { HASH_SHIFT = 9, HASHES = 1 << HASH_SHIFT };
struct hashed {
  uint16_t first[HASHES], next[RANGES_MAX];
};
static RARE_ZEROES struct hashed beginnings, ends;

static unsigned number_of(const struct huge_range *place) { return (unsigned)(place - ranges); }

/* ---- by length ---- */

static unsigned bin_of(size_t bytes) {
  size_t pages = bytes >> PAGE_SHIFT;
  if (pages < SHARES) {
    return (unsigned)pages;
  }
  unsigned shift = 63 - SHARES_SHIFT - (unsigned)__builtin_clzll(pages);
  return shift * SHARES + (unsigned)(pages >> shift);
}

static void enter_bin(unsigned number) {
  unsigned bin = bin_of(ranges[number].bytes);
  unsigned head = first[bin];
  links[number].next = (uint16_t)head;
  links[number].previous = 0;
  if (head != 0) {
    links[head - 1].previous = (uint16_t)(number + 1);
  }
  first[bin] = (uint16_t)(number + 1);
  filled[bin / 64] |= UINT64_C(1) << bin % 64;
}

static void leave_bin(unsigned number) {
  unsigned bin = bin_of(ranges[number].bytes);
  if (links[number].next != 0) {
    links[links[number].next - 1].previous = links[number].previous;
  }
  if (links[number].previous != 0) {
    links[links[number].previous - 1].next = links[number].next;
    return;
  }
  first[bin] = links[number].next;
  if (first[bin] == 0) {
    filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
  }
}

/* The first bin from this one on that has a range; BINS: there is none. */
static unsigned filled_from(unsigned bin) {
  for (unsigned word = bin / 64; word < BIN_WORDS; word++) {
    uint64_t bits = filled[word] & (word == bin / 64 ? UINT64_MAX << bin % 64 : UINT64_MAX);
    if (bits != 0) {
      return word * 64 + (unsigned)__builtin_ctzll(bits);
    }
  }
  return BINS;
}

static bool fits(const struct huge_range *range, size_t bytes, size_t alignment) {
  size_t skipped = -(uintptr_t)range->start & (alignment - 1);
  return range->bytes >= bytes && range->bytes - bytes >= skipped;
}

struct huge_range *places_best(size_t bytes, size_t alignment) {
  struct huge_range *best = NULL;
  for (unsigned bin = filled_from(bin_of(bytes)); bin < BINS && best == NULL; bin = filled_from(bin + 1)) {
    for (unsigned i = first[bin]; i != 0 && (best == NULL || best->bytes > bytes); i = links[i - 1].next) {
      struct huge_range *range = &ranges[i - 1];
      if (fits(range, bytes, alignment) && (best == NULL || range->bytes < best->bytes)) {
        best = range;
      }
    }
  }
  return best;
}

/* ---- by address ---- */

static const char *end_of(const struct huge_range *range) { return range->start + range->bytes; }

static uint16_t *list_of(struct hashed *hashed, const char *address) {
  return &hashed->first[((uintptr_t)address >> PAGE_SHIFT) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_SHIFT)];
}

static void enter_list(struct hashed *hashed, const char *address, unsigned number) {
  uint16_t *list = list_of(hashed, address);
  hashed->next[number] = *list;
  *list = (uint16_t)(number + 1);
}

static void leave_list(struct hashed *hashed, const char *address, unsigned number) {
  uint16_t *link = list_of(hashed, address);
  while (*link != number + 1) {
    link = &hashed->next[*link - 1];
  }
  *link = hashed->next[number];
}

static struct huge_range *ends_at(const char *address) {
  unsigned i = *list_of(&ends, address);
  while (i != 0 && end_of(&ranges[i - 1]) != address) {
    i = ends.next[i - 1];
  }
  return i == 0 ? NULL : &ranges[i - 1];
}

static struct huge_range *begins_at(const char *address) {
  unsigned i = *list_of(&beginnings, address);
  while (i != 0 && ranges[i - 1].start != address) {
    i = beginnings.next[i - 1];
  }
  return i == 0 ? NULL : &ranges[i - 1];
}

struct neighbours places_beside(struct huge_range range) {
  return (struct neighbours){ends_at(range.start), begins_at(end_of(&range))};
}

/* ---- changes ---- */

/* The address last: a range shows whole, or not at all. */
static void store(struct huge_range *place, struct huge_range range) {
  place->start = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  place->bytes = range.bytes;
  place->freed = range.freed;
  atomic_signal_fence(memory_order_seq_cst);
  place->start = range.start;
}

static void set_number(unsigned at, unsigned number) {
  numbers[at] = (uint16_t)number;
  links[number].at = (uint16_t)at;
}

/* This place is taken, by a range that is in no list yet; the others that are taken are in all. */
static void enter(unsigned number) {
  unsigned count = places_count();
  set_number(count, number);
  set_count(count + 1);
  enter_bin(number);
  enter_list(&beginnings, ranges[number].start, number);
  enter_list(&ends, end_of(&ranges[number]), number);
}

struct huge_range *places_add(struct huge_range range) {
  unsigned count = places_count();
  if (count == RANGES_MAX) {
    return NULL;
  }
  unsigned number = count < known ? numbers[count] : known++;
  store(&ranges[number], range);
  enter(number);
  return &ranges[number];
}

void places_change(struct huge_range *place, struct huge_range range) {
  unsigned number = number_of(place);
  struct huge_range before = *place;
  leave_bin(number);
  store(place, range);
  enter_bin(number);
  if (range.start != before.start) {
    leave_list(&beginnings, before.start, number);
    enter_list(&beginnings, range.start, number);
  }
  if (end_of(&range) != end_of(&before)) {
    leave_list(&ends, end_of(&before), number);
    enter_list(&ends, end_of(&range), number);
  }
}

void places_drop(struct huge_range *place) {
  unsigned number = number_of(place);
  leave_bin(number);
  leave_list(&beginnings, place->start, number);
  leave_list(&ends, end_of(place), number);
  place->start = NULL;
  unsigned last = places_count() - 1;
  set_number(links[number].at, numbers[last]);
  set_number(last, number);
  set_count(last);
}

void places_mend(void) {
  set_count(0);
  memset(first, 0, sizeof first);
  memset(filled, 0, sizeof filled);
  memset(beginnings.first, 0, sizeof beginnings.first);
  memset(ends.first, 0, sizeof ends.first);
  for (unsigned number = 0; number < RANGES_MAX; number++) {
    if (ranges[number].start != NULL) {
      enter(number);
    }
  }
  known = places_count();
  for (unsigned number = 0; number < RANGES_MAX; number++) {
    if (ranges[number].start == NULL) {
      numbers[known++] = (uint16_t)number;
    }
  }
}
