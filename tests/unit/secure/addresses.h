/* addresses: what the addresses of blocks tell. */
#ifndef HAKMEM_TESTS_UNIT_SECURE_ADDRESSES_H
#define HAKMEM_TESTS_UNIT_SECURE_ADDRESSES_H

#include "secure/checked_gate.h"

/* How many of so many blocks lie above the one that was handed out before. They stay allocated. */
static inline unsigned rising_addresses(size_t size, unsigned blocks) {
  unsigned rising = 0;
  char *last = gate_malloc(size);
  for (unsigned i = 0; i < blocks; i++) {
    char *next = gate_malloc(size);
    rising += next > last;
    last = next;
  }
  return rising;
}

#endif
