"""Where the ticks of a logarithmic axis stand: at round numbers, as many as there is room for."""

from __future__ import annotations

from math import ceil, floor, log10

_STEPS = (  # within ten, the finest first
    (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9),
    (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8),
    (1, 1.5, 2, 3, 5, 7),
    (1, 2, 5),
    (1, 3),
    (1,),
)


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most so many, all between the two."""
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in _STEPS:
        found = [float(f"{step * 10.0**decade:.6g}") for decade in decades for step in steps]
        found = [tick for tick in found if low <= tick <= high]
        if len(found) <= most:
            return found
    return found[:: ceil(len(found) / most)]
