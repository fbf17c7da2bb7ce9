"""What Debian has: the libraries of peers, and the tools that builds need."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.peers.allocator import Say
from hakmem_lab.peers.steps import search_path

_LIBRARY_FOLDERS = ("/usr/local/lib", "/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib")


@dataclass(frozen=True)
class Package:
    name: str
    patterns: tuple[str, ...]  # file names of its library, the preferred first


TOOLS = {"cargo": "cargo", "cmake": "cmake", "ninja": "ninja-build", "make": "make", "cc": "gcc", "c++": "g++"}


def find_library(patterns: tuple[str, ...], folders: tuple[str, ...] = _LIBRARY_FOLDERS) -> Path | None:
    for folder in folders:
        for pattern in patterns:
            found = sorted(Path("/").glob(f"{folder}/{pattern}".lstrip("/")))
            if found:
                return found[0]
    return None


def library(package: Package, say: Say) -> Path | None:
    """The package's library; root gets the package installed if it is not there yet."""
    found = find_library(package.patterns)
    if found is None and can_install():
        install(package.name, "a peer to compare with", say)
        found = find_library(package.patterns)
    return found


def version(package: Package) -> str:
    """The version that the allocator itself has, without Debian's own part."""
    if not shutil.which("dpkg-query"):
        return ""
    query = ["dpkg-query", "--show", "--showformat=${Version}", package.name]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    upstream = answer.stdout.split(":")[-1]
    return upstream.split("-")[0].split("+")[0]


def missing_tools(tools: tuple[str, ...], say: Say) -> list[str]:
    """Those of `tools` that this machine lacks and that cannot be installed either."""

    def lacking() -> list[str]:
        return [tool for tool in tools if not shutil.which(tool, path=search_path())]

    if can_install():
        for tool in lacking():
            install(TOOLS[tool], "to build peers", say)
    return lacking()


def install_line(tools: list[str]) -> str:
    return f"apt-get install {' '.join(TOOLS[tool] for tool in tools)}"


def can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str, purpose: str, say: Say) -> None:
    say(f"installing the Debian package {package} ({purpose})")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", package]
    for step in (command, ["apt-get", "update", "--quiet"], command):
        done = subprocess.run(step, capture_output=True, env=quiet, stdin=subprocess.DEVNULL, check=False)
        if step is command and done.returncode == 0:
            return
