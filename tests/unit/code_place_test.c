/* code_place: which file an address of code is of. */
#include "os/code_place.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/unit.h"

static NOINLINE int here(void) { return 7; }

static int in_data = 1;

static const char *own_name(void) {
  static char path[512];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static int keep_first(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(uintptr_t *)base = (uintptr_t)info->dlpi_addr;
  return 1;
}

TEST(CodePlaceTest, AFunctionOfTheProgramIsFoundByWhatADebuggerTakes) {
  struct code_place place = {.address = (const void *)(uintptr_t)here};
  errno = 4711;
  code_places_find(&place, 1);
  EXPECT_EQ(errno, 4711);
  EXPECT_TRUE(place.is_code);
  EXPECT_TRUE(strncmp(place.file, own_name(), sizeof place.file - 1) == 0);
  uintptr_t base = 0;
  dl_iterate_phdr(keep_first, &base);
  if (base != 0) { /* a program that is not to be moved begins elsewhere */
    EXPECT_EQ(place.offset, (uintptr_t)here - base);
  }
  EXPECT_EQ(here(), 7);
}

TEST(CodePlaceTest, ALibraryIsNamed) {
  struct code_place place = {.address = (const void *)(uintptr_t)dl_iterate_phdr};
  code_places_find(&place, 1);
  EXPECT_TRUE(place.is_code);
  EXPECT_NE(strstr(place.file, "lib"), NULL); /* the C library, or a sanitizer's */
}

TEST(CodePlaceTest, DataIsNoCodeNorIsWhatIsNotMapped) {
  struct code_place places[] = {{.address = &in_data},
                                {.address = &places},
                                {.address = (const void *)(uintptr_t)64},
                                {.address = (const void *)(uintptr_t)here}};
  code_places_find(places, 4);
  EXPECT_FALSE(places[0].is_code);
  EXPECT_FALSE(places[1].is_code);
  EXPECT_FALSE(places[2].is_code);
  EXPECT_TRUE(places[2].file[0] == '\0');
  EXPECT_TRUE(places[3].is_code);
}

/* The table is then longer than the buffer. */
TEST(CodePlaceTest, ManyMappingsAreReadToTheirEnd) {
  enum { MANY = 300 };
  size_t page = os_page_size();
  char *map = mmap(NULL, 2 * MANY * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_TRUE(map != MAP_FAILED);
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(mprotect(map + 2 * i * page, page, PROT_READ | PROT_EXEC), 0);
  }
  struct code_place places[3] = {
      {.address = map + 6 * page}, {.address = map + 7 * page}, {.address = (const void *)(uintptr_t)here}};
  code_places_find(places, 3);
  EXPECT_TRUE(places[0].is_code && places[0].file[0] == '\0');
  EXPECT_FALSE(places[1].is_code);
  EXPECT_TRUE(places[2].is_code && places[2].file[0] != '\0');
  munmap(map, 2 * MANY * page);
}
