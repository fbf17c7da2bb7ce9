"""The system packages that each command needs: told apart, installed by apt where that is possible, else named."""

import glob
import importlib
import importlib.util
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass

from . import layout
from .message import Refusal, say


@dataclass(frozen=True)
class Need:
    """A Debian package, what it is for, and how to see that what it brings is there already."""

    package: str
    purpose: str
    commands: tuple = ()  # any one of these on the search path
    files: tuple = ()  # or any file that matches one of these patterns, which say where Debian puts it
    module: str = ""  # or this module of the Python in use
    required: bool = True  # else what uses it is left out where it cannot be had
    pypi: bool = False  # requirements-build.txt has it too
    newer: str = ""  # the package where Debian has that one no more

    def met(self):
        """Whether it is there."""
        if any(shutil.which(command, path=search_path()) for command in self.commands):
            return True
        if self.files and (not shutil.which("dpkg") or any(glob.glob(pattern) for pattern in self.files)):
            return True  # where files lie on another system is for CMake to find out
        return bool(self.module) and importlib.util.find_spec(self.module) is not None


def _library(name):
    return tuple(f"{folder}/{name}" for folder in ("/usr/lib", "/usr/lib/*-linux-*", "/usr/local/lib"))


_PROGRAMS = "tests with real programs"


def _python_tests(module):
    """CPython's own tests: of the Python in use, or of the system's, whose package has its version in its name. What is
    one file in one version is a folder in the next."""
    name = os.path.basename(os.path.realpath("/usr/bin/python3"))
    folders = sysconfig.get_path("stdlib"), f"/usr/lib/{name}"
    files = tuple(os.path.join(folder, "test", file) for folder in folders for file in (f"{module}.py", f"{module}/"))
    return Need(f"lib{name}-testsuite", _PROGRAMS, files=files, required=False)


_VENV = (Need("python3-venv", "the private Python environment", module="ensurepip"),)
_COMPILE = (
    Need("cmake", "the build", commands=("cmake",), pypi=True),
    Need("ninja-build", "the build", commands=("ninja",), pypi=True),
    Need("gcc", "the build", commands=("cc", "gcc", "clang")),
    Need("libc6-dev", "the build", files=("/usr/include/stdlib.h", "/usr/local/include/stdlib.h")),
)
_PEERS = (
    Need("libjemalloc2", "comparisons", files=_library("libjemalloc.so.2"), required=False),
    Need(
        *("libmimalloc2.0", "comparisons"),
        files=_library("libmimalloc.so.[23]*"),
        required=False,
        newer="libmimalloc3",
    ),
)
_OBSERVERS = (
    Need("valgrind", "instruction counts", commands=("valgrind",), required=False),
    Need("strace", "system-call counts", commands=("strace",), required=False),
)
_TEST = (
    Need("g++", "the unit tests", commands=("c++", "g++", "clang++")),
    Need("libgtest-dev", "the unit tests", files=("/usr/include/gtest/gtest.h", "/usr/local/include/gtest/gtest.h")),
    Need("clang-format", "the format check", commands=("clang-format-14", "clang-format"), required=False),
    Need("clang-tidy", "the lint check", commands=("clang-tidy-14", "clang-tidy"), required=False),
    Need("binutils", "the instruction tests", commands=("objdump",)),
    Need("pkgconf", "the installation test", commands=("pkg-config",), required=False),
    Need("clang", "the build with a second compiler", commands=("clang-14", "clang"), required=False),
    Need(
        "libclang-rt-dev",
        "fuzzing",
        files=("/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a",),
        required=False,
    ),
    Need("musl-tools", "the build with a second C library", commands=("musl-gcc",), required=False),
    Need("man-db", "the check of the manual page", commands=("man",), required=False),
    Need("git", _PROGRAMS, commands=("git",), required=False),
    Need("gdb", _PROGRAMS, commands=("gdb",), required=False),
    Need("redis-server", _PROGRAMS, commands=("redis-server",), required=False),
    Need("sqlite3", _PROGRAMS, commands=("sqlite3",), required=False),
    Need("perl", _PROGRAMS, commands=("perl",), required=False),
    Need("lua5.4", _PROGRAMS, commands=("lua5.4",), required=False),
    Need("php-cli", _PROGRAMS, commands=("php",), required=False),
    _python_tests("test_dict"),
    Need("spin", "the check of the model", commands=("spin",), required=False),
)

