/* stats: the lines of figures that the observe library prints.
 *
 * Owns:     the choice of boxes: HAKMEM_STATS and its shorthands, all when nothing is chosen.
 * Promises: standard error, without malloc and without stdio. In a library that does not count, whoever asks for
 *           figures in the environment is told which one does.
 */
#ifndef HAKMEM_OBSERVE_STATS_H
#define HAKMEM_OBSERVE_STATS_H

#include <stdbool.h>

void stats_start(void);

/* False: nothing is counted, and nothing was printed. */
bool stats_print(void);

#endif
