/* front: the entry point that this library has: hot/gate.h, or in the secure library secure/checked_gate.h.
 *
 * Both define these, so that api/ is written once. What is not said of a function is what its standard name promises.
 *
 *   gate_malloc(size)                         a block; NULL with ENOMEM
 *   gate_malloc_or(size, slow)                the same; slow(class, size) is asked for what the cache does not
 *                                             hold, and can begin with gate_uncached(class, size)
 *   gate_malloc_placed(class, size, a)        a block that serves as one of this class, at a multiple of `a`
 *   gate_malloc_aligned(size, a)              a block at a multiple of `a`, where no small class has one
 *   gate_allocate_aligned(size, a, &zeroed)   the same, one that may grow; whether its bytes are known to be zero
 *   gate_calloc(size)                         a zeroed block of a size that a class serves
 *   gate_free(block)
 *   gate_free_sized(block, size, loose)       frees a block that a request of `size` may have been given
 *                                             (`loose`: it may be larger). False: nothing has changed, the slow
 *                                             way decides
 *   gate_free_aligned_sized(block, a, size)   the same for an aligned one
 *   gate_usable_size(block, what)             bytes usable; stops the program unless the block is live; `what` is tried
 *   gate_good_size(size)                      bytes that a request of `size` is given
 *   gate_serves(block, usable, size)          whether the block may go on to serve `size`; then it does
 *   gate_forget(block, usable)                its content has moved, and it will be freed
 *   gate_settle(block, size)                  it serves a smaller `size`, for want of a smaller block
 *   gate_resize(block, size)                  resizes in place or by remapping; NULL: not possible
 *   gate_typed(block, family)                 marks a new block, or NULL, as one of new or new[]; returns it
 *   gate_typed_slow(block, family)            the same before gate_typed, for a block that was not in the cache
 *   gate_expect(block, family)                a block of this family is about to be freed: it is of malloc's then
 *   gate_free_expected(block, family)         as gate_free, after gate_expect
 *   gate_is_exact(block)                      whether the usable size of a live block is the one that was asked for
 *   GATE_RESERVED_BYTES                       bytes at the end of every block that are not the program's
 *
 * Owns:     the choice between the two.
 * Promises: any thread, started or not.
 * Callers:  api/.
 */
#ifndef HAKMEM_API_FRONT_H
#define HAKMEM_API_FRONT_H

#if HAKMEM_SECURE
#include "secure/secure.h"
#else
#include "hot/hot.h"
#endif

#endif
