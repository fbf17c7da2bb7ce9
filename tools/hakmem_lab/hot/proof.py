"""What a profile must have before it is shown: hakmem served the program, and the samples are enough to rank by."""

from __future__ import annotations

from collections.abc import Callable

from hakmem_lab.errors import UnsoundError
from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Process, Profile

MIN_SAMPLES = 1000
_NAMED_FROM = 0.01  # of the whole: a process that hakmem did not serve is named from this share on


def of_service(profile: Profile, say: Callable[[str], None]) -> None:
    """Refuses a run of which hakmem served less than half; names each process that it did not serve."""
    total = sum(process.weight for process in profile.processes)
    strangers = [process for process in profile.processes if not process.served]
    if len(strangers) == len(profile.processes):
        raise UnsoundError(
            f"hakmem did not serve {_named(profile.processes)}: no call of malloc or free came to it. "
            "Does the program set LD_PRELOAD itself, bring its own malloc, or allocate nothing?"
        )
    told = profile.unit == "samples" and total >= MIN_SAMPLES  # of fewer, none may be hakmem's by chance
    if told and not any(stack[-1].group in groups.HAKMEM for stack in profile.stacks):
        raise UnsoundError(
            f"not one of {total} samples fell into hakmem: another malloc served the program, or it hardly allocates; "
            "--callgrind counts every call"
        )
    weight = sum(process.weight for process in strangers)
    if 2 * weight > total:
        raise UnsoundError(
            f"hakmem did not serve {_named(strangers)}, where {weight / total:.0%} of the {profile.unit} went"
        )
    for process in strangers:
        if process.weight > _NAMED_FROM * total:
            say(f"not on hakmem: {_named([process])}, {process.weight / total:.0%} of the {profile.unit}")


def of_samples(profile: Profile) -> None:
    """Callgrind counts; what perf gives are samples, and few of them rank nothing."""
    total = profile.total
    if profile.unit != "samples" or total >= MIN_SAMPLES:
        return
    needed = -(-MIN_SAMPLES * profile.runs * 5 // (max(total, 1) * 4))  # a quarter more than just enough
    raise UnsoundError(
        f"{total:,} samples are too few to rank functions by; {MIN_SAMPLES:,} are needed. Give the program more to do, "
        f"merge runs (--runs {needed}), or count instructions (--callgrind)"
    )


def _named(processes: list[Process]) -> str:
    commands = list(dict.fromkeys(process.command for process in processes))
    return ", ".join(commands[:3]) + (f" and {len(commands) - 3} more" if len(commands) > 3 else "")
