"""The commands of ./hakmem that look into a heap from outside."""

import json
import sys
import time
from typing import Annotated

import typer

from . import document, listing, tables
from . import snapshot as snapshots
from .figures import Sums
from .heap import Heap
from .target import open_memory
from .where import parse_address
from .where import where as answer
from .words import count, size

app = typer.Typer(add_completion=False, no_args_is_help=True)

Target = Annotated[
    str, typer.Argument(metavar="PID|CORE|SNAPSHOT", help="A running process, a core file or a snapshot.")
]


@app.command()
def where(
    target: Target,
    address: Annotated[str, typer.Argument(help="0x..., or decimal.")],
) -> None:
    """Say what an address is.

    A block and its state, a record of the library, or foreign. A process is read while it runs, without its help.
    """
    number = parse_address(address)
    print("\n".join(answer(Heap(open_memory(target)), number).lines()))


@app.command()
def top(
    target: Annotated[
        str, typer.Argument(metavar="[PID|CORE|SNAPSHOT]", help="Without it: the processes that run on hakmem.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="Print the figures of now, and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="An object a line; with --once, one.")] = False,
    interval: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="From one look to the next.")] = 1.0,
) -> None:
    """Show what the heap of a running program holds.

    By size class, by thread and in all. Live is what the program holds; held is what may be resident. What changes is
    told as allocated less freed, a second: two looks tell no more. Keys: q quits, space pauses, tab changes between
    classes and threads, and the keys that the last line names sort. A core file and a snapshot are shown once.
    """
    if not target:
        _list(as_json)
        return
    memory = open_memory(target)
    once = once or not memory.moves
    if as_json:
        _print_documents(memory, once, interval)
    elif once or not sys.stdout.isatty():
        tables.whole(document.of(Heap(memory)), tables.console())
    else:
        _show_screen(memory, interval)


def _list(as_json):
    found = listing.documents()
    if as_json:
        print(json.dumps([{"pid": pid, "why": why, **(one or {})} for pid, one, why in found]))
    else:
        tables.listing(found, tables.console())


def _print_documents(memory, once, interval):
    layout = before = None
    while True:
        heap = Heap(memory, layout)
        told = document.of(heap)
        if before is not None:
            document.tell_changes(before, told)
        before = told
        print(json.dumps(told), flush=True)
        if once:
            return
        layout = heap.layout
        time.sleep(interval)
        memory.refresh()


def _show_screen(memory, interval):
    from .screen import Screen  # here, because it takes a while to load

    screen = Screen(memory, interval)
    screen.run()
    if screen.error:
        raise screen.error


@app.command()
def snapshot(
    pid: Annotated[str, typer.Argument(metavar="PID|CORE", help="A running process or a core file.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")],
) -> None:
    """Take a heap's records into a file, to look at later.

    It has no byte of what the program stored in its blocks.
    """
    heap, data = snapshots.take(open_memory(pid))
    snapshots.write(output, data)
    torn = f"; {heap.torn} records changed while they were read" if heap.torn else ""
    print(f"{output}: {size(len(data))}, {count(len(heap.superslabs), 'superslab')}{torn}")


@app.command(name="map")
def map_(
    target: Target,
    other: Annotated[str, typer.Argument(metavar="[B]", help="A second one, to compare with the first.")] = "",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="The page to write.")
    ] = "hakmem-map.html",
) -> None:
    """Draw a heap as one page.

    Superslabs, slabs and blocks; what is not live, and what keeps it. With two snapshots (or processes, or cores) both maps stand side by side, with their difference.
    """
    from .page import page  # here, because it takes a while to load

    views = []
    for text in (target, other) if other else (target,):
        heap = Heap(open_memory(text))
        views.append((heap, Sums(heap)))
    data = page(views).encode("utf-8", "replace")
    snapshots.write(output, data)
    print(f"{output}: {size(len(data))}")
