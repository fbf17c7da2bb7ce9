/* code_place: which file an address of code is of, and where in it.
 *
 * Owns:     nothing; it reads /proc/self/maps, by system calls alone.
 * Promises: no lock, no malloc, no C library's list of files: it may run in a handler of any signal. One at a time: the
 *           buffer is static. Where the system does not tell, the addresses alone are left.
 * Callers:  a box above os that is about to end the program with a line.
 */
#ifndef HAKMEM_OS_CODE_PLACE_H
#define HAKMEM_OS_CODE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct code_place {
  const void *address;
  size_t offset; /* from where the file's first byte is mapped: what addr2line takes of a library or PIE */
  bool is_code;  /* or may be */
  char file[40]; /* without its folders; empty: of none */
};

/* Fills the other fields in. */
void code_places_find(struct code_place *places, unsigned count);

#endif
