/* words: what the line that ends a program says was done. */
#include "cold/words.h"

#include <string.h>

#include "unit/unit.h"

static bool wrong_is(uintptr_t pointer, const char *what, const char *kind, const char *text) {
  return strcmp(words_of_wrong((const void *)pointer, what, kind).text, text) == 0;
}

TEST(WordsTest, APointerThatIsNotAlignedToEightIsMisaligned) {
  for (uintptr_t offset = 1; offset < 8; offset++) {
    EXPECT_TRUE(wrong_is(0x1000 + offset, "free", "an interior", "misaligned free"));
  }
  EXPECT_TRUE(wrong_is(0x1004, "malloc_usable_size", "an invalid", "misaligned malloc_usable_size"));
}

TEST(WordsTest, AnyOtherIsOfItsKind) {
  EXPECT_TRUE(wrong_is(0x1000, "free", "an interior", "free of an interior pointer"));
  EXPECT_TRUE(wrong_is(0x1008, "realloc", "an invalid", "realloc of an invalid pointer"));
  EXPECT_TRUE(wrong_is(0x1008, "malloc_usable_size", "an interior", "malloc_usable_size of an interior pointer"));
}

TEST(WordsTest, WhatIsDoneToAFreedBlock) {
  EXPECT_TRUE(strcmp(words_of_freed("free").text, "double free") == 0);
  EXPECT_TRUE(strcmp(words_of_freed("realloc").text, "realloc of a freed block") == 0);
}