# What only --all runs.
_TEST_ALL = (
    _python_tests("test_multiprocessing_fork"),
    Need("clang", _PROGRAMS, commands=("clang++",), required=False),
    Need("cargo", _PROGRAMS, commands=("cargo",), required=False),
    Need("ruby", _PROGRAMS, commands=("ruby",), required=False),
    Need("nodejs", _PROGRAMS, commands=("node",), required=False),
    Need("default-jdk-headless", _PROGRAMS, commands=("javac",), required=False),
    Need("ghostscript", _PROGRAMS, commands=("gs",), required=False),
    Need("postgresql", _PROGRAMS, files=("/usr/lib/postgresql/*/bin/pgbench",), required=False),
    Need("chromium", "the check of the map of a heap", commands=("chromium", "google-chrome"), required=False),
    Need("nginx-light", _PROGRAMS, commands=("nginx",), files=("/usr/sbin/nginx",), required=False),
    Need("apache2-utils", _PROGRAMS, commands=("ab",), required=False),
    Need("gcc-aarch64-linux-gnu", "tests on aarch64", commands=("aarch64-linux-gnu-gcc",), required=False),
    Need("g++-aarch64-linux-gnu", "tests on aarch64", commands=("aarch64-linux-gnu-g++",), required=False),
    Need(
        "libc6-dev-arm64-cross",
        "tests on aarch64",
        files=("/usr/aarch64-linux-gnu/include/stdlib.h",),
        required=False,
    ),
    Need("qemu-user", "tests on aarch64", commands=("qemu-aarch64",), required=False),
)

_PROFILERS = (
    Need("binutils", "the names of functions", commands=("addr2line",)),
    Need("valgrind", "counting instructions", commands=("valgrind",), required=False),
    Need("linux-perf", "sampling the time", commands=("perf",), required=False),
)

_MISUSE = (Need("g++", "the program of misuse", commands=("c++", "g++", "clang++")),)

OF_COMMAND = {
    "run": _COMPILE,
    "build": _COMPILE,
    "bench": _COMPILE + _PEERS + _OBSERVERS,
    "ab": _COMPILE + _OBSERVERS,
    "hot": _COMPILE + _PROFILERS,
    "stat": _COMPILE + _PROFILERS,
    "cores": _COMPILE,
    "analysis": _COMPILE + _PROFILERS,
    "misuse": _COMPILE + _MISUSE,
    "test": _COMPILE + _TEST + _PEERS + _OBSERVERS,
    "test --all": _TEST_ALL,
}


def search_path():
    """Where the build's tools are looked for: the user's search path, then what PyPI brought into .venv."""
    return os.environ.get("PATH", os.defpath) + os.pathsep + os.path.join(layout.VENV, "bin")


def ensure(command, with_venv=False):
    """Installs what `command` lacks, or refuses with the command line to type; optional things are only told of."""
    needs = OF_COMMAND.get(command, ()) + (_VENV if with_venv else ())
    missing = [need for need in needs if not need.met()]
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _apt_install(missing)
    else:
        _pypi_install([need for need in missing if need.pypi])
    importlib.invalidate_caches()
    missing = [need for need in missing if not need.met()]
    required = [need for need in missing if need.required]
    if required:
        raise Refusal(f"{_listed(required)} cannot be found", f"Install it: {_install_line(required)}")
    if missing:
        say(f"left out for want of {_listed(missing)}; to install: {_install_line(missing)}")


def _listed(needs):
    """Packages by purpose: 'cmake, ninja-build (for the build); g++ (for the unit tests)'."""
    by_purpose = {}
    for need in needs:
        by_purpose.setdefault(need.purpose, []).append(need.package)
    return "; ".join(f"{', '.join(packages)} (for {purpose})" for purpose, packages in by_purpose.items())


def _install_line(needs):
    packages = " ".join(need.package for need in needs)
    if shutil.which("apt-get"):
        return f"sudo apt-get install {packages}"
    return f"use your package manager (Debian's names: {packages})"


def _apt_install(needs):
    say(f"installing {_listed(needs)} by apt-get")
    packages = [need.package for need in needs]
    if _apt("install", *packages):
        return
    if not _apt("update"):
        say("apt-get update failed; its lists may be old")
    if _apt("install", *packages):
        return
    for need in needs:  # one that this system lacks must not keep the others away
        if not _apt("install", need.package) and need.newer:
            _apt("install", need.newer)


def _apt(action, *packages):
    options = ["--no-install-recommends"] if packages else []
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    line = ["apt-get", "-qq", "-y", action, *options, *packages]
    return subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def _pypi_install(needs):
    from . import venv  # here, because most calls need none

    if not needs or not all(need.met() for need in _VENV):
        return
    say(f"installing {_listed(needs)} from PyPI into .venv")
    venv.ensure()
    venv.install("requirements-build.txt")
