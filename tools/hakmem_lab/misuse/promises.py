"""What the libraries promise of the cases: tests/misuse/promises.json, and how a run keeps to it.

A promise is what `Outcome.text` says: the words of hakmem's line, "fault", "no effect", "at exit: " before words; or
several of them with " | " between, where placement decides which it is. A case without one may end in any way.
"""

from __future__ import annotations

import json
from pathlib import Path

from hakmem_lab.misuse.runs import Case, Outcome
from hakmem_lab.paper import ROOT

FILE = ROOT / "tests" / "misuse" / "promises.json"
LIBRARIES = {"release": "libhakmem.so", "secure": "libhakmem-secure.so"}
_BETWEEN = " | "


def read(file: Path = FILE) -> dict[str, dict[str, str]]:
    """By library and case."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {name: {} for name in LIBRARIES}


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
