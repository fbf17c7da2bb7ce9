"""The commands of the lab, and their way out: an error is a sentence and a status."""

from __future__ import annotations

import sys
from importlib import import_module

import typer

from hakmem_lab.console import say
from hakmem_lab.errors import LabError

app = typer.Typer(name="hakmem", add_completion=False, no_args_is_help=True, rich_markup_mode=None)

COMMANDS = {
    "bench": "hakmem_lab.bench",
    "ab": "hakmem_lab.ab.command",
    "hot": "hakmem_lab.hot.command",
    "stat": "hakmem_lab.counters.command",
    "cores": "hakmem_lab.cores.command",
    "analysis": "hakmem_lab.analysis.command",
    "misuse": "hakmem_lab.misuse.command",
}
_WITH_A_PROGRAM = ("hot", "stat")  # the command line of a program follows their options


@app.callback()
def _lab() -> None:
    """Measures hakmem."""


def load(*names: str) -> None:
    """Adds commands. Only those that are wanted: what all of them import takes half a second."""
    for name in names:
        module = import_module(COMMANDS[name])
        settings = {"allow_interspersed_args": False} if name in _WITH_A_PROGRAM else None
        app.command(name, epilog=getattr(module, "EPILOG", None), context_settings=settings)(getattr(module, name))


def main(arguments: list[str]) -> None:
    """Runs a command line."""
    named = arguments[0] if arguments else ""
    load(*([named] if named in COMMANDS else COMMANDS))
    try:
        app(arguments, prog_name="./hakmem")
    except LabError as error:
        say(f"hakmem: {error}")
        sys.exit(error.status)
    except KeyboardInterrupt:
        sys.exit(130)
