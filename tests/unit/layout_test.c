/* layout: the table says where the records are, as a reader takes it. */
#include "report/layout.h"

#include <string.h>

#include "unit/unit.h"

static size_t number(enum layout_number which) { return hak_layout.number[which]; }

static const char *root(enum layout_root which) { return hak_layout.root[which]; }

static uint64_t word_at(const void *record, size_t offset) {
  uint64_t word;
  memcpy(&word, (const char *)record + offset, sizeof word);
  return word;
}

TEST(LayoutTest, IsFoundByItsFirstBytesAndItsAddress) {
  EXPECT_EQ(memcmp(hak_layout.magic, "hakmem layout:\n", 16), 0);
  EXPECT_TRUE(hak_layout.self == &hak_layout);
  EXPECT_EQ(hak_layout.version, LAYOUT_VERSION);
  EXPECT_EQ(hak_layout.bytes, sizeof hak_layout);
  EXPECT_EQ(strcmp(hak_layout.library, HAKMEM_VERSION), 0);
}

TEST(LayoutTest, ShapesAreThoseOfTheClasses) {
  EXPECT_EQ(hak_layout.classes, SIZE_CLASS_COUNT);
  for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
    EXPECT_EQ(hak_layout.size_class[i].grains * SIZE_CLASS_GRAIN, size_classes[i].stride);
    EXPECT_EQ(hak_layout.size_class[i].capacity, size_classes[i].capacity);
    EXPECT_EQ(hak_layout.size_class[i].units, size_classes[i].units);
  }
}

/* From a block to its slab's descriptor and its heap, by the table alone. */
TEST(LayoutTest, LeadsFromABlockToItsSlabAndItsHeap) {
  char *block = hak_malloc(100);
  uint64_t base = word_at(root(LAYOUT_ROOT_window_base), 0);
  uint64_t index = ((uintptr_t)block - base) >> number(LAYOUT_NUMBER_superslab_shift);
  EXPECT_TRUE(index >= word_at(root(LAYOUT_ROOT_range_first), 0));
  EXPECT_TRUE(index < word_at(root(LAYOUT_ROOT_range_end), 0));
  uint64_t table = word_at(root(LAYOUT_ROOT_window_superslabs), 0);
  const char *superslab = (const char *)(uintptr_t)word_at((const void *)(uintptr_t)table, index * sizeof(void *));
  EXPECT_EQ(word_at(superslab, number(LAYOUT_NUMBER_superslab_start)), base + (index << SUPERSLAB_SHIFT));
  unsigned unit = (unsigned)((uintptr_t)block >> number(LAYOUT_NUMBER_unit_shift)) % SUPERSLAB_UNITS;
  const char *slab = superslab + number(LAYOUT_NUMBER_superslab_slab) + unit * number(LAYOUT_NUMBER_slab_bytes);
  EXPECT_EQ(slab[number(LAYOUT_NUMBER_slab_size_class)], (char)size_class_of(100));
  const uint64_t *free_blocks = (const uint64_t *)(uintptr_t)word_at(slab, number(LAYOUT_NUMBER_slab_free));
  size_t place = ((uintptr_t)block & (UNIT_BYTES - 1)) / size_classes[size_class_of(100)].stride;
  EXPECT_FALSE((free_blocks[place / 64] >> place % 64 & 1) != 0);
  uint64_t heap = (uintptr_t)thread_cache.heap;
  bool listed = false;
  for (uint64_t at = word_at(root(LAYOUT_ROOT_heaps), 0); at != 0;
       at = word_at((const void *)(uintptr_t)at, number(LAYOUT_NUMBER_heap_next))) {
    listed = listed || at == heap;
  }
  EXPECT_TRUE(listed);
  EXPECT_EQ(word_at((const void *)(uintptr_t)heap, number(LAYOUT_NUMBER_heap_cache)), (uintptr_t)&thread_cache);
  hak_free(block);
}

TEST(LayoutTest, LeadsToTheHugeBlocks) {
  void *block = hak_malloc(5 * MIB);
  const char *table = (const char *)(uintptr_t)word_at(root(LAYOUT_ROOT_huge_table), 0);
  uint64_t size = word_at(table, number(LAYOUT_NUMBER_huge_table_size));
  const char *entries = (const char *)(uintptr_t)word_at(table, number(LAYOUT_NUMBER_huge_table_entry));
  bool found = false;
  for (uint64_t i = 0; i < size; i++) {
    const char *entry = entries + i * number(LAYOUT_NUMBER_huge_entry_bytes);
    found = found || (word_at(entry, number(LAYOUT_NUMBER_huge_entry_start)) == (uintptr_t)block &&
                      word_at(entry, number(LAYOUT_NUMBER_huge_entry_length)) == 5 * MIB);
  }
  EXPECT_TRUE(found);
  hak_free(block);
}
