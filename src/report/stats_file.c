#include "report/stats_file.h"

#include <signal.h>
#include <string.h>

#include "config/config.h"
#include "os/os.h"
#include "report/figures_text.h"

enum { WAIT_MS = 10, MOST_WAITS = 100 };

/* Mapped when there is a file, so that a process without one has nothing of it. A signal handler's stack may be too
 * small for it. */
static struct work {
  char pattern[OS_PATH_BYTES]; /* with %p as it was given */
  char path[OS_PATH_BYTES];
  struct os_file file;
  struct heap_figures figures;
  struct text text;
} * work;

/* The process that is writing, or 0. In the child of fork() another than its own is none. */
static _Atomic uint32_t writer;

/* Signals that have come and were not served, as bits by their numbers, and the process that they came to. */
static _Atomic uint32_t asked, asked_process;

/* ---- writing ---- */

static bool claim(uint32_t process) {
  uint32_t had = atomic_load(&writer);
  return had != process && atomic_compare_exchange_strong(&writer, &had, process);
}

static bool ends_in(const char *end) {
  size_t length = strlen(work->path);
  size_t end_length = strlen(end);
  return length >= end_length && strcmp(work->path + length - end_length, end) == 0;
}

static bool to_file(void *to, const char *part, size_t length) { return os_file_write(to, part, length); }

static void complain(const char *why) {
  static atomic_bool done;
  if (!atomic_exchange(&done, true)) {
    notice("hakmem: warning: HAKMEM_STATS_FILE=%s cannot be written: %s", work->pattern, why);
  }
}

static void write_file(void) {
  if (!os_path_of_process(work->path, work->pattern, "")) {
    complain("its name is too long");
    return;
  }
  os_file_begin(&work->file, work->path);
  figures_write(&work->figures, ends_in(".prom") ? FIGURES_OPENMETRICS : FIGURES_JSON, &work->text, to_file,
                &work->file);
  int error = os_file_end(&work->file);
  if (error != 0) {
    complain(os_file_error(error));
  }
}

/* ---- signals ---- */

static void on_signal(int number);

static bool ends_the_process(int number) { return number == SIGTERM; }

/* Until nobody has asked: who asks while another writes leaves it to that one. */
static void serve(void) {
  uint32_t process = (uint32_t)os_process_id();
  while (atomic_load(&asked) != 0 && claim(process)) {
    uint32_t signals = atomic_exchange(&asked, 0);
    bool mine = atomic_load(&asked_process) == process; /* else they came to the parent */
    if (mine) {
      write_file();
    }
    atomic_store(&writer, 0);
    if (mine && (signals >> SIGTERM & 1) != 0) {
      os_end_by_signal(SIGTERM, on_signal);
    }
  }
}

static void on_signal(int number) {
  uint32_t process = (uint32_t)os_process_id();
  if (atomic_exchange(&asked_process, process) != process) {
    atomic_store(&asked, 0);
  }
  atomic_fetch_or(&asked, UINT32_C(1) << number);
  if (!critical_try_defer(serve) && ends_the_process(number)) { /* a child of fork() that is not whole yet */
    os_end_by_signal(number, on_signal);
  }
}

/* ---- when ---- */

/* The helper's. */
static void write_now(void) {
  if (claim((uint32_t)os_process_id())) {
    write_file();
    atomic_store(&writer, 0);
    serve();
  }
}

static void listen_to(bool wanted, int number, const char *name) {
  if (wanted && !os_on_signal(number, on_signal) && !ends_the_process(number)) {
    notice("hakmem: warning: HAKMEM_STATS_SIGNAL=%s is ignored: the program handles or ignores it; choose another",
           name);
  }
}

static bool prepare(void) {
  work = os_map(NULL, os_page_ceil(sizeof *work));
  if (work == NULL || !os_path_absolute(work->pattern, option_texts.stats_file)) {
    notice("hakmem: warning: HAKMEM_STATS_FILE is ignored: %s", work == NULL ? "no memory" : "its name is too long");
    work = NULL;
    return false;
  }
  os_name(work, os_page_ceil(sizeof *work), "hakmem metadata");
  return true;
}

static RARE void start(void) {
  if (!prepare()) {
    return;
  }
  if ((options.stats_signal & stats_signal_none) == 0) {
    listen_to(true, SIGTERM, "");
    listen_to((options.stats_signal & stats_signal_usr1) != 0, SIGUSR1, "usr1");
    listen_to((options.stats_signal & stats_signal_usr2) != 0, SIGUSR2, "usr2");
  }
  if (options.stats_seconds != 0 && !background_each((uint32_t)options.stats_seconds * 1000, write_now)) {
    notice("hakmem: warning: HAKMEM_STATS_SECONDS is ignored: the system has no thread for it");
  }
}

void stats_file_start(void) {
  if (options.stats_file != 0) {
    start();
  }
}

void stats_file_end(void) {
  if (work == NULL) {
    return;
  }
  uint32_t process = (uint32_t)os_process_id();
  bool claimed = claim(process);
  for (unsigned i = 0; !claimed && i < MOST_WAITS; i++) {
    os_wait_for(&writer, process, WAIT_MS);
    claimed = claim(process);
  }
  if (claimed) {
    write_file();
    atomic_store(&writer, 0);
    serve();
  }
}
