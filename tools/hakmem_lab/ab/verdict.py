"""GO, NO-GO or NEUTRAL: of one figure, of a workload, of the whole.

Of one figure: GO is a gain of 1 % or more with the whole interval above 0, NO-GO a loss of 1 % or more with the whole
interval below 0, NEUTRAL anything else. A NEUTRAL is decided when the interval lies within 1 % or is narrow; otherwise
the measurement has not answered, and says so.

Of a workload, time decides:
    NO-GO     time or elapsed time is NO-GO; or memory or instructions are, and time is no GO: a price for nothing
    GO        time is GO and neither elapsed time nor memory is NO-GO; or memory is GO and time NEUTRAL and decided
    NEUTRAL   the rest: also a gain of time that is paid for with memory, and fewer instructions that save no time

Of the whole: NO-GO if a workload is; GO if a workload is and every other one is decided; else NEUTRAL.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hakmem_lab.ab.gain import Gain

THRESHOLD = 0.01
NARROW = 0.005  # an interval that reaches no farther than this to either side answers whatever it holds


class Verdict(Enum):
    GO = "GO"
    NO_GO = "NO-GO"
    NEUTRAL = "NEUTRAL"


@dataclass(frozen=True)
class Ruling:
    verdict: Verdict
    decided: bool
    note: str = ""

    def text(self) -> str:
        return f"{self.verdict.value}, {self.note}" if self.note else self.verdict.value


def judge(gain: Gain) -> Verdict:
    if gain.estimate >= THRESHOLD and gain.low > 0:
        return Verdict.GO
    if gain.estimate <= -THRESHOLD and gain.high < 0:
        return Verdict.NO_GO
    return Verdict.NEUTRAL


def within_threshold(gain: Gain) -> bool:
    return -THRESHOLD <= gain.low and gain.high <= THRESHOLD


def settled(gain: Gain) -> bool:
    """Whether more runs could hardly change the answer: the interval is narrow, or crosses no threshold."""
    beyond = gain.low >= THRESHOLD or gain.high <= -THRESHOLD
    return beyond or within_threshold(gain) or gain.half_width() <= NARROW


def rule_figure(gain: Gain) -> Ruling:
    verdict = judge(gain)
    if verdict is not Verdict.NEUTRAL:
        return Ruling(verdict, True)
    if within_threshold(gain):
        return Ruling(verdict, True, "within ±1 %")
    if gain.half_width() <= NARROW:
        return Ruling(verdict, True, "near 1 %" if abs(gain.estimate) < THRESHOLD else "about 1 %")
    return Ruling(verdict, False, "undecided: the interval is too wide")


def rule_workload(time: Ruling, elapsed: Ruling, memory: Ruling, instructions: Ruling, noise: Ruling) -> Ruling:
    """`noise` is A against A, judged as if the second were B."""
    if noise.verdict is not Verdict.NEUTRAL:
        return Ruling(Verdict.NEUTRAL, False, "undecided: A differs from itself by 1 % or more")
    if Verdict.NO_GO in (time.verdict, elapsed.verdict):
        return Ruling(Verdict.NO_GO, True, "" if time.verdict is Verdict.NO_GO else "in elapsed time")
    if time.verdict is Verdict.GO:
        if memory.verdict is Verdict.NO_GO:
            return Ruling(Verdict.NEUTRAL, True, "faster, but for more memory")
        return Ruling(Verdict.GO, True, "" if memory.decided else "memory undecided")
    lost = [what for what, one in (("memory", memory), ("instructions", instructions)) if one.verdict is Verdict.NO_GO]
    if lost:
        return Ruling(Verdict.NO_GO, True, f"in {' and '.join(lost)}")
    if not time.decided:
        return Ruling(Verdict.NEUTRAL, False, time.note)
    if memory.verdict is Verdict.GO:
        return Ruling(Verdict.GO, True, "in memory")
    return Ruling(Verdict.NEUTRAL, True, time.note)


def rule_all(rulings: dict[str, Ruling]) -> Ruling:
    """Of the rulings by workload."""

    def having(verdict: Verdict) -> list[str]:
        return [name for name, ruling in rulings.items() if ruling.verdict is verdict]

    undecided = [name for name, ruling in rulings.items() if not ruling.decided]
    if having(Verdict.NO_GO):
        return Ruling(Verdict.NO_GO, True, f"on {', '.join(having(Verdict.NO_GO))}")
    if undecided:
        return Ruling(Verdict.NEUTRAL, False, f"undecided on {', '.join(undecided)}")
    if having(Verdict.GO):
        return Ruling(Verdict.GO, True, f"on {', '.join(having(Verdict.GO))}")
    return Ruling(Verdict.NEUTRAL, True, "decided on every workload")
