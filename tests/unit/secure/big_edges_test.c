/* big_edges: what lies around a big block. */
#include "secure/big_edges.h"

#include "unit/unit.h"

enum { PAGES = 4 };

static struct huge_entry entry_of(char *start, size_t offset, size_t size) {
  struct huge_entry entry = {.start = start, .bytes = PAGES * os_page_size()};
  entry.note.block = start + offset;
  entry.note.size = size;
  return entry;
}

/* Every byte between the guards that is not the program's counts, and none of the program's does. */
static void check_all_bytes(struct huge_entry entry) {
  struct damage damage;
  edges_set(&entry);
  ASSERT_TRUE(edges_hold(&entry, &damage));
  for (char *at = edges_first(&entry); at < edges_end(&entry); at++) {
    bool is_the_programs = at >= entry.note.block && at < entry.note.block + entry.note.size;
    *at ^= 1;
    ASSERT_EQ(edges_hold(&entry, &damage), is_the_programs);
    if (!is_the_programs) {
      ASSERT_EQ(damage.count, 1);
      ASSERT_EQ(damage.from, at - entry.note.block);
    }
    *at ^= 1;
  }
  edges_clear_end(&entry);
  for (char *at = entry.note.block + entry.note.size; at < edges_end(&entry); at++) {
    ASSERT_EQ(*at, 0);
  }
}

TEST(BigEdgesTest, EveryByteAroundABlockIsLookedAt) {
  for (size_t slack = 0; slack <= 300; slack += slack < 40 ? 1 : 37) {
    char *start = os_map(NULL, PAGES * os_page_size());
    size_t size = os_page_size() - slack;
    check_all_bytes(entry_of(start, 2 * os_page_size() - (size + 15) / 16 * 16, size));
    check_all_bytes(entry_of(start, 0, size)); /* aligned to more than a page: no guard before it */
    os_unmap(start, PAGES * os_page_size());
  }
}
