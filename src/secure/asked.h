/* asked: the size and the family of functions that a live block was asked for with, and what follows from them.
 *
 * Nothing is loose: the usable size is the size that was asked for, a sized free must name it, and realloc keeps no block of
 * another class than a new one would be of.
 *
 * Owns:     nothing; the canary, the notes of big blocks and the states of blocks of size 0 say it.
 * Promises: what front.h says of each function. A wrong size stops the program at once; so does, with HAKMEM_SECURE_TYPES=1, a
 *           block of new, new[] or malloc that is freed by what does not belong to it.
 * Callers:  api/, through api/front.h. Any thread, started or not.
 */
#ifndef HAKMEM_SECURE_ASKED_H
#define HAKMEM_SECURE_ASKED_H

#include "config/config.h"
#include "secure/checked_gate.h"

bool gate_free_sized(void *block, size_t size, bool loose);
bool gate_free_aligned_sized(void *block, size_t alignment, size_t size);

size_t gate_usable_size(const void *block, const char *what);
size_t gate_good_size(size_t size);
bool gate_serves(void *block, size_t usable, size_t size);
void gate_settle(void *block, size_t size);
void *gate_resize(void *block, size_t size);

extern HIDDEN bool asked_types; /* HAKMEM_SECURE_TYPES */

void asked_start(void);

void asked_set_family(void *block, enum family family);
void asked_check_family(void *block, enum family family);

/* Of a live block; and the end of a program that frees it by what belongs to another. */
enum family asked_family(const void *block);
_Noreturn RARE void asked_stop_family(const void *block, enum family given, enum family taken);

static inline void *gate_typed(void *block, enum family family) {
  if (unlikely(asked_types) && block != NULL) {
    asked_set_family(block, family);
  }
  return block;
}

static inline void gate_expect(void *block, enum family family) {
  if (unlikely(asked_types) && block != NULL) {
    asked_check_family(block, family);
  }
}

#endif
