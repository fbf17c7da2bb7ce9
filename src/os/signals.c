#include "os/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

bool os_signal_calls(const struct sigaction *action, void (*handler)(int signal)) {
  return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == handler;
}

static bool is_handled_by(int signal, void (*handler)(int signal)) {
  struct sigaction now;
  return sigaction(signal, NULL, &now) == 0 && os_signal_calls(&now, handler);
}

static bool set(int signal, void (*handler)(int signal)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, NULL) == 0;
}

bool os_on_signal(int signal, void (*handler)(int signal)) {
  int saved = errno;
  bool done = is_handled_by(signal, SIG_DFL) && set(signal, handler);
  errno = saved;
  return done;
}

void os_end_by_signal(int signal, void (*handler)(int signal)) {
  int saved = errno;
  if (is_handled_by(signal, handler) && set(signal, SIG_DFL)) {
    raise(signal);
  }
  errno = saved;
}
