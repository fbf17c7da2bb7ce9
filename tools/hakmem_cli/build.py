"""Configures and builds a preset with CMake and Ninja."""

import os
import shutil
import subprocess
import sys
import time

from . import freshness, layout, needs
from .lock import locked
from .message import Refusal, say

_LIBRARY = ("hakmem", "hakmem_static")
_PROGRAMS = ("bench/all",)
_EVERYTHING = ("all",)


def library_and_programs(preset):
    """Builds the libraries and the benchmark programs, with the build's own progress on the terminal."""
    with locked(preset):
        variants = _variants_of(preset)
        targets = (*_LIBRARY, *(f"hakmem_{variant}" for variant in variants), *_PROGRAMS)
        _build(preset, targets, quiet=False, variants=(layout.PLAIN, *variants))


def library_for_run(preset, variant=layout.PLAIN):
    """Builds the library for a program that is to run on it: one line on standard error, so that the output is its own."""
    needs.ensure("run")
    with locked(preset):
        if freshness.up_to_date(preset, variant):  # another call built it meanwhile
            return
        say(f"building {os.path.relpath(layout.library(preset, variant), layout.ROOT)}")
        _build(preset, (f"hakmem_{variant}",) if variant else _LIBRARY, quiet=True, variants=(variant,))


def programs_to_measure(variants=()):
    """Builds what a benchmark runs, silently where nothing is wrong."""
    with locked("release"):
        targets = (*_LIBRARY, *(f"hakmem_{variant}" for variant in variants), *_PROGRAMS)
        _build("release", targets, quiet=True, variants=(layout.PLAIN, *variants))


def everything(preset, quiet):
    """Builds the library, the unit tests and the benchmark programs; quiet: shows the build only where it fails."""
    with locked(preset):
        _build(preset, _EVERYTHING, quiet, tests=True, variants=(layout.PLAIN, *_variants_of(preset)))


def _variants_of(preset):
    return layout.VARIANTS if preset in layout.PRELOADABLE else ()


def configure(preset, tests):
    """Runs CMake where the build folder is not set up as wanted. A folder that has the tests keeps them."""
    folder = layout.build_dir(preset)
    cache = _cache(folder)
    if cache and _is_foreign(cache):
        say(f"build/{preset} was set up elsewhere or with tools that are gone; starting it afresh")
        shutil.rmtree(folder)
        cache = {}
    tests = tests or cache.get("HAKMEM_TESTS") == "ON"
    switch = "ON" if tests else "OFF"
    if cache.get("HAKMEM_TESTS") == switch and _is_complete(folder):
        return
    done = _run(["cmake", "--preset", preset, f"-DHAKMEM_TESTS={switch}"], capture=True)
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        raise Refusal("CMake could not set the build up; its message is above", "Mend that and try again", 1)


def _build(preset, targets, quiet, tests=False, variants=(layout.PLAIN,)):
    began = time.time_ns()
    configure(preset, tests)
    _compile(preset, targets, quiet)
    for variant in variants:
        freshness.mark(preset, began, variant)


def _compile(preset, targets, quiet):
    done = _run(["cmake", "--build", layout.build_dir(preset), "--target", *targets], capture=quiet)
    if done.returncode != 0:
        if quiet:
            sys.stderr.write(done.stdout[max(done.stdout.find("FAILED:"), 0) :])
        raise Refusal("the build failed; the compiler's message is above", "Mend that and try again", 1)


def _run(line, capture):
    environment = {**os.environ, "PATH": needs.search_path()}
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True} if capture else {}
    return subprocess.run(line, cwd=layout.ROOT, env=environment, stdin=subprocess.DEVNULL, **output)


def _cache(folder):
    """The entries of a build folder's CMakeCache.txt."""
    entries = {}
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as file:
            for line in file:
                name, _, rest = line.rstrip("\n").partition(":")
                kind, equals, value = rest.partition("=")
                if equals and kind.isupper():
                    entries[name] = value
    except FileNotFoundError:
        pass
    return entries


def _is_foreign(cache):
    """Whether the folder was set up for another place (a moved checkout) or by tools that are no longer there."""
    tools = [cache.get(name, "") for name in ("CMAKE_COMMAND", "CMAKE_MAKE_PROGRAM", "CMAKE_C_COMPILER")]
    return cache.get("CMAKE_HOME_DIRECTORY") != layout.ROOT or not all(os.path.exists(tool) for tool in tools if tool)


def _is_complete(folder):
    """Whether CMake finished there, and since the presets last changed."""
    ninja = os.path.join(folder, "build.ninja")
    presets = os.path.join(layout.ROOT, "CMakePresets.json")
    return os.path.exists(ninja) and os.stat(ninja).st_mtime_ns > os.stat(presets).st_mtime_ns
