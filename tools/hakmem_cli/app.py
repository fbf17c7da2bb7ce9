"""The commands and their help, inside the checkout's Python environment."""

import os
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Literal

import click
import typer
from rich.console import Console
from rich.panel import Panel
from rich.text import Text
from typer.core import TyperArgument, TyperGroup
from typer.utils import get_params_from_function

from hakmem_inspect.errors import InspectError

from . import build as builder
from . import layout, needs, testing
from . import run as runner
from .front import no_command
from .help import WIDTH
from .message import Refusal


class _Commands(TyperGroup):
    """A group that names the nearest command to a misspelt one."""

    def resolve_command(self, ctx, args):
        if self.get_command(ctx, args[0]) is None:
            raise no_command(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback(epilog="What a command needs is installed on its first use, or named where it cannot be.")
def _front(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """hakmem, a malloc for Linux: build it, run programs on it, test it, measure it.

    First steps: ./hakmem run -- python3 -c 'print(6*7)'
    """


@app.command()
def build(
    preset: Annotated[
        Literal["release", "debug", "asan", "tsan"],
        typer.Option(help="release is what users get; debug checks every invariant; asan and tsan have hak_* alone."),
    ] = "release",
) -> None:
    """Build the libraries and the benchmark programs.

    The libraries lie in build/lib (release) or build/PRESET/lib.
    """
    builder.library_and_programs(preset)
    library = layout.library(preset)
    size = os.stat(library).st_size // 1024
    Console().print(f"[green]built[/green] {os.path.relpath(library, layout.ROOT)} ({size} KiB)", highlight=False)


@app.command(context_settings={"allow_interspersed_args": False})
def run(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND [ARGUMENT]...", show_default=False, help="The program.")
    ],
    preset: Annotated[Literal["release", "debug"], typer.Option(help="The build to run on.")] = "release",
    observe: Annotated[
        bool, typer.Option("--observe", help="Count every path; HAKMEM_STATS says what to print.")
    ] = False,
    secure: Annotated[bool, typer.Option("--secure", help="Stop every misuse that can be seen.")] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Sample who allocates; ./hakmem profile --from shows what it leaves.")
    ] = False,
    plot: Annotated[
        str, typer.Option("--plot", metavar="[=PAGE]", help="Draw its memory over time, into hakmem-plot.html or PAGE.")
    ] = "",
) -> None:
    """Run a program on hakmem.

    Builds the library if its sources changed, then becomes the program: arguments, input and output, signals and exit
    status are the program's own. A program that nothing can be preloaded into (statically linked, setuid, of another
    architecture) is refused with exit status 2.

    With --plot it runs as a child, with the same arguments, input, output and exit status. What it and all that it
    starts hold is read from outside, and the page says whether it leaks or fragments.
    """
    variants = [flag for flag, given in (("--observe", observe), ("--secure", secure), ("--profile", profile)) if given]
    variants += [f"--plot={plot}"] if plot else []
    raise typer.Exit(runner.main(["--preset", preset, *variants, "--", *command]))


@app.command()
def test(
    all_: Annotated[bool, typer.Option("--all", help="Slow tests too, and the asan and tsan presets.")] = False,
    pattern: Annotated[str, typer.Option("-k", metavar="FILTER", help="Only tests whose name contains this.")] = "",
) -> None:
    """Build everything and run all tests.

    In the release and the debug preset, with the format and lint checks. The closing line counts them.

    Exit status: 0 all passed; 1 some failed, or there is none of that name.
    """
    if all_:
        needs.ensure("test --all")
    raise typer.Exit(testing.run(everything=all_, pattern=pattern))


# The commands of the other packages. Each is loaded for its own commands alone: all of them take half a second.
_LAB = "hakmem_lab.cli"
_ELSEWHERE = {
    _LAB: ("bench", "ab", "hot", "stat", "cores", "analysis", "misuse"),
    "hakmem_inspect.cli": ("where", "top", "snapshot", "map"),
    "hakmem_profile.cli": ("profile",),
}
_VARIANTS_OF = {"misuse": ("secure",), "cores": ("observe",)}  # what a command of the lab runs beside the library


def _module(package):
    """The module of a package's commands; None where this checkout has no such package."""
    return import_module(package) if find_spec(package.partition(".")[0]) else None


@cache
def _load(package):
    """Adds all commands of a package."""
    module = _module(package)
    if package == _LAB and module:
        module.load(*module.COMMANDS)
    app.registered_commands.extend(module.app.registered_commands if module else ())


def _load_all():
    for package in _ELSEWHERE:
        _load(package)


def _measure(arguments):
    """Runs a command of the lab, with what it measures built."""
    builder.programs_to_measure(_VARIANTS_OF.get(arguments[0], ()))
    os.environ["PATH"] = needs.search_path()
    return _module(_LAB).main(arguments)


def main(arguments):
    """Runs a command line; returns its exit status."""
    named = arguments[0] if arguments else ""
    package = next((package for package, commands in _ELSEWHERE.items() if named in commands), None)
    try:
        if package == _LAB and _module(_LAB):
            return _measure(arguments)
        if package:
            _load(package)
        elif named not in {command.callback.__name__ for command in app.registered_commands}:
            _load_all()
        return app(args=arguments, prog_name="./hakmem", standalone_mode=False) or 0
    except (Refusal, InspectError) as refusal:
        _show(refusal.what, refusal.remedy)
        return refusal.status
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        help_wanted.show()
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "./hakmem"
        _show(error.format_message().rstrip("."), f"{command} --help shows how to use it")
        return error.exit_code
    except click.Abort:
        return 130


def command_names():
    """Every command."""
    _load_all()
    return typer.main.get_command(app).list_commands(None)


def help_text(command=""):
    """What a command says of itself; or all of them together."""
    _load_all()
    group = typer.main.get_command(app)
    context = click.Context(group, info_name="./hakmem", max_content_width=WIDTH, terminal_width=WIDTH)
    if not command:
        return group.get_help(context).rstrip() + "\n"
    one = group.get_command(context, command)
    declared = get_params_from_function(one.callback.__wrapped__)
    for parameter in one.params:  # click 8.5 drops what Typer has given an argument as its help
        if isinstance(parameter, TyperArgument):
            parameter.help = declared[parameter.name].default.help
    names = context.help_option_names = ["--help", "-h"]
    inner = click.Context(one, info_name=command, parent=context, terminal_width=WIDTH, help_option_names=names)
    told = one.get_help(inner).rstrip() + "\n"
    return re.sub(r"Positional arguments:\n(?:  .*\n)+\n", "", told)  # click's; Typer tells them once more


def _show(what, remedy):
    body = Text(f"{what}.")
    if remedy:
        body.append(f"\n{remedy}" + ("" if remedy.endswith("?") else "."), style="cyan")
    Console(stderr=True).print(Panel(body, title="hakmem", title_align="left", border_style="red", expand=False))
