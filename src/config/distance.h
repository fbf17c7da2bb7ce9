/* distance: how much two names differ, to find what a user may have meant.
 *
 * Owns:     nothing.
 * Promises: the edit distance, without regard to case; names longer than any of ours differ from all by as much.
 * Callers:  config/options.c.
 */
#ifndef HAKMEM_CONFIG_DISTANCE_H
#define HAKMEM_CONFIG_DISTANCE_H

#include <stddef.h>

unsigned distance(const char *a, size_t a_length, const char *b);

#endif
