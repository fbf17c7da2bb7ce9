#include "secure/big_find.h"

#include "os/os.h"

/* Its mapping begins a guard before its first page, or with it. */
enum found big_find(const void *block, struct huge_entry *entry) {
  uintptr_t first = (uintptr_t)block & ~(uintptr_t)(os_page_size() - 1);
  const char *starts[] = {(const char *)first - os_page_size(), block}; // NOLINT(performance-no-int-to-ptr)
  for (unsigned i = 0; i < 2; i++) {
    if (block != NULL && huge_note_get(starts[i], entry)) {
      if (entry->note.block == block) {
        return FOUND_LIVE;
      }
      if (entry->note.freed == block) {
        return FOUND_FREED;
      }
    }
  }
  return FOUND_NONE;
}
