"""Which command is meant, and on which half of the command line it runs."""

import os
import sys

from . import layout
from .message import Refusal
from .wish import HELP, asks_help

# What a bare machine is told; once the environment is there, `app` says more.
_FIRST_HELP = """\
Usage: ./hakmem COMMAND [ARGUMENT]...

  ./hakmem run -- COMMAND [ARGUMENT]...   run a program on hakmem (builds the library on first use)
  ./hakmem build                          build the libraries, into build/lib
  ./hakmem test                           build everything and run all tests
  ./hakmem bench                          measure hakmem against other allocators
  ./hakmem ab A B                         decide which of two revisions, libraries or settings is better
  ./hakmem hot -- COMMAND [ARGUMENT]...   show where a program on hakmem spends its instructions or its time
  ./hakmem stat -- COMMAND [ARGUMENT]...  count what a program costs on hakmem and on glibc
  ./hakmem analysis                       write where the cycles of some workloads go, by box
  ./hakmem misuse                         see what each allocator does about misuse of the heap
  ./hakmem top [PID]                      show the heap of a running process, by size class and by thread
  ./hakmem where PID ADDRESS              say what an address is (or in a core file, or in a snapshot)
  ./hakmem map PID                        draw the heap as a page (or of a core file, or of a snapshot)
  ./hakmem snapshot PID -o FILE           take the heap's records into a file, to look at later

Each command installs what it needs on its first use, or names what it cannot install."""


def main(arguments):
    """Runs the command; returns its exit status."""
    try:
        return _dispatch(arguments)
    except Refusal as refusal:
        print(f"hakmem: {refusal}", file=sys.stderr)
        return refusal.status
    except KeyboardInterrupt:
        return 130


def _dispatch(arguments):
    command = arguments[0] if arguments else ""
    if command == "--version":
        print(f"hakmem {layout.version()}")
        return 0
    if command == "run" and arguments[1:2] not in [[flag] for flag in HELP]:
        from . import run

        return run.main(arguments[1:])
    from . import venv

    if command in ("", *HELP) and not venv.ready():
        print(_FIRST_HELP)
        return 0 if command else 2
    if venv.inside():
        from . import app

        return app.main(arguments)
    return _enter_venv(command, arguments)


def _enter_venv(command, arguments):
    """Becomes the same command line in the checkout's own Python environment."""
    from . import needs, venv

    needs.ensure("" if asks_help(arguments) else command, with_venv=not venv.ready())
    venv.ensure()
    os.execv(venv.PYTHON, [venv.PYTHON, os.path.join(layout.ROOT, "hakmem"), *arguments])
