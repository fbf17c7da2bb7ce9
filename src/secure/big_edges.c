#include "secure/big_edges.h"

#include <string.h>

#include "secure/canary.h"

/* Bytes of a canary behind the block: there may be room for less than all. */
static size_t behind(const struct huge_entry *entry) {
  size_t room = (size_t)(edges_end(entry) - (entry->note.block + entry->note.size));
  return room < CANARY_BYTES ? room : CANARY_BYTES;
}

void edges_set(const struct huge_entry *entry) {
  uint64_t value = canary_of(entry->note.block, FAMILY_MALLOC);
  if (edges_first(entry) != entry->note.block) {
    memcpy(entry->note.block - CANARY_BYTES, &value, CANARY_BYTES);
  }
  memcpy(entry->note.block + entry->note.size, &value, behind(entry));
}

void edges_clear_end(const struct huge_entry *entry) { memset(entry->note.block + entry->note.size, 0, behind(entry)); }

/* Adds what is wrong in a range: the canary's bytes from `mark` on, and zero elsewhere. */
static void add(struct damage *damage, const char *block, const char *from, const char *to, const char *mark) {
  uint64_t value = canary_of(block, FAMILY_MALLOC);
  for (const char *at = from; at < to; at++) {
    size_t in_canary = (size_t)(at - mark);
    unsigned char right = in_canary < CANARY_BYTES ? (unsigned char)(value >> 8 * in_canary) : 0;
    if ((unsigned char)*at != right) {
      damage->from = damage->count == 0 ? at - block : damage->from;
      damage->count++;
    }
  }
}

/* Behind a block, of a page at most: eight bytes at a time where they are aligned. */
static bool is_zero(const char *from, const char *to) {
  uint64_t all = 0;
  for (; from < to && (uintptr_t)from % sizeof(uint64_t) != 0; from++) {
    all |= (unsigned char)*from;
  }
  for (; to - from >= (ptrdiff_t)sizeof(uint64_t); from += sizeof(uint64_t)) {
    all |= *canary_at(from, 0);
  }
  for (; from < to; from++) {
    all |= (unsigned char)*from;
  }
  return all == 0;
}

/* What is all right is found out quickly. */
static bool are_whole(const struct huge_entry *entry) {
  const char *block = entry->note.block;
  const char *end = block + entry->note.size;
  uint64_t value = canary_of(block, FAMILY_MALLOC);
  bool front = edges_first(entry) == block || (memcmp(block - CANARY_BYTES, &value, CANARY_BYTES) == 0 &&
                                               is_zero(edges_first(entry), block - CANARY_BYTES));
  return front && memcmp(end, &value, behind(entry)) == 0 && is_zero(end + behind(entry), edges_end(entry));
}

bool edges_hold(const struct huge_entry *entry, struct damage *damage) {
  *damage = (struct damage){0, 0};
  if (likely(are_whole(entry))) {
    return true;
  }
  const char *block = entry->note.block;
  const char *end = block + entry->note.size;
  add(damage, block, edges_first(entry), block, block - CANARY_BYTES);
  add(damage, block, end, edges_end(entry), end);
  return damage->count == 0;
}
