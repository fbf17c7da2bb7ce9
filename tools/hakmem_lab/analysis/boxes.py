"""A profile by box: the source file that ran, or what is not the library's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath

from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Frame, Profile, Stack


@dataclass(frozen=True)
class BoxShare:
    box: str  # as an include names it, without the suffix; a group's name outside the library
    group: str
    share: float  # of the whole
    common: float = 0  # of it, what stands in malloc, free and their like themselves: the common path

    def behind(self) -> float:
        """What the common path calls."""
        return self.share - self.common

    def ours(self) -> bool:
        return self.group in groups.HAKMEM


def box_of(frame: Frame) -> str:
    below = f"/{frame.where}".rpartition("/src/")[2]
    inside = frame.group in groups.HAKMEM and below != f"/{frame.where}"
    return str(PurePosixPath(below).with_suffix("")) if inside else frame.group


def shares(profile: Profile) -> dict[str, BoxShare]:
    """By box, the largest first. What is inlined counts for the box that its source stands in."""
    weights: Counter[tuple[str, str]] = Counter()
    common: Counter[str] = Counter()
    for stack, weight in profile.stacks.items():
        box = box_of(stack[-1])
        weights[box, stack[-1].group] += weight
        common[box] += weight if _is_entry(stack) else 0
    total = profile.total
    return {
        box: BoxShare(box, group, weight / total, common[box] / total)
        for (box, group), weight in weights.most_common()
    }


def _is_entry(stack: Stack) -> bool:
    """Whether the function that holds what ran is one that programs call."""
    holder = next(frame for frame in reversed(stack) if not frame.inlined)
    return holder.group in groups.HAKMEM and box_of(holder).startswith("api/")


def common(of: dict[str, BoxShare]) -> float:
    return sum(one.common for one in of.values() if one.ours())


def ours(of: dict[str, BoxShare]) -> float:
    return sum(one.share for one in of.values() if one.ours())
