"""The commands of the lab, and their way out: an error is a sentence and a status."""

from __future__ import annotations

import sys

import typer

from hakmem_lab.ab import swaps
from hakmem_lab.ab.command import ab
from hakmem_lab.analysis.command import analysis
from hakmem_lab.bench import bench
from hakmem_lab.console import say
from hakmem_lab.cores.command import cores
from hakmem_lab.counters.command import stat
from hakmem_lab.errors import LabError
from hakmem_lab.hot.command import hot
from hakmem_lab.misuse.command import misuse

app = typer.Typer(name="hakmem", add_completion=False, no_args_is_help=True, rich_markup_mode=None)
app.command()(bench)
app.command(epilog=f"Swaps:\n\n\b\n{swaps.told()}")(ab)
app.command(context_settings={"allow_interspersed_args": False})(hot)
app.command(context_settings={"allow_interspersed_args": False})(stat)
app.command()(cores)
app.command()(analysis)
app.command()(misuse)


@app.callback()
def _lab() -> None:
    """Measures hakmem."""


def main(arguments: list[str] | None = None) -> None:
    try:
        app(arguments, prog_name="./hakmem")
    except LabError as error:
        say(f"hakmem: {error}")
        sys.exit(error.status)
    except KeyboardInterrupt:
        sys.exit(130)
