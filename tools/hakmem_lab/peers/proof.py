"""Whether a library takes the whole malloc family over: a small program runs on it and says where each function is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hakmem_lab.peers.steps import BuildError, Steps

_PROBE = Path(__file__).with_name("probe.cc")


def prove(library: Path, steps: Steps) -> None:
    """BuildError unless every function of the family comes from `library`, and two threads can use it."""
    probe = steps.folder / "probe"
    steps.run("c++", "-O1", "-fno-builtin", "-pthread", str(_PROBE), "-o", str(probe), "-ldl")
    preloaded = replace(steps, environment={**steps.environment, "LD_PRELOAD": str(library)})
    for line in preloaded.run(str(probe)).splitlines():
        name, _, path = line.partition(" ")
        if Path(path).resolve() != library.resolve():
            raise BuildError(f"the library that was built does not define {name}: {path} served it")
