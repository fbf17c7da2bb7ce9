/* families: what new gave is deleted, where that is asked for. */
#include "secure/families.h"

#include <string.h>

#include "secure/checked_gate.h"
#include "unit/unit.h"

struct mismatch {
  size_t size;
  enum family of, by;
};

static void give(void *pointer) {
  const struct mismatch *mismatch = pointer;
  families_differ = true;
  void *block = gate_typed(gate_malloc(mismatch->size), mismatch->of);
  if (mismatch->by != FAMILY_MALLOC) {
    gate_expect(block, mismatch->by);
  }
  gate_free(block);
}

TEST(FamiliesTest, AFamilyIsFreedByItsOwnFunctions) {
  static const char *const words[] = {"hakmem: free of a block of ", "hakmem: delete of a block of ",
                                      "hakmem: delete\\[\\] of a block of "};
  static const size_t some[] = {0, 100, 5000, 100000};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    for (enum family of = FAMILY_MALLOC; of <= FAMILY_NEW_ARRAY; of++) {
      for (enum family by = FAMILY_MALLOC; by <= FAMILY_NEW_ARRAY; by++) {
        struct mismatch mismatch = {some[i], of, by};
        char text[200] = "";
        if (of != by) {
          strcat(strcat(text, words[by]), "[a-z]+(\\[\\])?: pointer " ANY_POINTER ", thread [0-9]+\n");
          EXPECT_STOPS(give, &mismatch, text);
        } else {
          EXPECT_RUNS(give, &mismatch, "");
        }
      }
    }
  }
}

TEST(FamiliesTest, FamiliesAreNotToldApartUnlessAskedFor) {
  gate_free(gate_typed(gate_malloc(100), FAMILY_NEW));
  void *block = gate_malloc(100);
  gate_expect(block, FAMILY_NEW_ARRAY);
  gate_free(block);
}
