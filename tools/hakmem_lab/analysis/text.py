"""The measured workload as a document: tables, and what they suggest."""

from __future__ import annotations

from textwrap import fill

from hakmem_lab.analysis import boxes
from hakmem_lab.analysis.boxes import BoxShare
from hakmem_lab.analysis.measure import Measured
from hakmem_lab.counters import figures
from hakmem_lab.hot import groups
from hakmem_lab.tables import Table, table_lines

LEAST = 0.002  # of the whole: smaller boxes are one row
_WORTH = 0.01  # what `ab` calls a gain
_COLUMNS = 100

# The swaps that say what a box is worth (swaps/swaps.toml).
SWAPS = {
    "warm/depot": "no-depot",
    "warm/spill": "no-depot",
    "warm/refill": "no-depot",
    "warm/warm_pool": "no-warm-pool",
    "warm/bind": "no-warm-pool",
    "warm/gather": "no-remote-gathering",
    "warm/free_remote": "no-remote-gathering",
    "cold/residency": "no-purge",
    "cold/pool_purge": "no-purge",
    "cold/superslab_lists": "no-tiers",
    "cold/arena": "no-arena",
}


def document(measured: Measured, commit: str, machine: dict, day: str) -> str:
    workload = measured.workload
    parts = [
        f"# Where the cycles go: {workload.name}",
        _paragraph(
            f"The workload is {workload.summary}. Written by "
            f"`./hakmem analysis --only {workload.name}` at {commit} on {day}, on {machine['cores']} cores "
            f"({machine['processor']}, {machine['system']}). {_honesty(measured)}"
        ),
        "## By box",
        table_lines(_boxes_table(measured)),
        _paragraph(_reading(measured)),
        "## A call",
        table_lines(_entries_table(measured)),
        "## Beside glibc",
        _paragraph(f"Of `{measured.timed}`, medians of {len(measured.contestants[0].runs)} runs of each, in turn."),
        table_lines(figures.table("", measured.contestants)),
        "## What this suggests",
        "\n".join(fill(f"- {one}", _COLUMNS, subsequent_indent="  ", **_WHOLE) for one in suggestions(measured)),
    ]
    return "\n\n".join(parts) + "\n"


_WHOLE = {"break_long_words": False, "break_on_hyphens": False}


def _paragraph(text: str) -> str:
    return fill(text, _COLUMNS, **_WHOLE)


def _honesty(measured: Measured) -> str:
    said = [f"Instructions are exact, counted by callgrind in `{measured.counted}`"]
    if measured.samples:
        said[0] += f"; shares of the time are {measured.samples:,} samples of the clock in `{measured.timed}`"
    if not figures.has_hardware(measured.contestants):
        said.append("The machine gives no hardware counters, so cycles and cache misses are in no table")
    said += [one[0].upper() + one[1:] for one in measured.missing]
    return ". ".join(said) + "."


def _told(share: float) -> str:
    return f"{100 * share:.1f} %"


def _percent(share: BoxShare | None) -> str:
    return "–" if share is None else _told(share.share)


def _boxes_table(measured: Measured) -> Table:
    """The boxes of the library and what is not of it, each with both shares; small boxes are one row."""
    both = {**measured.by_time, **measured.by_instructions}
    order = sorted(both, key=lambda box: -_larger(measured, box))
    shown = [box for box in order if _larger(measured, box) >= LEAST]
    rows = []
    for box in shown:
        name = f"`{box}`" if both[box].ours() else box
        counted = measured.by_instructions.get(box)
        behind = _told(counted.behind()) if counted and counted.ours() else ""
        cells = [_percent(counted), behind, *([_percent(measured.by_time.get(box))] if measured.samples else [])]
        rows.append((name, both[box].group, *cells))
    rest = [box for box in order if box not in shown]
    if rest:
        rows.append((f"{len(rest)} others", "", *_sums(measured, rest)))
    header = ("box", "group", "instructions", "behind the common path", *(["time"] if measured.samples else []))
    return Table("", header, rows, text_columns=2)


