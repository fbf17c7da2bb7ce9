/* guarded_lines: the line that ends a program which has misused a guarded sample: what was done, and the calls that
 * allocated and freed the block.
 *
 * Owns:     the wording, and a static buffer.
 * Promises: one line in one call; no lock, no malloc. Of two threads that have one to say at once, one says it.
 * Callers:  cold/guarded.c, holding no lock; in the handler of faults too.
 */
#ifndef HAKMEM_COLD_GUARDED_LINES_H
#define HAKMEM_COLD_GUARDED_LINES_H

#include "cold/guarded_table.h"

/* Bytes beside a block that are not what they were: how many, from which byte of the block on. */
struct guarded_damage {
  ptrdiff_t from;
  size_t count;
};

/* There was a fault at an address of the range; the line alone. */
RARE void guarded_tell(const void *address, const struct stack *here);

/* `what` was tried with an address of the range at which no live block begins. `here` are the calls that led to it;
 * NULL: not known. */
_Noreturn RARE void guarded_stop_wrong(const void *pointer, const char *what, const struct stack *here);

/* A live block is freed by a function of another family; as one of another size. */
_Noreturn RARE void guarded_stop_family(const struct guarded_record *record, enum family family,
                                        const struct stack *here);
_Noreturn RARE void guarded_stop_sized(const struct guarded_record *record, size_t size, const struct stack *here);

_Noreturn RARE void guarded_stop_damaged(const struct guarded_record *record, struct guarded_damage damage,
                                         const struct stack *here);

#endif
