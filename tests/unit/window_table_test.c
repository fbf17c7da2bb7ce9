/* window_table: entries become writable in steps, wherever they lie. */
#include "cold/window_table.h"

#include <signal.h>

#include "cold/cold.h"
#include "unit/unit.h"

enum { ENTRY_BYTES = 128, ENTRIES = 8192, AT_ONCE = 512 };

static struct window_table fresh(uint32_t entries) {
  struct window_table table = {.entry_bytes = ENTRY_BYTES, .entries = entries};
  table.start = os_reserve(NULL, window_table_bytes(&table), OS_READABLE);
  return table;
}

static void write_entry(void *entry) { *(volatile char *)entry = 1; }

static char *entry_of(const struct window_table *table, size_t index) { return table->start + index * ENTRY_BYTES; }

TEST(WindowTableTest, WhatIsNotOpenIsZeroAndCannotBeWritten) {
  struct window_table table = fresh(ENTRIES);
  ASSERT_NE(table.start, NULL);
  EXPECT_EQ(*entry_of(&table, 0), 0);
  EXPECT_EQ(*entry_of(&table, ENTRIES - 1), 0);
  ASSERT_TRUE(window_table_open(&table, 1000));
  write_entry(entry_of(&table, 1000));
  EXPECT_EQ(*entry_of(&table, 1000), 1);
  EXPECT_EQ(*entry_of(&table, 1001), 0);
}

static void write_beyond(void *unused) {
  (void)unused;
  struct window_table table = fresh(ENTRIES);
  window_table_open(&table, AT_ONCE - 1);
  write_entry(entry_of(&table, AT_ONCE));
}

TEST(WindowTableTest, AWriteBeyondWhatIsOpenIsAFault) {
  if (UNIT_SANITIZED) {
    SKIP("a sanitizer makes an exit of the signal");
  }
  EXPECT_KILLED(write_beyond, NULL, SIGSEGV);
}

TEST(WindowTableTest, EntriesInARowAreOpenedByFewCalls) {
  struct window_table table = fresh(ENTRIES);
  for (size_t i = 0; i < ENTRIES; i++) {
    bool known = i >= table.from && i < table.to;
    EXPECT_EQ(known, i % AT_ONCE != 0);
    ASSERT_TRUE(window_table_open(&table, i));
    write_entry(entry_of(&table, i));
  }
}

TEST(WindowTableTest, TheFirstMayLieAnywhere) {
  struct window_table table = fresh(ENTRIES);
  ASSERT_TRUE(window_table_open(&table, ENTRIES / 2 + 1));
  EXPECT_EQ(table.from, ENTRIES / 2);
  EXPECT_EQ(table.to, ENTRIES / 2 + AT_ONCE);
  ASSERT_TRUE(window_table_open(&table, 3)); /* behind it, as where the window is used from its middle on */
  write_entry(entry_of(&table, 3));
  ASSERT_TRUE(window_table_open(&table, ENTRIES - 1));
  write_entry(entry_of(&table, ENTRIES - 1));
  ASSERT_TRUE(window_table_open(&table, ENTRIES / 2 + AT_ONCE));
  EXPECT_EQ(table.to, ENTRIES / 2 + 2 * AT_ONCE);
}

TEST(WindowTableTest, OneOfFewEntriesIsOfWholePages) {
  struct window_table table = fresh(1);
  EXPECT_EQ(window_table_bytes(&table), os_page_size());
  ASSERT_TRUE(window_table_open(&table, 0));
  write_entry(table.start + window_table_bytes(&table) - 1);
}

static void without_memory(void *unused) {
  (void)unused;
  struct window_table table = fresh(ENTRIES);
  os_unmap(table.start, window_table_bytes(&table));
  EXPECT_FALSE(window_table_open(&table, 0)); /* the system refuses */
  EXPECT_EQ(table.from, table.to);
}

TEST(WindowTableTest, ARefusalLeavesItAsItWas) { EXPECT_RUNS(without_memory, NULL, ""); }
