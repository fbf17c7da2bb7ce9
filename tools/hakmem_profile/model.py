"""A profile: call stacks with names, and what each has allocated and holds."""

from dataclasses import dataclass, field

# Of a sample, in this order, as profile.proto's readers know them: name, unit.
VALUES = (
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("inuse_objects", "count"),
    ("inuse_space", "bytes"),
)
ALLOC_BLOCKS, ALLOC_BYTES, LIVE_BLOCKS, LIVE_BYTES = range(len(VALUES))


@dataclass(frozen=True)
class Mapping:
    """A range of the address space, and the file that lies there."""

    start: int
    end: int
    offset: int
    file: str
    build_id: str = ""


@dataclass(frozen=True)
class Line:
    """A function, and where in its source."""

    function: str
    file: str = ""
    line: int = 0
    system_name: str = ""


@dataclass(frozen=True)
class Location:
    """One call: the functions it is in, those that were inlined first."""

    address: int
    mapping: Mapping | None
    lines: tuple[Line, ...]


@dataclass
class Sample:
    locations: tuple[Location, ...]  # the innermost first
    values: list[float]
    process: str = ""

    def names(self):
        """Functions, the innermost first."""
        return tuple(line.function for location in self.locations for line in location.lines)


@dataclass
class Profile:
    samples: list[Sample]
    mappings: list[Mapping] = field(default_factory=list)
    every: int = 0
    time: int = 0
    comments: list[str] = field(default_factory=list)

    def total(self, value):
        return sum(sample.values[value] for sample in self.samples)

    def by_names(self):
        """The values of each stack of functions, whatever the addresses."""
        found = {}
        for sample in self.samples:
            values = found.setdefault(sample.names(), [0.0] * len(VALUES))
            for i, value in enumerate(sample.values):
                values[i] += value
        return found
