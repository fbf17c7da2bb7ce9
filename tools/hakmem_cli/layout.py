"""Where things are in the checkout."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
TOOLS = os.path.join(ROOT, "tools")
VENV = os.path.join(ROOT, ".venv")
BUILD = os.path.join(ROOT, "build")

PRESETS = ("release", "debug", "asan", "tsan")
PRELOADABLE = ("release", "debug")  # the sanitizer presets define hak_* alone
PLAIN = ""  # the library that users get
VARIANTS = ("observe", "secure", "profile")  # further libraries of the same sources: libhakmem-VARIANT.so


def build_dir(preset):
    """The folder that CMake builds a preset in."""
    return os.path.join(BUILD, preset)


def library_name(variant=PLAIN):
    """The file of a shared library."""
    return f"libhakmem-{variant}.so" if variant else "libhakmem.so"


def library(preset, variant=PLAIN):
    """The shared library of a preset."""
    folder = BUILD if preset == "release" else build_dir(preset)
    return os.path.join(folder, "lib", library_name(variant))


def stamp(preset, variant=PLAIN):
    """A file whose time is the start of the last successful build of the library."""
    return os.path.join(build_dir(preset), f"library-built-{variant}" if variant else "library-built")


def version():
    """The version, from the public header."""
    with open(os.path.join(ROOT, "include", "hakmem.h"), encoding="utf-8") as header:
        for line in header:
            if line.startswith('#define HAKMEM_VERSION "'):
                return line.split('"')[1]
    return "unknown"
