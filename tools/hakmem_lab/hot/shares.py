"""A profile as shares by group and by function."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Profile, Stack

_TENTHS = 1000


@dataclass(frozen=True)
class Share:
    name: str
    group: str
    weight: int


def by_group(profile: Profile) -> list[Share]:
    """Every group of the house in its order, also the empty ones; others where they have a weight."""
    weights: Counter[str] = Counter()
    for stack, weight in profile.stacks.items():
        weights[stack[-1].group] += weight
    shown = [group for group in groups.ALL if weights[group] or group in groups.ALWAYS_SHOWN]
    return [Share(group, group, weights[group]) for group in shown]


def by_function(profile: Profile) -> list[Share]:
    """Self shares, the largest first. What is inlined counts with the function that holds it, told apart by group."""
    weights: Counter[tuple[str, str]] = Counter()
    for stack, weight in profile.stacks.items():
        weights[_label(stack), stack[-1].group] += weight
    return [Share(name, group, weight) for (name, group), weight in weights.most_common()]


def _label(stack: Stack) -> str:
    holder = next(frame for frame in reversed(stack) if not frame.inlined)
    return holder.name if holder.group == stack[-1].group else f"{holder.name} (inlined {stack[-1].group})"


def top(shares: list[Share], most: int) -> list[Share]:
    """The first ones, and the others in one line."""
    if len(shares) <= most:
        return shares
    rest = shares[most:]
    return [*shares[:most], Share(f"{len(rest)} others", "", sum(share.weight for share in rest))]


def percentages(weights: list[int]) -> list[str]:
    """Of their sum, to one decimal. What rounding leaves over goes to those that it cut most."""
    total = sum(weights)
    if total == 0:
        return ["0.0 %"] * len(weights)
    tenths = [weight * _TENTHS // total for weight in weights]
    cut_most = sorted(range(len(weights)), key=lambda i: -(weights[i] * _TENTHS % total))
    for i in cut_most[: _TENTHS - sum(tenths)]:
        tenths[i] += 1
    return [f"{tenth // 10}.{tenth % 10} %" for tenth in tenths]
