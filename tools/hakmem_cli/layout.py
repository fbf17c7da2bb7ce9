"""Where things are in the checkout."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
TOOLS = os.path.join(ROOT, "tools")
VENV = os.path.join(ROOT, ".venv")
BUILD = os.path.join(ROOT, "build")

PRESETS = ("release", "debug", "asan", "tsan")
PRELOADABLE = ("release", "debug")  # the sanitizer presets define hak_* alone


def build_dir(preset):
    """The folder that CMake builds a preset in."""
    return os.path.join(BUILD, preset)


def library(preset):
    """The shared library of a preset."""
    folder = BUILD if preset == "release" else build_dir(preset)
    return os.path.join(folder, "lib", "libhakmem.so")


def stamp(preset):
    """A file whose time is the start of the last successful build of the library."""
    return os.path.join(build_dir(preset), "library-built")


def version():
    """The version, from the public header."""
    with open(os.path.join(ROOT, "include", "hakmem.h"), encoding="utf-8") as header:
        for line in header:
            if line.startswith('#define HAKMEM_VERSION "'):
                return line.split('"')[1]
    return "unknown"
