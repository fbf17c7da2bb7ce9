/* family: the functions that a block is allocated and freed by, which belong together.
 *
 * Owns:     the names.
 * Promises: FAMILY_MALLOC is 0: what a block is of unless it is said otherwise. FAMILY_ANY is not told apart: aligned
 *           blocks of guarded samples.
 * Callers:  api/ and the gates.
 */
#ifndef HAKMEM_BASE_FAMILY_H
#define HAKMEM_BASE_FAMILY_H

enum family { FAMILY_MALLOC = 0, FAMILY_NEW, FAMILY_NEW_ARRAY, FAMILY_ANY };

#endif
