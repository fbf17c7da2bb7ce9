#include "observe/stats.h"

#include "config/options.h"
#include "observe/events.h"
#include "os/fatal.h"

static long chosen(void) {
  return options.stats | (options.free_path_stats ? stats_free_path : 0) |
         (options.free_dispatch_stats ? stats_dispatch : 0) | (options.warm_pool_stats ? stats_warm_pool : 0);
}

void stats_start(void) {
  if (!OBSERVE_COUNTS && chosen() != 0) {
    notice("hakmem: warning: this library counts nothing for HAKMEM_STATS; libhakmem-observe.so does: ./hakmem run "
           "--observe -- COMMAND");
  }
}

bool stats_print(void) { return observe_print(chosen(), options.stats_format == stats_format_json); }
