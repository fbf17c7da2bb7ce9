// The malloc family as a table, so that one test speaks of the standard names and of the hak_* names alike.
//
// Calls go through pointers that the compiler cannot see through: it can neither drop a malloc whose result looks unused nor
// refuse an impossible size at compile time.
#ifndef HAKMEM_TESTS_SUPPORT_FAMILY_H
#define HAKMEM_TESTS_SUPPORT_FAMILY_H

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace support {

struct Family {
  const char *name;
  void *(*malloc)(size_t size);
  void *(*calloc)(size_t count, size_t size);
  void *(*realloc)(void *block, size_t size);
  void *(*reallocarray)(void *block, size_t count, size_t size);
  void (*free)(void *block);
  void (*free_sized)(void *block, size_t size);
  void (*free_aligned_sized)(void *block, size_t alignment, size_t size);
  void *(*aligned_alloc)(size_t alignment, size_t size);
  int (*posix_memalign)(void **out, size_t alignment, size_t size);
  size_t (*usable_size)(void *block);
};

extern const Family hak_family; // hak_malloc, hak_free, ...

#if !defined(HAKMEM_TEST_HAK_ONLY)
extern const Family standard_family; // malloc, free, ...
#endif

// The standard names, where they are ours; where the library does not interpose, the hak_* names.
const Family &default_family();

// All that can be tested in this build.
std::vector<const Family *> families();

std::string name_of_family(const ::testing::TestParamInfo<const Family *> &info);

// A test suite that runs once for each family; `family()` is the one under test.
class FamilyTest : public ::testing::TestWithParam<const Family *> {
protected:
  static const Family &family() { return *GetParam(); }
};

} // namespace support

#define HAKMEM_FOR_EACH_FAMILY(suite)                                                                                  \
  INSTANTIATE_TEST_SUITE_P(Family, suite, ::testing::ValuesIn(support::families()), support::name_of_family)

#endif
