"""What in src/ is against the rules of the house; CONTRIBUTING.md says them in words."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterator

from hakmem_house import floors as floors_table
from hakmem_house import headers
from hakmem_house.floors import Floor
from hakmem_house.sources import Include, Source

LONGEST = 300  # lines of a file
WIDEST = 120  # columns of a line
OUTSIDE = ("hakmem.h",)  # the public header, which is no floor's

Files = dict[str, Source]
Edges = dict[str, dict[str, str]]  # from -> to -> the include that made it


def broken(floors: list[Floor], files: Files, headerless: Collection[str] = ()) -> list[str]:
    """Everything that is against the rules, each with file, line and what to do about it."""
    return [
        *_floors(floors, files),
        *_includes(floors, files),
        *_circles(floors, files),
        *_files(floors, files, headerless),
        *_comments(floors, files),
    ]


def _floors(floors: list[Floor], files: Files) -> Iterator[str]:
    """The table and the folders name the same floors."""
    folders = {source.folder for source in files.values()}
    for folder in sorted(folders - {floor.name for floor in floors}):
        yield f"src/{folder}: is no floor: move its files, or give it a line in CONTRIBUTING.md's table of floors"
    for floor in floors:
        if floor.name not in folders:
            yield f"src/{floor.name}: is not there: make the folder, or take the floor out of CONTRIBUTING.md's table"
        elif floor.header == floors_table.NO_HEADER:
            continue
        elif floor.header not in files:
            yield f"src/{floor.header}: is not there: the floors above include {floor.name} by this header"
        else:
            yield from _declarations(files[floor.header])


def _declarations(header: Source) -> Iterator[str]:
    """A floor's header includes boxes and is none itself."""
    rest = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), header.text, flags=re.DOTALL)
    for number, line in enumerate(rest.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield f"src/{header.path}:{number}: declares something: move it to a box; a floor's header only includes"
            return


def _includes(floors: list[Floor], files: Files) -> Iterator[str]:
    by_name = {floor.name: floor for floor in floors}
    for source, include, target in _all_includes(files):
        if source.folder not in by_name:
            continue
        wrong = _wrong(by_name, source, include, target)
        if wrong:
            yield f'{_place(source, include)}: #include "{include.name}" {wrong}'


def _wrong(by_name: dict[str, Floor], source: Source, include: Include, target: Source | None) -> str:
    """What is wrong with an include; nothing if it is as it should be."""
    here = by_name[source.folder]
    if target is None:
        return 'names no file: name headers from src/ on, as in "warm/heap.h"'
    if target.folder == source.folder:
        if include.name == here.header:
            return f"names the header for the floors above: include the box of {here.name} that is meant"
        return ""
    there = by_name.get(target.folder)
    if there is None:
        return ""
    if there.height > here.height:
        way = f"from {here.name} to {there.name}"
        return f"runs up, {way}: move what is needed to {here.name} or below, or have it handed in"
    if include.name != there.header:
        return f'names an inner header of {there.name}: include "{there.header}", and have that offer it'
    return ""


def _all_includes(files: Files) -> Iterator[tuple[Source, Include, Source | None]]:
    """The includes of files of this tree, and those in quotes of files that are nowhere."""
    for source in files.values():
        for include in source.includes:
            if include.name in files:
                yield source, include, files[include.name]
            elif include.name not in OUTSIDE and f'"{include.name}"' in source.text.splitlines()[include.line - 1]:
                yield source, include, None


def _circles(floors: list[Floor], files: Files) -> Iterator[str]:
    for circle in circles(floor_edges(files)):
        yield f"a circle of floors: {circle}: move what both need to a floor below both, or have it handed in"
    for circle in circles(_box_edges(floors, files)):
        yield f"a circle of boxes: {circle}: move what both need into a box of its own"


def floor_edges(files: Files) -> Edges:
    """Which floor includes which other, and where it does so first."""
    edges: Edges = defaultdict(dict)
    for source, include, target in _all_includes(files):
        if target is not None and target.folder != source.folder:
            edges[source.folder].setdefault(target.folder, _place(source, include))
    return edges


def floor_counts(files: Files) -> dict[tuple[str, str], int]:
    """How many includes go from one floor to another."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for source, _, target in _all_includes(files):
        if target is not None and target.folder != source.folder:
            counts[source.folder, target.folder] += 1
    return dict(counts)


def _box_edges(floors: list[Floor], files: Files) -> Edges:
    """Which box includes which other; the headers of floors are no box's."""
    boundaries = {floor.header for floor in floors}
    edges: Edges = defaultdict(dict)
    for source, include, target in _all_includes(files):
        if target is None or source.path in boundaries or target.path in boundaries or source.box == target.box:
            continue
        edges[source.box].setdefault(target.box, _place(source, include))
    return edges


def circles(edges: Edges) -> list[str]:
    """For each knot one circle, the shortest through its first member, with the places of its includes."""
    told: set[str] = set()
    found = []
    for start in sorted(edges):
        circle = _shortest(edges, start)
        if circle and not told & set(circle):
            told |= set(circle)
            steps = zip(circle, [*circle[1:], circle[0]])
            found.append(" → ".join([*circle, circle[0]]) + f" ({', '.join(edges[a][b] for a, b in steps)})")
    return found


def _shortest(edges: Edges, start: str) -> list[str]:
    """The shortest way from a node back to itself, without its end; nothing if there is none."""
    before: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for following in sorted(edges.get(node, ())):
            if following == start:
                way = [node]
                while way[0] != start:
                    way.insert(0, before[way[0]])
                return way
            if following not in before:
                before[following] = node
                waiting.append(following)
    return []


def _files(floors: list[Floor], files: Files, headerless: Collection[str]) -> Iterator[str]:
    """Their length and width, their names, and that a .c has its header."""
    places = defaultdict(list)
    for source in files.values():
        places[source.name].append(source.path)
        if source.lines > LONGEST:
            yield f"src/{source.path}:{LONGEST + 1}: has {source.lines} lines, more than {LONGEST}: split the box"
        for number, line in enumerate(source.text.splitlines(), 1):
            if len(line) > WIDEST:
                yield f"src/{source.path}:{number}: has {len(line)} columns, more than {WIDEST}: wrap the line"
        has_header = f"{source.box}.h" in files
        if source.suffix == ".c" and not has_header and source.path not in headerless:
            yield f"src/{source.path}: has no header {source.box}.h: declare there what it offers, or join it to a box"
    for path in sorted(headerless):
        if path not in files or f"{files[path].box}.h" in files:
            yield f"src/{path}: may be without a header, but is not: take it off the list of exceptions"
    for name, paths in places.items():
        if len(paths) > 1:
            yield f"{' and '.join(f'src/{path}' for path in paths)}: two files named {name}: give each box its own name"


def _comments(floors: list[Floor], files: Files) -> Iterator[str]:
    """What each header opens with."""
    boundaries = {floor.header for floor in floors}
    for source in files.values():
        if source.suffix != ".h":
            continue
        stem = source.name.removesuffix(".h")
        name, purpose = headers.opening(source.text)
        if name != stem or not purpose:
            yield f'src/{source.path}:1: does not open with a comment "{stem}: what it is."'
        lacking = [] if source.path in boundaries else headers.missing(source.text)
        if lacking:
            yield f"src/{source.path}:1: the comment it opens with lacks {' and '.join(lacking)}"


def _place(source: Source, include: Include) -> str:
    return f"src/{source.path}:{include.line}"
