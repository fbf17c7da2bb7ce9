"""`hakmem run`: becomes a program with the library preloaded.

The way of every call is short: is the library newer than its sources, can the program be preloaded, exec. Nothing of
the program's world changes but LD_PRELOAD: not its arguments, environment, working directory, signals or descriptors.
"""

import os
import signal
import sys

from . import freshness, layout, program
from .message import Refusal

_USAGE = "Usage: ./hakmem run [--preset release|debug] [--observe|--secure|--profile] -- COMMAND [ARGUMENT]..."


def main(arguments):
    """Does not return when the program could be started."""
    preset, variant, command = parse(arguments)
    environment = original_environment()
    search_path = os.fsdecode(environment.get(b"PATH", b""))
    path = program.find(command[0], search_path)
    library = layout.library(preset, variant)
    if not freshness.up_to_date(preset, variant):
        from . import build  # here, because the short way must not pay for it

        build.library_for_run(preset, variant)
    program.check(path, library, search_path)
    environment[b"LD_PRELOAD"] = preload(library, environment.get(b"LD_PRELOAD", b""))
    start(path, command, environment)


def parse(arguments):
    """(preset, variant of the library, command line) of what follows `run`."""
    preset = "release"
    variant = layout.PLAIN
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        option, equals, value = rest.pop(0).partition("=")
        if option == "--" and not equals:
            break
        name = option.removeprefix("--")
        if name in layout.VARIANTS and not equals:
            if variant not in (layout.PLAIN, name):
                raise Refusal(f"--{variant} and --{name} are two libraries, and a program runs on one", _USAGE)
            variant = name
            continue
        if option != "--preset":
            raise Refusal(f"run has no option {option}", _USAGE)
        if not equals:
            value = rest.pop(0) if rest else ""
        preset = value
    if preset not in layout.PRELOADABLE:
        known = " or ".join(layout.PRELOADABLE)
        if preset in layout.PRESETS:
            raise Refusal(f"the {preset} preset has no malloc to preload, only hak_*", f"Use --preset {known}")
        raise Refusal(f"there is no preset '{preset}'", f"Use --preset {known}")
    if not rest:
        raise Refusal("no command to run", _USAGE)
    return preset, variant, rest


def original_environment():
    """The environment that this process was started with: Python itself adds to it (LC_CTYPE) in the C locale."""
    environment = {}
    with open("/proc/self/environ", "rb") as file:
        for entry in file.read().split(b"\0"):
            name, equals, value = entry.partition(b"=")
            if equals and name:
                environment.setdefault(name, value)
    return environment


def preload(library, already):
    """The value of LD_PRELOAD: the library first, then what was asked for before."""
    if any(separator in library for separator in " :\t\n"):
        remedy = "Move the checkout, or install the library elsewhere: cmake --install build/release --prefix FOLDER"
        raise Refusal(f"LD_PRELOAD cannot hold the path {library}: it has a space or a colon in it", remedy)
    name = os.fsencode(library)
    others = [other for other in already.replace(b":", b" ").split() if other != name]
    return b":".join([name, *others])


def start(path, command, environment):
    """Becomes the program."""
    sys.stdout.flush()
    sys.stderr.flush()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and exec would hand on
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(path, command, environment)
    except OSError as error:
        raise Refusal(f"{path} could not be started: {error.strerror}", status=126) from error
