"""The lines of waste and of locks say what must follow from a small program."""

import pytest

from stats_lines import USES, check_locks, check_waste, objects

SOURCE = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE = 1024, UNIT = 65536, BLOCKS = 40 * UNIT / SIZE };
static char *blocks[BLOCKS];
static void *find(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) _exit(9);
  return found;
}
static void show(void) { if (!((_Bool (*)(void))find("hak_stats_print"))()) _exit(8); }

/* A thread of its own, so that nothing is in its way. */
static void *work(void *unused) {
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(SIZE);
    if (blocks[i] == NULL) _exit(7);
    blocks[i][0] = 1;
  }
  show();                                                  /* full */
  for (int i = 0; i < BLOCKS; i++) if (i % 16 != 0) free(blocks[i]);
  ((size_t (*)(void))find("hak_collect"))();
  show();                                                  /* one block in sixteen, and its page */
  for (int i = 0; i < BLOCKS; i += 16) free(blocks[i]);
  ((size_t (*)(void))find("hak_collect"))();
  show();                                                  /* empty */
  return unused;
}

int main(void) {
  pthread_t thread;
  find("hak_stats_print");
  show();
  if (pthread_create(&thread, NULL, work, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
"""
BYTES, PAGE, UNIT = 40 * 65536, 4096, 65536


@pytest.fixture(scope="module")
def shown(stats, compile_c):
    """start, full, sparse, empty: the lines at four moments."""
    return stats(compile_c(SOURCE, "wastes", ["-ldl"]), HAKMEM_STATS="waste,locks")[:4]


def use_of(stats, size):
    none = dict.fromkeys(["slabs", "bound", *USES], 0)
    return next((line for line in stats.get("waste_stats_by_class", []) if line["size"] == size), none)


def grown(shown, moment, size=1024):
    before, after = use_of(shown[0], size), use_of(shown[moment], size)
    return {field: after[field] - before[field] for field in before if field != "size"}


def test_live_blocks_are_live(shown):
    full = grown(shown, 1)
    assert BYTES <= full["live"] <= BYTES + UNIT, "what was asked for, and a magazine at most"
    assert full["holes"] == 0 and full["free"] + full["fresh"] < 2 * UNIT
    assert full["slabs"] in (40, 41) and full["bound"] == full["slabs"] * UNIT


def test_free_blocks_beside_live_ones_are_free_or_holes(shown):
    sparse = grown(shown, 2)
    assert sparse["live"] == BYTES // 16
    pages = BYTES // 16 // 1024
    assert sparse["holes"] + sparse["free"] + sparse["fresh"] == sparse["bound"] - BYTES // 16
    assert sparse["holes"] >= BYTES - pages * PAGE, "hak_collect gives back every page that no block lies in"
    assert pages * (PAGE - 1024) <= sparse["free"] + sparse["fresh"]


def test_empty_slabs_are_not_bound(shown):
    assert grown(shown, 3)["slabs"] == 0
    assert use_of(shown[3], 1024)["live"] == use_of(shown[0], 1024)["live"]


def test_the_sums_agree_at_each_moment(shown):
    for stats in shown:
        check_waste(stats["waste_stats"], stats.get("waste_stats_by_class", []))
        check_locks(stats["lock_stats"])


def test_locks_are_counted_from_the_start_on(shown):
    locks = [stats["lock_stats"] for stats in shown]
    assert locks[0]["start"] >= 1
    for before, after in zip(locks, locks[1:]):
        assert not {field for field in before if after[field] < before[field]}
    assert locks[1]["pool"] > locks[0]["pool"], "slabs came from the pool"
    assert locks[1]["meta"] - locks[0]["meta"] >= 40, "and each one's bitmaps"


HELD = r"""
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 1000; i++) {
    char *block = malloc(argc > 1 ? (5 << 20) + (i << 12) : 100);
    if (block == NULL) return 1;
    block[0] = 1;
    free(block);
  }
  return 0;
}
"""


def test_what_is_in_the_cache_takes_no_lock_and_a_huge_block_does(observe, compile_c):
    program = compile_c(HELD, "held")
    cached, huge = (
        objects(observe(program, *more, HAKMEM_STATS="locks", HAKMEM_STATS_FORMAT="json").err)[0]["lock_stats"]
        for more in ([], ["huge"])
    )
    assert cached["huge"] == 0 and cached["taken"] < 100
    assert huge["huge"] >= 2000, "once for the malloc and once for the free"
    assert cached["waited"] == huge["waited"] == 0, "one thread"
