"""Random mixed, counted by the observe library and by a model of it, to the last block of every band."""

from collections import Counter

import pytest

from stats_lines import BANDS, check, difference

SPEC = {"c0": 0, "c1": 523, "c2": 8757, "c3": 17253, "c4": 34764, "c5": 68835, "c6": 137297, "c7": 274590, "mid": 8081}


def band_of(size):
    """The band of a request; None: it is not a slab's."""
    if size > 32 * 1024:
        return "large" if size <= 1024 * 1024 else "huge"
    for power, band in enumerate(BANDS[:-1]):
        if size <= 8 << power:
            return band
    return "mid"


def model(iters, ws, seed, least=16, most=1039):
    """(blocks freed by band, frees of NULL) of a run; every block is freed at the end."""
    slots = [None] * ws
    freed = Counter()
    for state, operations in (((seed + 0xDEADBEEF) & 0xFFFFFFFF, iters // 10), (seed, iters)):
        x = state or 1
        for _ in range(operations):
            x ^= x << 13 & 0xFFFFFFFF
            x ^= x >> 17
            x ^= x << 5 & 0xFFFFFFFF
            k = x % ws
            if slots[k] is not None:
                freed[slots[k]] += 1
                slots[k] = None
            else:
                slots[k] = band_of(min(max(16 + (x & 1023), least), most))
    freed.update(band for band in slots if band is not None)
    return freed, slots.count(None)


@pytest.fixture(scope="module")
def random_mixed(request):
    program = request.config.rootpath / "build/release/bench/random_mixed"
    if not program.exists():
        pytest.fail(f"{program} is missing; build it first: ./hakmem build")
    return program


@pytest.fixture(scope="module")
def loop(stats, random_mixed):
    """What a run does more than one of one operation, which is all that the process does besides."""

    def call(iters, ws, seed, *sizes):
        (some,) = stats(random_mixed, iters, ws, seed, *sizes)
        (one,) = stats(random_mixed, 1, ws, seed, *sizes)
        return difference(check(some), check(one))

    return call


def test_the_model_is_the_workload():
    freed, empty = model(1_000_000, 400, 1)
    assert {band: freed[band] for band in BANDS} == SPEC
    assert sum(freed.values()) == 550_100 and empty == 200


def test_the_standard_run_counts_what_it_must(loop):
    done = loop(1_000_000, 400, 1)
    one, _ = model(1, 400, 1)
    assert done["free_path_stats_by_class"] == {band: SPEC[band] - one[band] for band in BANDS}
    assert done["free_dispatch_stats"]["total"] == 550_100 - 1
    assert done["free_path_stats"]["cache"] > 0.9 * 550_100


@pytest.mark.parametrize(
    ("iters", "ws", "seed", "sizes"),
    [
        (200_000, 400, 2, ()),
        (200_000, 8192, 1, ()),
        (100_000, 8192, 77777, ()),
        (50_000, 1, 3, ()),
        (50_000, 7, 0, ()),
        (100_000, 400, 1, (8, 128)),
        (100_000, 8192, 5, (129, 1024)),
        (100_000, 400, 0xFFFFFFFF, (257, 768)),
        (20_000, 400, 9, (1, 8)),
        (20_000, 400, 9, (1, 16)),
        (20_000, 400, 9, (512, 512)),
        (20_000, 400, 9, (1025, 1025)),
        (20_000, 400, 9, (20000, 30000)),
        (20_000, 40, 9, (32768, 32768)),
        (5_000, 20, 9, (32769, 32769)),
        (5_000, 10, 9, (2 << 20, 2 << 20)),
        (2_000, 10, 9, ((2 << 20) + 1, 3 << 20)),
    ],
)
def test_any_run_counts_what_the_model_does(loop, iters, ws, seed, sizes):
    done = loop(iters, ws, seed, *sizes)
    freed, empty = model(iters, ws, seed, *sizes)
    one, one_empty = model(1, ws, seed, *sizes)
    expected = {kind: freed[kind] - one[kind] for kind in [*BANDS, "large", "huge"]}
    for paths in (done["free_path_stats"], done["malloc_path_stats"]):
        assert {kind: paths[kind] for kind in ("large", "huge")} == {kind: expected[kind] for kind in ("large", "huge")}
    for bands in (done["free_path_stats_by_class"], done["malloc_path_stats_by_class"]):
        assert bands == {band: expected[band] for band in BANDS}
    assert done["free_path_stats"]["null"] == empty - one_empty
    assert set(done["live_stats_by_class"].values()) == {0}
