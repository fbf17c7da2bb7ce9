"""How each peer is built: from the sources that its crate carries, with the flags of the allocator's own release."""

from __future__ import annotations

import hashlib
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.peers.steps import BuildError

_FORM = 1  # of what the cache keeps; a higher number makes all be built again


@dataclass(frozen=True)
class Version:
    """Where the allocator's own version stands: the first match of a pattern in a file of the crate."""

    pattern: str
    file: str = ""  # empty: the crate's version itself

    def read(self, crate_version: str, sources: Path) -> str:
        text = (sources / self.file).read_text(encoding="utf-8") if self.file else crate_version
        found = re.search(self.pattern, text, re.MULTILINE)
        if not found:
            raise BuildError(f"its version was not found in {self.file or crate_version}")
        return ".".join(part.lstrip("0") or "0" for part in found.groups())


@dataclass(frozen=True)
class BuildScript:
    """The crate's own build script leaves a static library, which is then linked whole into a shared one."""

    features: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    linker: str = "cc"
    tools: tuple[str, ...] = ("cc",)

    def link(self, archive: Path, library: Path) -> list[str]:
        """Functions bind to their own library, as they do in a program that is linked statically."""
        whole = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
        return [self.linker, "-shared", "-Wl,-Bsymbolic-functions", "-o", str(library), *whole, "-pthread", "-ldl"]


@dataclass(frozen=True)
class OwnBuild:
    """The allocator's own build system, on a copy of the crate's sources.

    Commands may name {sources}, {build}, {jobs} and {upstream}, the part of the crate's version after the +.
    """

    folder: str  # of the allocator in the crate
    commands: tuple[tuple[str, ...], ...]
    library: str  # what they leave
    extra: tuple[tuple[str, str], ...] = ()  # files that the crate keeps elsewhere: from, to
    tools: tuple[str, ...] = ("cc", "c++")


@dataclass(frozen=True)
class Recipe:
    crate: str
    version: Version
    build: BuildScript | OwnBuild
    seconds: int  # about how long it takes on two idle cores
    settings: tuple[tuple[str, str], ...] = ()  # for the environment of the programs that run on it
    holds: str = ""  # a function without arguments, of the library, that has to answer yes once memory was allocated

    def tools(self) -> tuple[str, ...]:
        return ("cargo", "cc", "c++", *(tool for tool in self.build.tools if tool not in ("cc", "c++")))

    def digest(self) -> str:
        """Names everything that the built library depends on, but for the crate's version."""
        parts = repr((_FORM, platform.machine(), self.crate, self.version, self.build, self.settings, self.holds))
        return hashlib.sha256(parts.encode()).hexdigest()[:12]


JEMALLOC = Recipe(
    crate="tikv-jemalloc-sys",
    version=Version(r"\+(\d+)\.(\d+)\.(\d+)"),
    build=OwnBuild(
        folder="jemalloc",
        extra=(("configure/configure", "configure"),),
        commands=(
            ("sh", "{sources}/configure", "--with-version={upstream}"),
            ("make", "-j{jobs}", "build_lib_shared"),
        ),
        library="{build}/lib/libjemalloc.so.2",
        tools=("make",),
    ),
    seconds=70,
)

# What mimalloc's own release gives its shared library beyond the crate's flags.
_MIMALLOC_SHARED = (("CFLAGS", "-fvisibility=hidden -DMI_SHARED_LIB -DMI_SHARED_LIB_EXPORT"),)
_MIMALLOC_VERSION = r"define MI_MALLOC_VERSION\s+(\d+)(\d\d)(\d\d)\b"

MIMALLOC_2 = Recipe(
    crate="libmimalloc-sys",
    version=Version(_MIMALLOC_VERSION, "c_src/mimalloc/v2/include/mimalloc.h"),
    build=BuildScript(features=("override", "v2"), environment=_MIMALLOC_SHARED),
    seconds=15,
)

# Another crate than that of the major version 2: it follows the releases of 3 more closely.
MIMALLOC_3 = Recipe(
    crate="rustfs-mimalloc-sys",
    version=Version(_MIMALLOC_VERSION, "c_src/mimalloc/include/mimalloc.h"),
    build=BuildScript(features=("override",), environment=_MIMALLOC_SHARED),
    seconds=15,
)

SNMALLOC = Recipe(
    crate="snmalloc-sys",
    version=Version(r"^(\d+)\.(\d+)\.(\d+)"),
    build=OwnBuild(
        folder="upstream",
        commands=(
            ("cmake", "-G", "Ninja", "-S", "{sources}", "-B", "{build}", "-DCMAKE_BUILD_TYPE=Release"),
            ("ninja", "-C", "{build}", "-j{jobs}", "snmallocshim"),
        ),
        library="{build}/libsnmallocshim.so",
        tools=("cmake", "ninja"),
    ),
    seconds=15,
)

# Google's allocator has no releases: its version is the day on which the crate took the sources over. The crate asks
# for the functions without the names that replace the C library's; the flag asks for those again. Its caches are one a
# CPU only where the C library leaves restartable sequences to it, which newer ones do not unless told so.
TCMALLOC = Recipe(
    crate="libtcmalloc-sys",
    version=Version(r"^## \[\d.*(\d{4}-\d\d-\d\d)$", "CHANGELOG.md"),
    build=BuildScript(
        features=(),
        environment=(("CXXFLAGS", "-UTCMALLOC_INTERNAL_METHODS_ONLY"),),
        linker="c++",
        tools=("c++",),
    ),
    seconds=120,
    settings=(("GLIBC_TUNABLES", "glibc.pthread.rseq=0"),),
    holds="MallocExtension_Internal_GetPerCpuCachesActive",
)

RPMALLOC = Recipe(
    crate="rpmalloc-sys",
    version=Version(r"^(\d+)\.(\d+)\.(\d+)", "rpmalloc/CHANGELOG"),
    build=BuildScript(
        features=("preload",),
        environment=(("CFLAGS", "-DENABLE_OVERRIDE=1 -O3 -funroll-loops -fvisibility=hidden -fno-stack-protector"),),
    ),
    seconds=10,
)
