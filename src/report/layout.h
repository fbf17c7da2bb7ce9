/* layout: a table that tells a reader in another process, or of a core file, where the library's records are and how
 * they look.
 *
 * The compiler makes it (layout.def). It lies in memory that is written at start anyway, with its own address in it: so
 * it is in every core file, and can be found by its first bytes where the library has no symbols. tools/hakmem_inspect
 * reads it.
 *
 * Owns:     the table.
 * Promises: no code, and nothing that is read or written while the program runs.
 * Callers:  none in the library.
 */
#ifndef HAKMEM_REPORT_LAYOUT_H
#define HAKMEM_REPORT_LAYOUT_H

#include <stdint.h>

#include "hakmem.h"
#include "warm/warm.h"

enum { LAYOUT_VERSION = 6 };

#define LAYOUT_MAGIC "hakmem layout:\n"

enum layout_root {
#define ROOT(name, address) LAYOUT_ROOT_##name,
#define NUMBER(name, value)
#include "report/layout.def"
#undef ROOT
#undef NUMBER
  LAYOUT_ROOTS
};

enum layout_number {
#define ROOT(name, address)
#define NUMBER(name, value) LAYOUT_NUMBER_##name,
#include "report/layout.def"
#undef ROOT
#undef NUMBER
  LAYOUT_NUMBERS
};

enum layout_variant { LAYOUT_RELEASE, LAYOUT_OBSERVE, LAYOUT_SECURE, LAYOUT_PROFILE };

/* Up to `self` the same in every version. */
struct hak_layout {
  char magic[16];
  uint16_t version, variant, roots, numbers, classes, bytes;
  char library[12]; /* version of the library, in letters */
  const void *self;
  const void *root[LAYOUT_ROOTS];
  struct {
    uint16_t grains, capacity, units; /* of its stride: SIZE_CLASS_GRAIN bytes each */
  } size_class[SIZE_CLASS_COUNT];
  uint16_t number[LAYOUT_NUMBERS];
};

extern HAK_API const struct hak_layout hak_layout;

#endif
