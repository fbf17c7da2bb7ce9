#include "warm/holes.h"

enum { WORD_BITS = 64 };

static unsigned page_shift(void) { return (unsigned)__builtin_ctzl(os_page_size()); }
static unsigned page_of(size_t offset) { return (unsigned)(offset >> page_shift()); }

/* The bits of a word from `first` to `last`. */
static uint64_t bits_of(size_t first, size_t last) {
  return ~UINT64_C(0) << first & ~UINT64_C(0) >> (WORD_BITS - 1 - last);
}

static unsigned lowest(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }
static unsigned highest(uint64_t bits) { return WORD_BITS - 1U - (unsigned)__builtin_clzll(bits); }

static size_t bytes_of(uint64_t pages) { return (unsigned)__builtin_popcountll(pages) * os_page_size(); }

static void set_absent(struct slab *slab, uint64_t pages) {
  slab->absent |= pages;
  slab->has_holes = slab->absent != 0;
}

static void set_present(struct slab *slab, uint64_t pages) {
  slab->absent &= ~pages;
  slab->has_holes = slab->absent != 0;
}

size_t holes_bytes(const struct slab *slab) { return slab->has_holes ? bytes_of(slab->absent) : 0; }

/* ---- taking ---- */

/* Pages that the bytes from one offset to another lie in. */
static uint64_t pages_of(size_t from, size_t to) { return bits_of(page_of(from), page_of(to - 1)); }

/* Blocks that lie in a row of pages, if only in part. */
struct blocks {
  size_t first, last;
};

static struct blocks blocks_of(const struct size_class *shape, unsigned first_page, unsigned last_page) {
  size_t start = (size_t)first_page << page_shift();
  size_t end = (size_t)(last_page + 1) << page_shift();
  return (struct blocks){block_index_at(shape, start), block_index_at(shape, end - 1)};
}

/* Blocks of a word of the bitmap that lie in holes, if only in part. */
static uint64_t blocks_in_holes(const struct slab *slab, const struct size_class *shape, unsigned word) {
  size_t first = (size_t)word * WORD_BITS;
  size_t last = first + WORD_BITS < shape->capacity ? first + WORD_BITS - 1 : shape->capacity - 1U;
  uint64_t pages = slab->absent & pages_of(first * shape->stride, (last + 1) * shape->stride);
  uint64_t blocks = 0;
  while (pages != 0) {
    uint64_t row = pages & ~(pages + (pages & -pages)); /* the lowest pages that follow one another */
    struct blocks there = blocks_of(shape, lowest(row), highest(row));
    blocks |=
        bits_of(there.first < first ? 0 : there.first - first, there.last > last ? last - first : there.last - first);
    pages &= ~row;
  }
  return blocks;
}

/* The block's pages are about to be used. False: the limit. */
static bool fill(struct slab *slab, unsigned index) {
  size_t stride = size_classes[slab->size_class].stride;
  size_t offset = index * stride;
  uint64_t pages = slab->absent & pages_of(offset, offset + stride);
  size_t bytes = bytes_of(pages);
  if (!limit_charge(bytes)) {
    return false;
  }
  set_present(slab, pages);
  residency_hole_filled(bytes);
  if (bytes > 0) {
    hook_fresh(slab_start(slab) + offset, stride, stride);
  }
  return true;
}

/* Free blocks of a word that were handed out before. */
static uint64_t recycled(const struct slab *slab, unsigned word) {
  unsigned first = word * WORD_BITS;
  uint64_t bits = first < slab->carved ? slab->free[word] : 0;
  return slab->carved - first < WORD_BITS ? bits & ~(~UINT64_C(0) << (slab->carved - first)) : bits;
}

/* And of those, the ones that lie in no hole. */
static ALWAYS_INLINE uint64_t outside(const struct slab *slab, unsigned word) {
  uint64_t bits = recycled(slab, word);
  return bits == 0 || !slab->has_holes ? bits : bits & ~blocks_in_holes(slab, &size_classes[slab->size_class], word);
}

uint64_t holes_outside(const struct slab *slab, unsigned word) { return outside(slab, word); }

/* The lowest first, but for those in holes: only when there are no others. Then each one that fills a page is followed
 * by the others in that page. */
