/* huge_pages: fresh mappings of huge blocks, in huge pages where the program uses its huge blocks whole.
 *
 * Such a mapping begins with a huge page. What it has behind its last one lies in small pages, and tells whether the
 * block is used to its end (cold/density.h); so the probe waits for a block that has 64 KiB there, for 128 MiB of
 * blocks at most. If 512 KiB or more lie there, and a huge page more leaves as much of it unused at most, or an eighth
 * of the block, the mapping is longer by what is left.
 *
 * Blocks below 8 MiB share huge pages (cold/huge_shared.h), but those of whole ones, and the probes.
 *
 * Owns:     what is known of how huge blocks are used; 2 MiB without access behind the first mapping, so that an
 *           overrun of a program's only huge block is a fault.
 * Promises: nothing in huge pages before one block was used whole, nor while there is a limit, nor while the system
 *           takes long to find one.
 * Callers:  cold/huge.c, on any thread, no lock held.
 */
#ifndef HAKMEM_COLD_HUGE_PAGES_H
#define HAKMEM_COLD_HUGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "cold/density.h"

/* How `bytes`, which are those asked for or more, are to be mapped; `shares`: in huge pages that others have as well,
 * if cold/huge_shared.h lets it. */
struct huge_plan {
  enum density_answer answer;
  size_t bytes;
  bool shares;
};

struct huge_plan huge_pages_plan(size_t bytes, size_t alignment);

/* What a block has of whole huge pages may be memory that was used before; the rest is fresh, and tells. */
bool huge_pages_may_be_used(struct huge_plan plan);

/* NULL: the system has no memory. */
char *huge_pages_map(struct huge_plan plan, size_t alignment);

/* What such a mapping has behind its first `used` bytes is fresh memory: it comes in small pages if the system has no
 * huge ones at hand (cold/huge_cost.h). */
void huge_pages_fresh(struct huge_plan plan, char *start, size_t used);

/* A block has been remapped, and is longer than before; the program has asked for `used` bytes. */
void huge_pages_grown(char *start, size_t old_bytes, size_t used, size_t bytes);

/* A block is about to be freed, moved or resized. */
void huge_pages_left(const void *block);

/* Whether blocks of about so many bytes are used whole, as far as the last ones told; where none is asked: yes. */
bool huge_pages_used_whole(size_t bytes);

#endif
