/* pattern: extended regular expressions for the whole of a text, alike on every C library. */
#ifndef HAKMEM_TESTS_UNIT_PATTERN_H
#define HAKMEM_TESTS_UNIT_PATTERN_H

#include <stdbool.h>

/* Whether the expression matches the text from its first byte to its last. It may ask with \1 to \9 for what an earlier
 * group has matched; groups do not lie within each other then. What is no expression ends the program. */
bool pattern_matches(const char *expression, const char *text);

#endif
