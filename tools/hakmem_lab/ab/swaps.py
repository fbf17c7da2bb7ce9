"""The library of the tree as it lies there, with a box swapped for another: a folder of swaps/, each file of which takes
the place of that of src/ with the same path. Built apart, in a folder that keeps its objects for the next time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hakmem_cli.layout import PLAIN
from hakmem_cli.lock import locked
from hakmem_lab.ab.revisions import apart, build_library

_ROOT = Path(__file__).resolve().parents[3]
LIST = _ROOT / "swaps" / "swaps.toml"


@cache
def about() -> dict[str, str]:
    """Every swap by its name, and what it is."""
    if not LIST.is_file():
        return {}
    with LIST.open("rb") as file:
        return {name: entry["about"] for name, entry in tomllib.load(file).items()}


def names() -> list[str]:
    return list(about())


def told() -> str:
    """The swaps for a help text, a line each."""
    widest = max(map(len, names()), default=0)
    return "\n".join(f"{name:<{widest}}  {what}" for name, what in about().items())


def built(name: str, root: Path, cache_: Path, say: Callable[[str], None], variant: str = PLAIN) -> Path:
    """The library with this box swapped."""
    output = cache_.resolve() / "swaps" / apart(name, variant)
    if not output.is_dir():
        say(f"building {name}")
    with locked(f"swap-{name}"):
        return build_library(root, output, f"the swap {name}", variant, f"-DHAKMEM_SWAP={name}")
