"""The boards measured so far, one line of JSON each, in a file beside the page."""

from __future__ import annotations

import json
from pathlib import Path

from hakmem_lab.errors import LabError

NAME = "history.jsonl"


def entry(document: dict) -> dict:
    """What is kept of a board: its conditions, and the subject's ratios to the best peer."""
    subject = document["subject"]["name"]
    own = next(row for row in document["rows"] if row["allocator"] == subject)
    return {
        "when": document["when"],
        "commit": document["commit"],
        "machine": document["machine"],
        "quick": document["quick"],
        "pause": document.get("pause", 0.0),
        "target": document["target"],
        "complete": document["complete"],
        "subject": subject,
        "peers": {peer["name"]: peer["version"] for peer in document["peers"]},
        "time": own["time"],
        "peak": own["peak"],
        "workloads": {one["workload"]: _workload(one) for one in document["workloads"]},
    }


def _workload(one: dict) -> dict:
    own = one["standings"][0]
    return {"wide": one["wide"], "time": own["time_to_best"], "peak": own["peak_to_best"]}


def append(document: dict, path: Path) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry(document)) + "\n")
    except OSError as error:
        raise LabError(f"the history could not be written to {path}: {error.strerror}") from None


def read(path: Path) -> tuple[list[dict], int]:
    """The entries, oldest first, and how many lines are none."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    read_lines = [_parsed(line) for line in lines if line.strip()]
    entries = [one for one in read_lines if one is not None]
    return entries, len(read_lines) - len(entries)


def _parsed(line: str) -> dict | None:
    try:
        one = json.loads(line)
        return one if {"when", "commit", "subject", "workloads", "time", "peak"} <= one.keys() else None
    except (ValueError, AttributeError):
        return None


def comparable(entries: list[dict], latest: dict) -> list[dict]:
    """Those measured under the latest's conditions: its machine, kind of run, pause, target, peers and workloads."""

    def conditions(one: dict) -> tuple:
        alike = ("subject", "machine", "quick", "target", "peers")
        return tuple(one.get(key) for key in alike) + (one.get("pause", 0.0), sorted(one["workloads"]))

    return [one for one in entries if conditions(one) == conditions(latest)]
