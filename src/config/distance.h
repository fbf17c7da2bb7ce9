/* distance: how much two names differ, to find what a user may have meant.
 *
 * Owns:     nothing.
 * Promises: the edit distance, without regard to case; 1 from the beginning of a name to the name; names longer than
 *           any of ours differ from all by as much.
 * Callers:  config/environment.c, config/option_table.c.
 */
#ifndef HAKMEM_CONFIG_DISTANCE_H
#define HAKMEM_CONFIG_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>

unsigned distance(const char *a, size_t a_length, const char *b);

/* Whether someone who wrote `a` may have meant `b`: at most every third character differs. */
bool is_near(const char *a, size_t a_length, const char *b);

#endif
