// What the tests of misuse share: the pointer that is misused, threads that do it, and how a stopped program ends.
#ifndef HAKMEM_TESTS_SUPPORT_MISUSE_H
#define HAKMEM_TESTS_SUPPORT_MISUSE_H

#include <string>
#include <vector>

#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

namespace support {

// ---- in a scenario ----

void announce_address(const void *pointer);

// The last word before the misuse.
template <class T> T *announce(T *pointer) {
  announce_address(pointer);
  return opaque(pointer);
}

// Not a std::thread: what that allocates might be the very block that was just freed.
void in_another_thread(void (*body)(void *), void *argument);

void free_it(void *block);

// What the environment tells a scenario; 0 where it does not.
size_t number_in(const char *variable);
size_t size_under_test();   // HAKMEM_TEST_SIZE, or 64
size_t offset_under_test(); // HAKMEM_TEST_OFFSET, or 8

// The block to misuse, among neighbours that stay alive and so keep its slab where it is.
struct Victim {
  char *block = nullptr;
  std::vector<void *> neighbours;
  Victim();
};

// No call but free: the caches overflow into the slabs on their own. Which blocks stay in a cache is not promised, so one in a
// hundred is misused; the first to reach its slab stops the program. Some blocks stay alive in each slab, so that none goes away.
void free_until_caches_spill(void (*misuse)(char *block));

// ---- how it ends ----

extern const char *const kDouble;
extern const char *const kInterior;
extern const char *const kForeign;
// Where the memory has gone back already, or the address lies past all blocks, more than one word is true.
extern const char *const kDoubleOrForeign;
extern const char *const kNotABlock;

// SIGABRT and one line, which names `what` and the pointer that was announced.
void expect_stopped(const std::string &scenario, const std::string &what,
                    const std::vector<std::string> &environment = {});

// The whole of a text that a POSIX extended expression matches, and then its groups; nothing where it does not match all of it.
std::vector<std::string> groups(const std::string &expression, const std::string &text);

std::string size_is(size_t size);
std::string offset_is(size_t offset);

} // namespace support

#endif
