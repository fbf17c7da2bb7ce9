"""Where both sides are run from: two copies of each library, under paths that are equally long.

A path in LD_PRELOAD shifts what lies behind it on the stack, and the pages that a file happens to lie in decide which
lines of the processor's caches it meets. Neither is a property of A or B: all paths are equally long, and two copies of
each, A's against each other, show what the place of a file does.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.ab.sides import Side
from hakmem_lab.errors import LabError
from hakmem_lab.peers import Allocator
from hakmem_lab.running.runner import child_environment

COPIES = ("A", "a", "B", "b")  # A and a are the first side, B and b the second

_WARNING = "hakmem: warning: "


@dataclass(frozen=True)
class Contestant:
    allocator: Allocator
    settings: dict[str, str]


@contextmanager
def staged(first: Side, second: Side, folder: Path) -> Iterator[dict[str, Contestant]]:
    """The contestants, by copy."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="stage-") as stage:
        contestants = {}
        for copy in COPIES:
            side = first if copy in "Aa" else second
            library = Path(stage).resolve() / f"{copy}.so"
            shutil.copy(side.library, library)
            contestants[copy] = Contestant(Allocator(side.label(), library), side.settings)
        yield contestants


def refuse_unknown_settings(contestant: Contestant, program: Path) -> None:
    """The library itself says what it does not know: one run of any program shows."""
    if not contestant.settings:
        return
    environment = child_environment(contestant.allocator, contestant.settings)
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, check=False)
    warnings = [line.removeprefix(_WARNING) for line in done.stderr.splitlines() if line.startswith(_WARNING)]
    if warnings:
        raise LabError(f"the library does not accept '{contestant.allocator.name}': {'; '.join(warnings)}")
