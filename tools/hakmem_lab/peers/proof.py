"""Whether a library takes the whole malloc family over: a small program runs on it and says where each function is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hakmem_lab.peers.allocator import Allocator
from hakmem_lab.peers.recipes import Recipe
from hakmem_lab.peers.steps import BuildError, Steps

_PROBE = Path(__file__).with_name("probe.cc")


def prove(library: Path, recipe: Recipe, steps: Steps) -> None:
    """BuildError unless every function of the family comes from `library`, two threads can use it, and what has to hold does."""
    probe = steps.folder / "probe"
    steps.run("c++", "-O1", "-fno-builtin", "-pthread", str(_PROBE), "-o", str(probe), "-ldl")
    environment = Allocator("", library, settings=recipe.settings).environment()
    preloaded = replace(steps, environment={**steps.environment, **environment})
    lines = preloaded.run(str(probe), *([recipe.holds] if recipe.holds else [])).splitlines()
    answers = dict(line.split(" ", 1) for line in lines)
    if answers.pop(recipe.holds, "yes") != "yes":
        raise BuildError(f"the library works otherwise than it should on this machine: {recipe.holds} says no")
    for name, path in answers.items():
        if Path(path).resolve() != library.resolve():
            raise BuildError(f"the library that was built does not define {name}: {path} served it")
