#include "profile/unwinder.h"

#include <dlfcn.h>
#include <unwind.h>

/* The first and the last address of this library's code, by the linker. */
extern HIDDEN const char __ehdr_start[], etext[]; // NOLINT(bugprone-reserved-identifier)

typedef _Unwind_Reason_Code backtrace_function(_Unwind_Trace_Fn visit, void *context);
typedef _Unwind_Ptr ip_function(struct _Unwind_Context *context, int *before_instruction);
typedef _Unwind_Word cfa_function(struct _Unwind_Context *context);

static struct {
  backtrace_function *backtrace;
  ip_function *ip;
  cfa_function *cfa;
} library;

struct walk {
  struct call *calls;
  unsigned depth, most;
};

bool unwinder_is_own(uintptr_t address) { return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)etext; }

/* Where the return address lies: below the frame of the call on x86-64; elsewhere it is not known. */
static uintptr_t slot_of(uintptr_t cfa, uintptr_t ip) {
#if defined(__x86_64__)
  uintptr_t slot = cfa - sizeof(uintptr_t);
  return cfa % sizeof(uintptr_t) == 0 && *(const uintptr_t *)slot == ip ? slot : 0; // NOLINT(performance-no-int-to-ptr)
#else
  (void)cfa;
  (void)ip;
  return 0;
#endif
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *to) {
  struct walk *walk = to;
  int before_instruction = 0;
  uintptr_t ip = library.ip(context, &before_instruction);
  if (ip == 0) {
    return _URC_END_OF_STACK;
  }
  uintptr_t address = before_instruction ? ip : call_of_return(ip);
  if (walk->depth == 0 && unwinder_is_own(address)) {
    return _URC_NO_REASON;
  }
  if (walk->depth == walk->most) {
    return _URC_END_OF_STACK;
  }
  uintptr_t slot = before_instruction ? 0 : slot_of(library.cfa(context), ip);
  walk->calls[walk->depth++] = (struct call){address, slot};
  return _URC_NO_REASON;
}

/* The first walk prepares what the later ones need. */
bool unwinder_start(void) {
  void *handle = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    return false;
  }
  /* NOLINTBEGIN(bugprone-casting-through-void): what dlsym returns */
  library.ip = (ip_function *)dlsym(handle, "_Unwind_GetIPInfo");
  library.cfa = (cfa_function *)dlsym(handle, "_Unwind_GetCFA");
  backtrace_function *backtrace = (backtrace_function *)dlsym(handle, "_Unwind_Backtrace");
  /* NOLINTEND(bugprone-casting-through-void) */
  if (library.ip == NULL || library.cfa == NULL || backtrace == NULL) {
    return false;
  }
  struct call first;
  backtrace(visit, &(struct walk){&first, 0, 1});
  __atomic_store_n(&library.backtrace, backtrace, __ATOMIC_RELEASE);
  return true;
}

unsigned unwinder_walk(struct call *calls, unsigned most) {
  struct walk walk = {calls, 0, most};
  backtrace_function *backtrace = __atomic_load_n(&library.backtrace, __ATOMIC_ACQUIRE);
  if (backtrace != NULL) {
    backtrace(visit, &walk);
  }
  return walk.depth;
}
