#include "os/fault.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "os/signals.h"
#include "os/threads.h"

static bool (*ours)(const void *address);
static void (*told)(const void *address, const struct stack *here);

static void take_stack(struct stack *stack, const ucontext_t *context) {
#if defined(__x86_64__)
  stack_take_from(stack, (const void *)context->uc_mcontext.gregs[REG_RIP],
                  (const void *)context->uc_mcontext.gregs[REG_RBP]); // NOLINT(performance-no-int-to-ptr)
#elif defined(__aarch64__)
  stack_take_from(stack, (const void *)context->uc_mcontext.pc,
                  (const void *)context->uc_mcontext.regs[29]); // NOLINT(performance-no-int-to-ptr)
#else
  (void)context;
  stack->count = 0;
#endif
}

/* The default action from now on. A fault repeats itself when the handler returns; a signal that was sent does not, and
 * is sent once more, as it was. */
static void pass_on(int number, siginfo_t *info) {
  struct sigaction by_default;
  memset(&by_default, 0, sizeof by_default);
  by_default.sa_handler = SIG_DFL;
  sigaction(number, &by_default, NULL);
  if (info->si_code <= 0) {
    syscall(SYS_rt_tgsigqueueinfo, os_process_id(), os_thread_id(), number, info);
  }
}

static void handle(int number, siginfo_t *info, void *context) {
  int saved = errno;
  if (info->si_code > 0 && ours(info->si_addr)) {
    struct stack here;
    take_stack(&here, context);
    told(info->si_addr, &here);
  }
  pass_on(number, info);
  errno = saved;
}

bool fault_watch(bool (*is_ours)(const void *address), void (*tell)(const void *address, const struct stack *here)) {
  struct sigaction before;
  struct sigaction mine;
  if (sigaction(SIGSEGV, NULL, &before) != 0 || !os_signal_calls(&before, SIG_DFL)) {
    return false;
  }
  ours = is_ours;
  told = tell;
  memset(&mine, 0, sizeof mine);
  mine.sa_sigaction = handle;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&mine.sa_mask);
  bool taken = sigaction(SIGSEGV, &mine, &before) == 0;
  if (taken && !os_signal_calls(&before, SIG_DFL)) { /* the program has installed its own just now */
    sigaction(SIGSEGV, &before, NULL);
    taken = false;
  }
  return taken;
}