def _sums(measured: Measured, names: list[str]) -> list[str]:
    counted = [measured.by_instructions[name] for name in names if name in measured.by_instructions]
    timed = [measured.by_time[name] for name in names if name in measured.by_time]
    sums = [sum(one.share for one in counted), sum(one.behind() for one in counted if one.ours())]
    sums += [sum(one.share for one in timed)] if measured.samples else []
    return [_told(one) for one in sums]


def _larger(measured: Measured, box: str) -> float:
    return max(of[box].share for of in (measured.by_instructions, measured.by_time) if box in of)


def _entries_table(measured: Measured) -> Table:
    rows = [
        (f"`{entry.name}`", f"{entry.calls:,}", f"{entry.own / entry.calls:.1f}", f"{entry.whole / entry.calls:.1f}")
        for entry in sorted(measured.entries, key=lambda entry: -entry.calls)
    ]
    return Table("", ("entry", "calls", "instructions of its own", "with all that it calls"), rows)


def _reading(measured: Measured) -> str:
    of = measured.by_instructions
    text = (
        f"{_told(boxes.ours(of))} of the instructions are hakmem's, {_told(boxes.common(of))} are the common path: the "
        "functions that programs call themselves, which tests pin. A box counts for the lines of its own source, "
        "wherever they are inlined."
    )
    if measured.samples:
        text += f" Of the time {_told(boxes.ours(measured.by_time))} is hakmem's"
        kernel = measured.by_time.get(groups.KERNEL)
        text += f", and {_told(kernel.share)} the kernel's." if kernel else "; the kernel is not seen."
    return text


def suggestions(measured: Measured) -> list[str]:
    """What follows from the figures, each with the bound that they set."""
    of = measured.by_time or measured.by_instructions
    unit = "time" if measured.by_time else "instructions"
    found = [
        f"All of hakmem takes {_told(boxes.ours(of))} of the {unit}: no change of it can save more of this workload. "
        f"{_told(boxes.common(of))} is the common path; behind it are {_told(boxes.ours(of) - boxes.common(of))}."
    ]
    slow = sorted((one for one in of.values() if one.ours()), key=lambda one: -one.behind())
    worth = [one for one in slow if one.behind() >= _WORTH]
    found += [_asked(measured, one) for one in worth[:3]]
    if not worth:
        found.append(
            "No box behind the common path reaches 1 %, which is what `./hakmem ab` calls a gain: "
            "a change there cannot be told from noise on this workload."
        )
    found += _beside(measured)
    return found


def _asked(measured: Measured, one: BoxShare) -> str:
    """The bound of a box behind the common path, and the command that says more."""
    on = f"--workload {measured.workload.name}"
    bound = f"`{one.box}` takes {_told(one.behind())} behind it: a change there can save that much at most."
    if one.box in SWAPS:
        return f"{bound} `./hakmem ab default {SWAPS[one.box]} {on}` says what it is worth."
    return f"{bound} `./hakmem hot` names its functions, and `./hakmem ab HEAD~1 HEAD {on}` decides."


def _beside(measured: Measured) -> list[str]:
    first, peer = measured.contestants
    found = []
    for figure in figures.FIGURES:
        if figure.name not in ("page faults", "peak memory"):
            continue
        mine, others = figures.value(first, figure), figures.value(peer, figure)
        if mine and others and mine / others > 1 + _WORTH:
            name = figure.name.capitalize()
            found.append(
                f"{name}: {figure.text(mine)} where glibc has {figure.text(others)}. "
                "`./hakmem map` shows which classes hold what."
            )
    kernel = measured.by_time.get(groups.KERNEL)
    if kernel and kernel.share > boxes.ours(measured.by_time):
        found.append(
            f"The kernel takes {_told(kernel.share)} of the time, more than hakmem: a page that is not touched for the "
            "first time saves more than an instruction."
        )
    return found
