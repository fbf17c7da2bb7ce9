#include "os/stack.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALIGNMENT = 16, FRAME_MAX = 1 << 20, PAGE_LEAST = 4096, NO_FILE = -1 };

/* As the two architectures lay a frame out. */
struct frame {
  uintptr_t outer;
  uintptr_t returns_to;
};

/* The system reads an event there, 16 bytes at most, before it finds that there is no such file to watch. */
static bool is_readable(uintptr_t address) {
  int saved = errno;
  bool fault = syscall(SYS_epoll_ctl, NO_FILE, EPOLL_CTL_ADD, NO_FILE, address) != 0 && errno == EFAULT;
  errno = saved;
  return !fault;
}

static void add(struct stack *stack, uintptr_t call) {
  stack->call[stack->count++] = (const void *)call; // NOLINT(performance-no-int-to-ptr)
}

static void follow(struct stack *stack, uintptr_t frame) {
  uintptr_t readable = 0; /* the page tried last */
  while (stack->count < STACK_DEPTH && frame % ALIGNMENT == 0 && frame >= PAGE_LEAST) {
    uintptr_t page = frame & ~(uintptr_t)(PAGE_LEAST - 1);
    if (page != readable && !is_readable(frame)) {
      return;
    }
    readable = page;
    const volatile struct frame *here = (const volatile struct frame *)frame; // NOLINT(performance-no-int-to-ptr)
    uintptr_t outer = here->outer;
    uintptr_t returns_to = here->returns_to;
    if (returns_to < PAGE_LEAST) {
      return;
    }
    add(stack, returns_to - 1);
    if (outer <= frame || outer - frame > FRAME_MAX) {
      return;
    }
    frame = outer;
  }
}

void stack_take(struct stack *stack, const void *frame) {
  stack->count = 0;
  follow(stack, (uintptr_t)frame);
}

void stack_take_from(struct stack *stack, const void *code, const void *frame) {
  stack->count = 0;
  add(stack, (uintptr_t)code);
  follow(stack, (uintptr_t)frame);
}
