"""How the lab speaks: sentences on standard error, tables on standard output."""

from __future__ import annotations

import sys

from rich.console import Console

from hakmem_lab import tables

_PLAIN_WIDTH = 200  # where the output is no terminal


def console(*, stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else _PLAIN_WIDTH)


def say(sentence: str) -> None:
    console(stderr=True).print(sentence, highlight=False, markup=False, soft_wrap=True)


def print_table(table: tables.Table, as_markdown: bool = False) -> None:
    if as_markdown:
        print(tables.markdown(table))
    else:
        tables.show(table, console())
