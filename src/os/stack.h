/* stack: the calls that led to a place, by frame pointers.
 *
 * Where a program keeps frame pointers (-fno-omit-frame-pointer, aarch64 as a rule) the list is whole. Elsewhere it
 * holds the call of the library and, at most, what a register that is no frame pointer happens to lead to; what is no
 * code of a file is left out when the calls are named (os/code_place.h).
 *
 * Owns:     nothing.
 * Promises: no fault, whatever the registers and the stack hold: each page is tried before it is read. No lock, no
 *           malloc, errno is kept.
 * Callers:  any box above os, where a block of a sample is allocated or freed, and the handler of faults. Any thread.
 */
#ifndef HAKMEM_OS_STACK_H
#define HAKMEM_OS_STACK_H

#include <stdbool.h>

#include "base/base.h"

enum { STACK_DEPTH = 12 };

struct stack {
  const void *call[STACK_DEPTH]; /* the last byte of each call, the latest first */
  unsigned count;
};

/* The frame of the function that it stands in, which then has one: its caller is the first call. */
#define STACK_FRAME() __builtin_frame_address(0)

/* The function that it stands in keeps a frame pointer, so that the list goes on beyond it. */
#define STACK_KEEPS_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

/* The calls that led to the function of this frame. */
void stack_take(struct stack *stack, const void *frame);

/* The same for a place where the program was interrupted. */
void stack_take_from(struct stack *stack, const void *code, const void *frame);

#endif
