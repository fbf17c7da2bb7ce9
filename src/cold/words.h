/* words: what the line that ends a program says was done to a pointer.
 *
 * Owns:     the words that boxes share: "misaligned free", "free of an interior pointer", "double free".
 * Promises: no malloc. A pointer that is not aligned to 8 bytes, as every block is, is called misaligned whatever else
 *           is wrong with it: so other tools call it, and it is what the programmer sees.
 * Callers:  COLD's and WARM's boxes that stop a program. Any thread.
 */
#ifndef HAKMEM_COLD_WORDS_H
#define HAKMEM_COLD_WORDS_H

#include "base/base.h"

struct words {
  char text[64];
};

/* `what` was tried with a pointer that is no block's start but, unless it is misaligned, `kind`: "an interior". */
RARE struct words words_of_wrong(const void *pointer, const char *what, const char *kind);

/* `what` was tried with a freed block. */
RARE struct words words_of_freed(const char *what);

#endif
