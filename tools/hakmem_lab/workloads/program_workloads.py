"""The workloads that are programs of the system, on the inputs in bench/programs, where they run."""

from __future__ import annotations

from hakmem_lab.workloads.workload import Timing, Workload


def _whole(
    name: str, program: str, package: str, summary: str, full: str, quick: str, rest: str = "", **environment: str
) -> Workload:
    sizes = tuple(full.split()), tuple(quick.split())
    return Workload(name, "programs", summary, program, *sizes, environment, Timing.WHOLE, package, rest)


_PYTHON = {"PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}  # else most blocks never reach malloc
_PAINT = "-q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=ppmraw -sPAPERSIZE=letter -r36 -sOutputFile=-"
_ASK = "-t set,get,incr,lpush,lpop,sadd,hset,zadd -c 20 -P 16 -r 10000 -d 200"


_FILL = "-t set -c 20 -P 16 -d 200"


def _orders(count: int) -> tuple[str, ...]:
    return "-batch", "-bail", ":memory:", f".param set :orders {count}", ".read orders.sql"


PROGRAM_WORKLOADS = (
    Workload(
        name="redis",
        group="programs",
        summary="redis-server under redis-benchmark",
        program="redis-server",
        full=(*_ASK.split(), "-n", "100000"),
        quick=(*_ASK.split(), "-n", "10000"),
        timing=Timing.CLIENT,
        package="redis-server",
    ),
    _whole(
        *("python", "python3", "python3", "json and dictionaries, all on malloc"),
        *("-S -B records.py 20000", "-S -B records.py 2500"),
        **_PYTHON,
    ),
    Workload(
        name="redis-flush",
        group="programs",
        summary="redis-server filled with strings, emptied by FLUSHALL, 1 s of rest",
        program="redis-server",
        full=(*_FILL.split(), "-r", "400000", "-n", "800000"),
        quick=(*_FILL.split(), "-r", "40000", "-n", "80000"),
        timing=Timing.FLUSH,
        package="redis-server",
        rest="resident_kib_after.idled",
    ),
    _whole(
        *("python-flush", "python3", "python3", "dictionaries and lists filled and dropped, then a rest"),
        *("-S -B flush.py 200000 2000", "-S -B flush.py 40000 500", "resident_kib_after.idled"),
        **_PYTHON,
    ),
    Workload(
        name="sqlite",
        group="programs",
        summary="tables in memory: inserts, joins, groups, deletes",
        program="sqlite3",
        full=_orders(200000),
        quick=_orders(20000),
        timing=Timing.WHOLE,
        package="sqlite3",
    ),
    _whole("lua", "lua5.4", "lua5.4", "trees built, walked and dropped", "tree.lua 17", "tree.lua 14"),
    _whole(
        *("gcc", "g++", "g++", "templates compiled to assembly"),
        *("-std=c++17 -O2 -S -o - -DTYPES=20 templates.cc", "-std=c++17 -O1 -S -o - -DTYPES=3 templates.cc"),
    ),
    _whole(
        *("ghostscript", "gs", "ghostscript", "pages of text and curves rendered"),
        *(f"{_PAINT} -dPages=20 pages.ps", f"{_PAINT} -dPages=3 pages.ps"),
    ),
    _whole("z3", "z3", "z3", "which tree has this sum", "tree-6.smt2", "tree-5.smt2"),
    _whole("ruby", "ruby", "ruby", "an index of words", "index.rb 6000", "index.rb 400"),
)