static unsigned take(struct slab *slab, void **slot, unsigned want, bool also_in_holes) {
  const struct size_class *shape = &size_classes[slab->size_class];
  const size_t stride = shape->stride;
  char *const start = slab_start(slab);
  unsigned taken = 0;
  size_t filled = 0; /* what ends before here lies in pages that have been filled */
  for (unsigned word = slab->first_word; word < shape->words && taken < want; word++) {
    uint64_t bits = also_in_holes ? recycled(slab, word) : outside(slab, word);
    for (; bits != 0 && taken < want; bits &= bits - 1) {
      unsigned index = word * WORD_BITS + (unsigned)__builtin_ctzll(bits);
      if (also_in_holes && (index + 1) * stride > filled) {
        if (!fill(slab, index)) {
          want = taken;
          break;
        }
        filled = (size_t)(page_of((index + 1) * stride - 1) + 1) << page_shift();
      }
      slab->free[word] &= ~(UINT64_C(1) << index % WORD_BITS);
      *(slot - taken) = start + index * stride;
      taken++;
    }
  }
  slab->free_count -= taken;
  return taken;
}

unsigned holes_take(struct slab *slab, void **slot, unsigned want) {
  unsigned taken = take(slab, slot, want, false);
  return taken + take(slab, slot - taken, want - taken, true);
}

/* ---- giving back ---- */

static bool are_free(const struct slab *slab, struct blocks blocks) {
  size_t last = blocks.last;
  uint64_t bits = ~UINT64_C(0) << blocks.first % WORD_BITS;
  for (size_t word = blocks.first / WORD_BITS; word < last / WORD_BITS; word++) {
    if ((~slab->free[word] & bits) != 0) {
      return false;
    }
    bits = ~UINT64_C(0);
  }
  bits &= ~UINT64_C(0) >> (WORD_BITS - 1 - last % WORD_BITS);
  return (~slab->free[last / WORD_BITS] & bits) == 0;
}

/* The system has refused at least one of the ranges: none of their pages counts as a hole. */
static void undo(const struct os_range *range) {
  char *end = (char *)range->start + range->bytes;
  for (char *start = range->start; start < end; start += os_page_size()) {
    struct superslab *superslab = superslab_of(start);
    size_t offset = (size_t)(start - superslab->start);
    struct slab *slab = &superslab->slab[superslab->head[offset >> UNIT_SHIFT]];
    set_present(slab, UINT64_C(1) << page_of((size_t)(start - slab_start(slab))));
  }
}

void holes_flush(struct holes *holes) {
  size_t bytes = 0;
  for (unsigned i = 0; i < holes->count; i++) {
    struct superslab *superslab = superslab_of(holes->range[i].start);
    if (superslab_is_dense(superslab)) {
      pool_make_sparse(superslab);
    }
    bytes += holes->range[i].bytes;
  }
  size_t given_back = holes->count == 0 ? 0 : os_purge_ranges(holes->range, holes->count);
  if (given_back == bytes) {
    limit_uncharge(bytes);
    residency_holes_made(bytes);
  } else {
    for (unsigned i = 0; i < holes->count; i++) {
      undo(&holes->range[i]);
    }
  }
  holes->given_back += given_back;
  holes->count = 0;
}

static void add(struct holes *holes, struct slab *slab, unsigned page) {
  size_t page_bytes = os_page_size();
  char *start = slab_start(slab) + page * page_bytes;
  struct os_range *last = holes->count > 0 ? &holes->range[holes->count - 1] : NULL;
  if (last != NULL && (char *)last->start + last->bytes == start) {
    last->bytes += page_bytes;
  } else {
    if (holes->count == OS_RANGES_MAX) {
      holes_flush(holes);
    }
    holes->range[holes->count++] = (struct os_range){start, page_bytes};
  }
  set_absent(slab, UINT64_C(1) << page);
}

static void prepare(struct slab *slab) {
  if (!slab->has_holes) {
    slab->absent = 0;
  }
}

/* By the page: most runs of free blocks are too short for one, and there are very many where blocks are freed in no
 * order. */
void holes_find(struct holes *holes, struct slab *slab) {
  const struct size_class *shape = &size_classes[slab->size_class];
  unsigned end = page_of((size_t)slab->carved * shape->stride);
  prepare(slab);
  for (unsigned page = 0; page < end; page++) {
    if ((slab->absent >> page & 1) == 0 && are_free(slab, blocks_of(shape, page, page))) {
      add(holes, slab, page);
    }
  }
}

void holes_leave(struct slab *slab, size_t from, size_t to) {
  if (from < to) {
    prepare(slab);
    set_absent(slab, pages_of(from, to));
    residency_holes_left(to - from);
  }
}
