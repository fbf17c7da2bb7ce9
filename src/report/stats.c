#include "report/stats.h"

#include "config/config.h"
#include "events/events.h"
#include "os/os.h"
#include "report/stats_lines.h"

static long chosen(void) {
  return options.stats | (options.free_path_stats ? stats_free_path : 0) |
         (options.free_dispatch_stats ? stats_dispatch : 0) | (options.warm_pool_stats ? stats_warm_pool : 0);
}

void stats_start(void) {
  if (!OBSERVE_COUNTS && (chosen() & stats_all) != 0) {
    notice("hakmem: warning: this library counts nothing for HAKMEM_STATS; libhakmem-observe.so does: ./hakmem run "
           "--observe -- COMMAND");
  }
}

bool stats_will_print(void) { return OBSERVE_COUNTS && chosen() != stats_none; }

bool stats_print(void) { return stats_lines_print(chosen(), options.stats_format == stats_format_json); }
