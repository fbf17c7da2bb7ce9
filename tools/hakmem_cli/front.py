"""Which command is meant, and on which half of the command line it runs."""

import errno
import os
import sys

from . import layout
from .message import Refusal
from .wish import HELP, asks_help

_NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
REMEDY = f"Clone this checkout to a folder of your own: git clone {layout.ROOT} FOLDER"


def main(arguments):
    """Runs the command; returns its exit status."""
    try:
        return _dispatch(arguments)
    except Refusal as refusal:
        print(f"hakmem: {refusal}", file=sys.stderr)
        return refusal.status
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in _NOT_ALLOWED or not str(error.filename).startswith(layout.ROOT):
            raise
        print(f"hakmem: {error.filename} cannot be written: {error.strerror}. {REMEDY}.", file=sys.stderr)
        return 2


def _dispatch(arguments):
    command = arguments[0] if arguments else ""
    if command == "--version":
        print(f"hakmem {layout.version()}")
        return 0
    if command == "run" and not asks_help(arguments):
        from . import run

        return run.main(arguments[1:])
    from . import help, venv

    if command in ("", *HELP):
        print(help.text(), end="")
        return 0 if command else 2
    if asks_help(arguments) and command in help.commands():
        print(help.text(command), end="")
        return 0
    if command not in help.commands() and not venv.ready():
        raise no_command(command, help.commands())
    if venv.inside():
        from . import app

        return app.main(arguments)
    return _enter_venv(command, arguments)


def no_command(name, known):
    """The refusal of a command that there is not."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    remedy = f"Did you mean ./hakmem {near[0]}?" if near else "./hakmem --help lists the commands"
    return Refusal(f"there is no command '{name}'", remedy)


def _enter_venv(command, arguments):
    """Becomes the same command line in the checkout's own Python environment."""
    from . import needs, venv

    needs.ensure(command, with_venv=not venv.ready())
    venv.ensure()
    os.execv(venv.PYTHON, [venv.PYTHON, os.path.join(layout.ROOT, "hakmem"), *arguments])
