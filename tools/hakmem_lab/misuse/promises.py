"""What the libraries promise of the cases: tests/misuse/promises.json, and how a run keeps to it.

A promise is what `Outcome.text` says: the words of hakmem's line, "fault", "no effect", "at exit: " before words; or
several of them with " | " between, where placement decides which it is. A case without one may end in any way.
"""

from __future__ import annotations

import json
from pathlib import Path

from hakmem_lab.misuse.runs import Case, Outcome
from hakmem_lab.paper import ROOT
from hakmem_lab.peers import Allocator

FILE = ROOT / "tests" / "misuse" / "promises.json"
_FILES = {"release": "libhakmem.so", "secure": "libhakmem-secure.so", "guarded": "libhakmem.so"}
# Release, with every block a guarded sample, and the functions that belong together told apart.
_SETTINGS = {"guarded": (("HAKMEM_GUARD_EVERY", "1"), ("HAKMEM_SECURE_TYPES", "1"))}
LIBRARIES = tuple(_FILES)
WHOLE = "secure, whole blocks"  # HAKMEM_SECURE_FILL=1: only what it promises beyond secure stands in the file
_BETWEEN = " | "


def library(name: str, folder: Path) -> Allocator:
    """One of hakmem's libraries, by what it is."""
    if name == WHOLE:
        return Allocator(name, folder / _FILES["secure"], settings=(("HAKMEM_SECURE_FILL", "1"),))
    return Allocator(name, folder / _FILES[name], settings=_SETTINGS.get(name, ()))


def read(file: Path = FILE) -> dict[str, dict[str, str]]:
    """By library and case."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write(promised: dict[str, dict[str, str]], file: Path = FILE) -> None:
    file.write_text(json.dumps(promised, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def is_kept(promise: str, outcome: Outcome) -> bool:
    return outcome.text() in promise.split(_BETWEEN)


def made_of(outcomes: list[Outcome]) -> str | None:
    """The promise that these runs of a case allow: none where one of them went unnoticed."""
    if not all(outcome.ending.caught() for outcome in outcomes):
        return None
    return _BETWEEN.join(sorted({outcome.text() for outcome in outcomes}))


def made(cases: list[Case], runs: list[dict[str, Outcome]]) -> dict[str, str]:
    texts = {case.name: made_of([run[case.name] for run in runs]) for case in cases}
    return {name: text for name, text in texts.items() if text is not None}


def stops(promised: dict[str, str]) -> list[str]:
    """The cases that end the program."""
    return [name for name, text in promised.items() if text != "no effect"]
