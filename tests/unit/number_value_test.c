/* number_value: numbers as a user writes them, and what may have been meant. */
#include "config/number_value.h"

#include "unit/unit.h"

static void expect(const char *text, bool in_kib, enum number_kind kind, long number) {
  NOTE("%s", text);
  long found = -7;
  EXPECT_EQ(number_value(text, 0, 4096, in_kib, &found), kind);
  if (kind != NUMBER_WRONG) {
    EXPECT_EQ(found, number);
  }
}

TEST(NumberValueTest, NumbersOfTheRangeAreRight) {
  expect("0", false, NUMBER_RIGHT, 0);
  expect("4096", true, NUMBER_RIGHT, 4096);
  expect("007", false, NUMBER_RIGHT, 7);
}

TEST(NumberValueTest, TheEndOfTheRangeIsNearANumberOutsideIt) {
  expect("4097", false, NUMBER_NEAR, 4096);
  expect("-1", true, NUMBER_NEAR, 0);
  expect("99999999999999999999", false, NUMBER_NEAR, 4096);
  expect("-99999999999999999999", false, NUMBER_NEAR, 0);
}

TEST(NumberValueTest, YesAndNoAreNumbers) {
  expect("yes", false, NUMBER_NEAR, 1);
  expect("True", false, NUMBER_NEAR, 1);
  expect("on", false, NUMBER_NEAR, 1);
  expect("OFF", false, NUMBER_NEAR, 0);
  expect("no", false, NUMBER_NEAR, 0);
  expect("yes", true, NUMBER_WRONG, 0);
}

TEST(NumberValueTest, AUnitIsTurnedIntoKibWhereTheyAreAskedFor) {
  expect("1M", true, NUMBER_NEAR, 1024);
  expect("64k", true, NUMBER_NEAR, 64);
  expect("8M", true, NUMBER_WRONG, 0); /* above the range: no guess */
  expect("1M", false, NUMBER_WRONG, 0);
  expect("50%", true, NUMBER_WRONG, 0);
}

TEST(NumberValueTest, NothingElse) {
  expect("", false, NUMBER_WRONG, 0);
  expect("lots", true, NUMBER_WRONG, 0);
  expect("1.5", false, NUMBER_WRONG, 0);
  expect("0x10", true, NUMBER_WRONG, 0);
}
