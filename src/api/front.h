/* front: the entrance that this library has: hot/gate.h, or in the secure library secure/gate.h.
 *
 * Owns:     the choice between the two.
 * Promises: both have the same names, so that api/ is written once.
 * Callers:  api/.
 */
#ifndef HAKMEM_API_FRONT_H
#define HAKMEM_API_FRONT_H

#if HAKMEM_SECURE
#include "secure/gate.h"
#else
#include "hot/gate.h"
#endif

#endif
