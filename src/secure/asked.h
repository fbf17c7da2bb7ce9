/* asked: the size that a live block was asked for with, and what follows from it.
 *
 * Nothing is loose: the usable size is the size that was asked for, a sized free must name it, and realloc keeps no
 * block of another class than a new one would be of.
 *
 * Owns:     nothing; the states of blocks of slabs and the notes of big blocks say it.
 * Promises: what front.h says of each function. A wrong size stops the program at once.
 * Callers:  api/, through api/front.h. Any thread, started or not.
 */
#ifndef HAKMEM_SECURE_ASKED_H
#define HAKMEM_SECURE_ASKED_H

#include "secure/checked_gate.h"

bool gate_free_sized(void *block, size_t size, bool loose);
bool gate_free_aligned_sized(void *block, size_t alignment, size_t size);

size_t gate_usable_size(const void *block, const char *what);
size_t gate_good_size(size_t size);
bool gate_serves(void *block, size_t usable, size_t size);
void gate_settle(void *block, size_t size);
void gate_forget(void *block, size_t usable);
void *gate_resize(void *block, size_t size);

#endif
