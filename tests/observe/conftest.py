"""The observe library, and programs that run on it."""

import pytest

from hakmem_program import run
from stats_lines import objects


@pytest.fixture(scope="session")
def observe_library(library):
    """libhakmem-observe.so of the build under test."""
    path = library.parent / "libhakmem-observe.so"
    if not path.exists():
        pytest.fail(f"{path} is missing; build everything first: cmake --build build/release")
    return path


@pytest.fixture(scope="session")
def observe(observe_library):
    """Runs a command on the observe library."""

    def call(*command, **variables):
        done = run(command, {"LD_PRELOAD": str(observe_library), **variables})
        assert done.code == 0, done
        return done

    return call


@pytest.fixture(scope="session")
def stats(observe):
    """Runs a command on the observe library; what it printed, an object for each call of hak_stats_print and exit."""

    def call(*command, **variables):
        return objects(observe(*command, HAKMEM_STATS_FORMAT="json", **variables).err)

    return call
