"""Profiles as tables on a terminal."""

import math

from hakmem_inspect.tables import console
from hakmem_inspect.words import count, size
from rich.table import Table

from .model import ALLOC_BLOCKS, ALLOC_BYTES, LIVE_BLOCKS, LIVE_BYTES

_ALLOC, _LIVE = (ALLOC_BLOCKS, ALLOC_BYTES), (LIVE_BLOCKS, LIVE_BYTES)
_SITES = 10
_CALLS = 4  # of a site, in one cell
_LEAST = 0.005  # part of the whole: less is not shown on its own

__all__ = ["console", "difference", "leaks", "sites", "summary"]


def _variance(bytes_, blocks, every):
    """Of an estimate of bytes of one stack, whose blocks are taken to be of their mean size (src/profile/poisson.h)."""
    if blocks <= 0 or every <= 0:
        return 0.0
    mean = bytes_ / blocks
    chance = -math.expm1(-mean / every)
    return bytes_ * mean * (1 - chance) / chance


def _estimate(samples, which, every):
    """Bytes allocated or live, and one standard deviation."""
    blocks, bytes_ = which
    variance = sum(_variance(sample.values[bytes_], sample.values[blocks], every) for sample in samples)
    total = sum(sample.values[bytes_] for sample in samples)
    return f"{size(round(total))} ± {size(round(math.sqrt(max(0.0, variance))))}" if total else "0 B"


def summary(profile, out):
    """What was allocated and what lives, in all."""
    alloc, live = (_estimate(profile.samples, which, profile.every) for which in (_ALLOC, _LIVE))
    blocks, live_blocks = profile.total(ALLOC_BLOCKS), profile.total(LIVE_BLOCKS)
    if not profile.samples:
        return
    lines = [
        f"allocated  {alloc} in about {count(round(blocks), 'block')}",
        f"lives      {live} in about {count(round(live_blocks), 'block')}",
        f"sampled    one byte in {profile.every:,}",
    ]
    lines += [f"note       {comment}" for comment in profile.comments[1:]]
    out.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def _where(sample):
    """The calls next to the allocation."""
    lines = [line for location in sample.locations for line in location.lines][:_CALLS]
    return " < ".join(line.function for line in lines) or "(no stack)"


def _table(*headings):
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("who", overflow="fold")
    return table


def _merged(profile):
    """(the calls next to the allocation, values): stacks that agree in them are one row."""
    rows = {}
    for sample in profile.samples:
        values = rows.setdefault(_where(sample), [0.0] * 4)
        for i, value in enumerate(sample.values):
            values[i] += value
    return rows


def sites(profile, out):
    """Who has allocated the most, and what of it lives."""
    rows = sorted(_merged(profile).items(), key=lambda row: -row[1][ALLOC_BYTES])
    table = _table("allocated", "blocks", "lives")
    for who, values in rows[:_SITES]:
        if values[ALLOC_BYTES] > 0:
            table.add_row(
                size(round(values[ALLOC_BYTES])), f"{values[ALLOC_BLOCKS]:,.0f}", size(round(values[LIVE_BYTES])), who
            )
    if table.rows:
        out.print(table)


def leaks(profile, out):
    """What lives, by whole stacks."""
    total = profile.total(LIVE_BYTES)
    samples = sorted(profile.samples, key=lambda sample: -sample.values[LIVE_BYTES])
    shown = [sample for sample in samples if sample.values[LIVE_BYTES] > _LEAST * total]
    if not shown:
        out.print("Nothing that was sampled lives.", highlight=False)
        return
    for sample in shown:
        bytes_, blocks = sample.values[LIVE_BYTES], sample.values[LIVE_BLOCKS]
        estimate = _estimate([sample], _LIVE, profile.every)
        process = f", {sample.process}" if sample.process else ""
        part = f"{bytes_ / total:.0%} of what lives{process}"
        out.print(f"[bold]{estimate}[/bold] in about {count(round(blocks), 'block')}, {part}", highlight=False)
        for location in sample.locations:
            for line in location.lines:
                place = f"  {line.file}:{line.line}" if line.file else ""
                out.print(f"    {line.function}{place}", highlight=False, markup=False, soft_wrap=True)
    rest = sum(sample.values[LIVE_BYTES] for sample in samples[len(shown) :])
    if rest > 0:
        out.print(f"{size(round(rest))} by {count(len(samples) - len(shown), 'further stack')}", highlight=False)


def difference(before, after, out):
    """What has changed from one profile to another, by stacks of functions."""
    first, second = before.by_names(), after.by_names()
    nothing = [0.0] * 4
    changes = []
    for names in set(first) | set(second):
        a, b = first.get(names, nothing), second.get(names, nothing)
        changes.append((b[LIVE_BYTES] - a[LIVE_BYTES], b[ALLOC_BYTES] - a[ALLOC_BYTES], names))
    changes.sort(key=lambda one: (-abs(one[0]), -abs(one[1]), one[2]))
    changes = [one for one in changes if round(one[0]) or round(one[1])]
    if not changes:
        out.print("No stack holds or has allocated more or less.", highlight=False)
        return
    table = _table("lives", "allocated")
    for live, alloc, names in changes[: 2 * _SITES]:
        table.add_row(_signed(live), _signed(alloc), " < ".join(names[:_CALLS]) or "(no stack)")
    table.add_row(_signed(sum(one[0] for one in changes)), _signed(sum(one[1] for one in changes)), "all")
    out.print(table)


def _signed(bytes_):
    number = round(bytes_)
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{size(abs(number))}"
