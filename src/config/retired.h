/* retired: what became of a variable of the first design.
 *
 * Owns:     nothing; the answers are the table config/retired.def.
 * Promises: asked only of a name that is unknown, so that a start without one costs nothing.
 * Callers:  config/environment.c.
 */
#ifndef HAKMEM_CONFIG_RETIRED_H
#define HAKMEM_CONFIG_RETIRED_H

#include <stdbool.h>
#include <stddef.h>

/* The answer to a name of an environment variable; NULL: it is none of the retired ones. */
const char *retired_answer(const char *name, size_t length);

/* Tells it as a warning. False: there is none. */
bool retired_tell(const char *name, size_t length);

#endif
