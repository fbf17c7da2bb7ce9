"""./hakmem profile."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from . import collect, page, pprof, recording, speedscope, tables
from .errors import ProfileError
from .symbols import Symbols

app = typer.Typer(add_completion=False, no_args_is_help=True)

_ENDING = ".pb.gz"


@app.command(context_settings={"allow_interspersed_args": False})
def profile(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND [ARGUMENT]...", show_default=False, help="The program.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the profile goes.")] = Path(
        "profile.pb.gz"
    ),
    leaks: Annotated[bool, typer.Option("--leaks", help="Print what lives at exit, by call stack.")] = False,
    every: Annotated[
        str, typer.Option(metavar="BYTES", help="Allocated from one sample to the next on average.")
    ] = "512K",
    peak: Annotated[bool, typer.Option("--peak", help="A profile of the peak, too: FILE.peak.")] = False,
    interval: Annotated[
        int, typer.Option(min=0, metavar="SECONDS", help="A profile so often, too: FILE.1, FILE.2 and so on.")
    ] = 0,
    signal_name: Annotated[
        str, typer.Option("--signal", metavar="NAME", help="A profile at this signal, too, as USR2.")
    ] = "",
    recorded: Annotated[
        list[Path], typer.Option("--from", metavar="FILE", help="What ./hakmem run --profile left; may be repeated.")
    ] = (),
    diff: Annotated[
        tuple[Path, Path],
        typer.Option(metavar="A B", show_default=False, help="Print what changed between two profiles, and stop."),
    ] = (None, None),
) -> None:
    """Show who allocates, and who holds, a program's memory.

    Runs the command on libhakmem-profile, which samples a block for every 512 KiB that are allocated, with its call
    stack. Writes the profile for pprof (FILE), a page with a flame graph, and a file for speedscope, and prints who
    allocated the most. Exit status, input and output are the command's own.
    """
    out = tables.console()
    if diff[0] is not None:
        tables.difference(pprof.decode(diff[0]), pprof.decode(diff[1]), out)
        return
    if bool(command) == bool(recorded):
        raise typer.BadParameter("it needs a command, or --from FILE: ./hakmem profile -- COMMAND")
    base = _base(output)
    settings = {"HAKMEM_PROFILE_EVERY": every, "HAKMEM_PROFILE_PEAK": int(peak), "HAKMEM_PROFILE_INTERVAL": interval}
    settings["HAKMEM_PROFILE_SIGNAL"] = _number(signal_name)
    if recorded:
        status, recordings = 0, {"": [recording.read(file) for file in recorded]}
        command = recordings[""][0].arguments
    else:
        status, recordings = collect.run(command, settings)
    if not any(one.stacks for found in recordings.values() for one in found):
        out.print(
            f"Nothing was sampled: the program allocated little beside {every}, or ended without its exit handlers. "
            "--every 1K samples more.",
            highlight=False,
        )
    symbols = Symbols()
    written = []
    for occasion in sorted(recordings or {"": []}, key=_order):
        told = collect.profile_of(recordings.get(occasion, []), symbols, " ".join(command))
        name = f"{base}.{occasion}" if occasion else base
        written += _write(told, name, " ".join(command))
        if not occasion or list(recordings) == [occasion]:
            tables.summary(told, out)
            (tables.leaks if leaks else tables.sites)(told, out)
    out.print(f"written: {', '.join(written)}", highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(status)


def _base(output):
    """The output's name without its ending, in a folder that is there."""
    folder = output.parent
    if not folder.is_dir():
        raise ProfileError(f"{folder} is no folder", "Make it, or name another with --output", 2)
    return str(folder / output.name.removesuffix(_ENDING))


def _number(name):
    if not name:
        return 0
    try:
        return int(name) if name.isdigit() else int(signal.Signals[f"SIG{name.upper().removeprefix('SIG')}"])
    except KeyError:
        raise ProfileError(f"there is no signal {name}", "USR1 and USR2 are there to be used", 2) from None


def _order(occasion):
    return (occasion == "peak", int(occasion) if occasion.isdigit() else 0)


def _write(told, name, title):
    files = {
        f"{name}{_ENDING}": pprof.encode(told),
        f"{name}.html": page.page(told, title).encode(),
        f"{name}.speedscope.json": speedscope.encode(told, title).encode(),
    }
    try:
        for path, data in files.items():
            Path(path).write_bytes(data)
    except OSError as error:
        what = f"{path} could not be written: {error.strerror}"
        raise ProfileError(what, "Name another place with --output") from error
    return list(files)
