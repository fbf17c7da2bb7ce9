"""What a profile has to say of known allocations, and how far it may be off."""

import math


def error_of(blocks, size, every):
    """One standard deviation of the bytes that are counted for so many blocks of a size."""
    chance = -math.expm1(-size / every)
    return size * math.sqrt(blocks * (1 - chance) / chance)


SIGMAS = 5  # of 40 figures, one in 40,000 runs lies further away,
SAMPLES = 3  # were they normal: where few blocks are missed, or few are hit, each makes a step


def assert_counts(counted, blocks, size, every, what):
    """Bytes that are within the sampling error of those that were there."""
    step = size / -math.expm1(-size / every)
    bound = SIGMAS * error_of(blocks, size, every) + SAMPLES * step + blocks  # weights are whole bytes
    assert abs(counted - blocks * size) <= bound, f"{what}: {counted:.0f} of {blocks * size}, bound {bound:.0f}"


def at_function(profile, name):
    """The sums of the values of the stacks that a function is in."""
    values = [0.0] * 4
    for sample in profile.samples:
        if name in sample.names():
            values = [a + b for a, b in zip(values, sample.values, strict=True)]
    return values
