"""Peers: built once from their crates, proved, kept; else Debian's; else named; and recognized as those that served."""

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from hakmem_lab import peers
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator, cache, crates, debian, recipes, registry
from hakmem_lab.peers.building import built
from hakmem_lab.peers.debian import Package
from hakmem_lab.peers.recipes import BuildScript, OwnBuild, Recipe, Version
from hakmem_lab.peers.steps import BuildError, Steps
from hakmem_lab.running.runner import child_environment, parse_report

RECIPES = {name: peer.recipe for name, peer in registry.PEERS.items() if peer.recipe}

# A whole malloc family that never reuses a block. {family} is there to be left out.
BUMP = r"""
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#define FROM_C extern "C" __attribute__((visibility("default")))
static char *next, *end;
static char lock;
FROM_C void *aligned_alloc(size_t alignment, size_t size) {
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {}
  if (alignment < 16) alignment = 16;
  if (!next || (size_t)(end - next) < size + alignment + 16) {
    size_t room = size + alignment + (64 << 20);
    next = (char *)mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end = next + room;
  }
  char *block = (char *)(((size_t)next + 16 + alignment - 1) & ~(alignment - 1));
  ((size_t *)block)[-1] = size;
  next = block + size;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  return block;
}
FROM_C void *malloc(size_t size) { return aligned_alloc(16, size); }
FROM_C void free(void *block) { (void)block; }
FROM_C void *calloc(size_t n, size_t size) { return malloc(n * size); }
FROM_C size_t malloc_usable_size(void *block) { return ((size_t *)block)[-1]; }
FROM_C int posix_memalign(void **to, size_t alignment, size_t size) {
  *to = aligned_alloc(alignment, size);
  return 0;
}
FROM_C void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  return old ? memcpy(block, old, size < malloc_usable_size(old) ? size : malloc_usable_size(old)) : block;
}
#ifndef NO_OPERATORS
void *operator new(size_t size) { return malloc(size); }
void operator delete(void *block) noexcept { (void)block; }
#endif
"""

# A cargo that knows one crate, and counts how often it is asked.
CARGO = """#!/bin/sh
echo "$1" >> {log}
case $1 in
metadata) {metadata} ;;
build) {build} ;;
esac
"""

OWN_BUILD = OwnBuild(
    folder="inside",
    commands=(("c++", "-O1", "-fno-builtin", "-shared", "-fPIC", "{sources}/bump.cc", "-o", "{build}/lib.so"),),
    library="{build}/lib.so",
)
OWN = Recipe("bump-sys", Version(r"VERSION (\d+)(\d\d)(\d\d)", "inside/bump.h"), OWN_BUILD, 1)


def silent(sentence):
    pass


@pytest.fixture
def bare_machine(monkeypatch, tmp_path):
    """No peer is installed or built, and none can be."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(debian, "find_library", lambda patterns: None)
    monkeypatch.setattr(debian, "can_install", lambda: False)
    monkeypatch.setattr(debian, "search_path", lambda: str(tmp_path))


@pytest.fixture
def workbench(monkeypatch, tmp_path):
    """A cache of its own, and a cargo that has one crate: the bump allocator, at version 3.7.1 in crate 0.2.0."""
    bench = Workbench(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return bench


class Workbench:
    def __init__(self, folder):
        self.folder = folder
        self.calls = folder / "calls"
        self.crate = folder / "crate"
        (self.crate / "inside").mkdir(parents=True)
        (folder / "bin").mkdir()
        (self.crate / "inside" / "bump.cc").write_text(BUMP)
        (self.crate / "inside" / "bump.h").write_text("#define VERSION 30701\n")
        self.answer("metadata", {"packages": [self.package("other", "9.9"), self.package("bump-sys", "0.2.0+3.7.1")]})
        self.answer("build", {"reason": "compiler-artifact"})
        self.cargo()

    def package(self, name, version):
        return {"name": name, "version": version, "manifest_path": str(self.crate / "Cargo.toml")}

    def answer(self, question, *messages):
        (self.folder / f"{question}.json").write_text("\n".join(map(json.dumps, messages)) + "\n")

    def cargo(self, metadata=None, build=None):
        text = CARGO.format(
            log=self.calls,
            metadata=metadata or f"cat {self.folder / 'metadata.json'}",
            build=build or f"cat {self.folder / 'build.json'}",
        )
        (self.folder / "bin" / "cargo").write_text(text)
        (self.folder / "bin" / "cargo").chmod(0o755)

    def asked(self):
        return self.calls.read_text().split() if self.calls.exists() else []

    def left(self):
        """What the cache holds, but for locks and logs."""
        return sorted(path.name for path in cache.root().iterdir() if path.suffix != ".lock" and path.name != "logs")


# ---- the registry


def test_the_registry_has_the_peers_of_the_field():
    assert peers.DEFAULT_NAMES == (
        *("glibc", "jemalloc", "mimalloc", "mimalloc3", "snmalloc", "tcmalloc", "rpmalloc", "gperftools"),
    )
    assert all(peer.recipe or peer.package for peer in registry.PEERS.values())


def test_the_first_pattern_that_matches_is_taken(tmp_path):
    for name in ("libmimalloc.so.3.0", "libmimalloc.so.2.0"):
        (tmp_path / name).touch()
    found = debian.find_library(("libmimalloc.so.2*", "libmimalloc.so.3*"), (str(tmp_path),))
    assert found == tmp_path / "libmimalloc.so.2.0"
    assert debian.find_library(("libjemalloc.so.2",), (str(tmp_path),)) is None


def test_peers_that_are_not_there_are_named_and_left_out(bare_machine):
    said = []
    assert [peer.name for peer in peers.discover(said.append)] == ["glibc"]
    left_out = [sentence for sentence in said if sentence.startswith("left out: ")]
    assert [sentence.split()[2].rstrip(":") for sentence in left_out] == list(registry.PEERS)
    assert all("apt-get install" in sentence for sentence in left_out)


def test_a_peer_asked_for_by_name_must_be_there(bare_machine):
    sentence = r"the peer snmalloc: needs cargo, cc, c\+\+, cmake, ninja to be built \(apt-get install cargo gcc g\+\+ "
    with pytest.raises(LabError, match=sentence):
        peers.require("snmalloc", silent)
    with pytest.raises(LabError, match=r"the peer gperftools is not on this machine \(apt-get install libtcmalloc-"):
        peers.require("gperftools", silent)


def test_without_cargo_debian_takes_the_place_and_says_so(bare_machine, monkeypatch, tmp_path):
    library = tmp_path / "libjemalloc.so.2"
    monkeypatch.setattr(debian, "find_library", lambda patterns: library)
    monkeypatch.setattr(debian, "version", lambda package: "5.3.0")
    said = []
    assert peers.require("jemalloc", said.append) == Allocator("jemalloc", library, "5.3.0")
    assert said[0].startswith("jemalloc: needs cargo, ")
    assert said[1] == "jemalloc: Debian's 5.3.0 takes its place"


def test_root_installs_what_is_missing(bare_machine, monkeypatch, tmp_path):
    installed = []

    def install(package, purpose, say):
        installed.append(package)
        if package.startswith("lib"):
            (tmp_path / package).touch()

    monkeypatch.setattr(debian, "find_library", lambda patterns: next(tmp_path.glob("libjemalloc2"), None))
    monkeypatch.setattr(debian, "can_install", lambda: True)
    monkeypatch.setattr(debian, "install", install)
    assert peers.require("jemalloc", silent).library == tmp_path / "libjemalloc2"
    assert installed == ["cargo", "gcc", "g++", "make", "libjemalloc2"]


def test_an_unknown_peer_gets_the_nearest_name():
    with pytest.raises(LabError, match="there is no peer 'mimaloc'; did you mean mimalloc"):
        peers.require("mimaloc", silent)


def test_a_peer_by_path(tmp_path):
    library = tmp_path / "libother.so"
    with pytest.raises(LabError, match="is not a file"):
        peers.require(str(library), silent)
    library.write_text("no library\n")
    with pytest.raises(LabError, match="libother.so is no shared library: it is no ELF file"):
        peers.require(str(library), silent)
    library.unlink()
    with pytest.raises(LabError, match="is no allocator: it defines no malloc and no free"):
        peers.require(str(debian.find_library(("libm.so.6",), ("/lib/*-linux-gnu*", "/lib64", "/lib"))), silent)


def test_a_library_by_path(bump):
    assert peers.require(str(bump), silent) == Allocator(bump.name, bump)


# ---- versions and keys


@pytest.mark.parametrize(
    ("name", "crate_version", "text", "version"),
    [
        ("jemalloc", "0.7.1+5.3.1-0-g81034ce1f1373e37dc865038e1bc8eeecf559ce8", "", "5.3.1"),
        ("mimalloc", "0.1.49", "#define MI_MALLOC_VERSION 20302  // major + 2 digits\n", "2.3.2"),
        ("mimalloc3", "0.7.3", "#define MI_MALLOC_VERSION 30610   // major + 2 digits\n", "3.6.10"),
        ("snmalloc", "0.7.6", "", "0.7.6"),
        ("rpmalloc", "0.2.3+b097fd0", "1.4.3\n\nFixed\n\n1.4.2\n", "1.4.3"),
        ("tcmalloc", "0.1.14", "## [Unreleased]\n\n## [0.1.14](https://x) - 2025-06-16\n", "2025-06-16"),
    ],
)
def test_the_version_shown_is_the_allocators_own(tmp_path, name, crate_version, text, version):
    where = RECIPES[name].version
    if where.file:
        (tmp_path / where.file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / where.file).write_text(text)
    assert where.read(crate_version, tmp_path) == version


def test_a_version_that_is_not_found_is_an_error(tmp_path):
    with pytest.raises(BuildError, match=r"its version was not found in 7$"):
        recipes.JEMALLOC.version.read("7", tmp_path)


def test_each_change_of_a_recipe_has_a_key_of_its_own():
    changed = [
        OWN,
        replace(OWN, crate="other-sys"),
        replace(OWN, build=replace(OWN_BUILD, commands=())),
        replace(OWN, build=BuildScript(features=())),
        replace(OWN, build=BuildScript(features=("override",))),
        replace(OWN, build=BuildScript(features=(), environment=(("CFLAGS", "-O3"),))),
    ]
    assert len({recipe.digest() for recipe in [*changed, *RECIPES.values()]}) == len(changed) + len(RECIPES)
    assert replace(OWN, seconds=99).digest() == OWN.digest()


# ---- building, keeping, failing


def test_a_peer_is_built_once_proved_and_kept(workbench):
    said = []
    first = built("bump", OWN, said.append)
    assert first.label() == "bump 3.7.1"
    assert said[0].startswith("building bump from the crate bump-sys, once; takes about 1 s")
    assert "bump 3.7.1 (bump-sys 0.2.0+3.7.1) built and proved in " in said[1]
    assert workbench.left() == [f"bump-0.2.0+3.7.1-{OWN.digest()}"]
    assert workbench.asked() == ["metadata"]
    again = built("bump", OWN, said.append)
    assert (again, len(said), workbench.asked()) == (first, 2, ["metadata"])


def test_what_is_kept_needs_neither_cargo_nor_network(workbench, monkeypatch):
    first = built("bump", OWN, silent)
    workbench.cargo(metadata="exit 1")
    monkeypatch.setattr(debian, "search_path", lambda: "/nowhere")
    assert built("bump", OWN, silent) == first


def test_an_old_library_says_how_to_have_the_newest(workbench):
    library = built("bump", OWN, silent).library
    description = library.with_name("peer.json")
    description.write_text(json.dumps({**json.loads(description.read_text()), "built": time.time() - 86400 * 100}))
    said = []
    built("bump", OWN, said.append)
    assert said == [f"bump 3.7.1 was built 100 days ago; remove {library.parent} to have the newest"]


@pytest.mark.parametrize("damage", ["{", "[]", '{"name": "bump"}'])
def test_a_damaged_entry_is_built_again(workbench, damage):
    library = built("bump", OWN, silent).library
    library.with_name("peer.json").write_text(damage)
    assert built("bump", OWN, silent).library == library
    assert workbench.asked() == ["metadata"] * 2
    library.unlink()
    assert built("bump", OWN, silent).library == library


def test_another_recipe_is_built_beside_the_first(workbench):
    other = replace(OWN, build=replace(OWN_BUILD, extra=(("inside/bump.cc", "copy.cc"),)))
    assert built("bump", OWN, silent).library != built("bump", other, silent).library
    assert len(workbench.left()) == 2


def test_the_build_script_s_archive_is_linked_whole(workbench, tmp_path):
    out = tmp_path / "out" / "lib"
    out.mkdir(parents=True)
    flags = ["-O1", "-fno-builtin", "-fPIC", "-c"]
    subprocess.run(["c++", *flags, str(workbench.crate / "inside/bump.cc"), "-o", str(out / "bump.o")], check=True)
    subprocess.run(["ar", "rc", str(out / "libbump.a"), str(out / "bump.o")], check=True)
    ran = {"reason": "build-script-executed", "out_dir": str(out.parent)}
    other = {**ran, "package_id": "registry+https://x#cc@1.0", "out_dir": "/nowhere"}
    workbench.answer("build", other, {**ran, "package_id": "registry+https://x#bump-sys@0.2.0+3.7.1"})
    recipe = replace(OWN, build=BuildScript(features=("override",)))
    assert built("bump", recipe, silent).version == "3.7.1"
    assert workbench.asked() == ["metadata", "build"]
    (out / "libsecond.a").touch()
    with pytest.raises(BuildError, match="bump-sys left 2 static libraries instead of one"):
        built("twice", recipe, silent)


def test_without_network_the_newest_crate_that_is_here_is_taken(workbench):
    metadata = workbench.folder / "metadata.json"
    workbench.cargo(metadata=f'case "$*" in *--offline*) cat {metadata} ;; *) exit 101 ;; esac')
    assert built("bump", OWN, silent).version == "3.7.1"


def test_a_broken_recipe_shows_the_end_of_its_log_and_leaves_nothing(workbench):
    (workbench.crate / "inside" / "bump.cc").write_text("#error this crate is broken\n")
    with pytest.raises(BuildError) as raised:
        built("bump", OWN, silent)
    sentence = str(raised.value)
    assert sentence.startswith(f"c++ failed; the end of {cache.log_of('bump')} says:\n")
    assert "#error this crate is broken" in sentence
    assert workbench.left() == []
    assert "bump.cc" in cache.log_of("bump").read_text()


def test_a_crate_that_the_registry_lacks_is_told(workbench):
    workbench.cargo(metadata="echo no matching package named bump-sys found >&2; exit 101")
    with pytest.raises(BuildError, match=r"cargo failed; (.|\n)*no matching package named bump-sys found"):
        built("bump", OWN, silent)
    assert workbench.left() == []


def test_a_library_that_lacks_an_operator_is_not_kept(workbench):
    command = (*OWN_BUILD.commands[0], "-DNO_OPERATORS")
    with pytest.raises(BuildError, match=r"does not define _Znwm: \S*libstdc\+\+\S* served it"):
        built("bump", replace(OWN, build=replace(OWN_BUILD, commands=(command,))), silent)
    assert workbench.left() == []


@pytest.mark.parametrize(("answer", "kept"), [("true", 1), ("false", 0)])
def test_what_a_recipe_promises_of_its_library_has_to_hold(workbench, answer, kept):
    with (workbench.crate / "inside" / "bump.cc").open("a") as source:
        source.write('extern "C" char *getenv(const char *);\n')
        source.write(f'FROM_C bool per_cpu() {{ return getenv("ASKED") && {answer}; }}\n')
    recipe = replace(OWN, holds="per_cpu", settings=(("ASKED", "1"),))
    if kept:
        peer = built("bump", recipe, silent)
        assert built("bump", recipe, silent) == peer
        assert peer.environment() == {"LD_PRELOAD": str(peer.library), "ASKED": "1"}
    else:
        with pytest.raises(BuildError, match="works otherwise than it should on this machine: per_cpu says no"):
            built("bump", recipe, silent)
    assert len(workbench.left()) == kept


def test_a_cache_that_cannot_be_written_is_told(workbench, monkeypatch):
    (workbench.folder / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(workbench.folder / "file"))
    with pytest.raises(BuildError, match=r"cannot be built in .*/file/hakmem/peers: "):
        built("bump", OWN, silent)


def test_the_user_s_compiler_flags_do_not_reach_a_build(workbench, monkeypatch):
    monkeypatch.setenv("CXXFLAGS", "-O0")
    monkeypatch.setenv("LD_PRELOAD", "/somewhere/else.so")
    steps = Steps(workbench.folder / "log", workbench.folder, crates.ENVIRONMENT)
    environment = steps.run("env").splitlines()
    assert not [line for line in environment if line.startswith(("CXXFLAGS=", "LD_PRELOAD="))]
    assert "CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS=fallback" in environment


def test_two_calls_build_a_peer_once(workbench):
    said, results = [], []
    cache.root().mkdir(parents=True)
    with (cache.root() / ".bump.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        threads = [threading.Thread(target=lambda: results.append(built("bump", OWN, said.append))) for _ in range(2)]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + 20
        while len(said) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert said[:2] == ["waiting for another call that is building bump"] * 2
    assert workbench.asked() == ["metadata"]
    assert results[0] == results[1]


def test_a_build_that_fails_makes_way_for_debian(workbench, monkeypatch):
    workbench.cargo(metadata="exit 101")
    library = workbench.folder / "libbump.so"
    monkeypatch.setattr(debian, "find_library", lambda patterns: library)
    monkeypatch.setitem(registry.PEERS, "bump", registry.Peer(OWN, Package("libbump1", ("libbump.so",))))
    said = []
    assert peers.require("bump", said.append).library == library
    assert "bump: cargo failed; the end of " in said[1]
    assert said[2].startswith("bump: Debian's ")


@pytest.mark.slow
def test_a_real_peer_is_built_from_its_crate_and_serves_a_program(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if debian.missing_tools(recipes.RPMALLOC.tools(), silent):
        pytest.skip("cargo is not on this machine")
    try:
        peer = built("rpmalloc", recipes.RPMALLOC, silent)
    except BuildError as error:
        if "offline mode" in str(error):
            pytest.skip("crates.io cannot be reached")
        raise
    assert peer.version.split(".")[0].isdigit()
    program = "print([i for i in range(1000)][-1], 'librpmalloc.so' in open('/proc/self/maps').read())"
    environment = child_environment(peer, {})
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "999 True\n"


# ---- which allocator served


def test_the_library_under_test_must_be_built(tmp_path):
    with pytest.raises(LabError, match=r"is missing: build it first with ./hakmem build"):
        peers.subject(tmp_path / "libhakmem.so")


def test_served_follows_links(tmp_path):
    real = tmp_path / "libjemalloc.so.2.0"
    real.touch()
    link = tmp_path / "libjemalloc.so.2"
    link.symlink_to(real)
    assert Allocator("jemalloc", link).served(str(real))
    assert not Allocator("jemalloc", link).served("/lib/libc.so.6")
    assert peers.glibc().served("/lib/x86_64-linux-gnu/libc.so.6")
    assert not peers.glibc().served(str(real))


def test_the_environment_preloads_one_library_and_keeps_the_workload(monkeypatch, tmp_path):
    monkeypatch.setenv("LD_PRELOAD", "/somewhere/else.so")
    monkeypatch.setenv("HAKMEM_BENCH_MIN_SIZE", "512")
    monkeypatch.setenv("HAKMEM_PROFILE", "speed")
    bare = child_environment(peers.glibc(), {})
    assert "LD_PRELOAD" not in bare
    assert "HAKMEM_BENCH_MIN_SIZE" not in bare
    assert bare["HAKMEM_PROFILE"] == "speed"
    extra = {"HAKMEM_BENCH_C5_ONLY": "1"}
    preloaded = child_environment(Allocator("x", tmp_path / "x.so"), extra)
    assert preloaded["LD_PRELOAD"] == str(tmp_path / "x.so")
    assert preloaded["HAKMEM_BENCH_C5_ONLY"] == "1"


def test_a_run_on_the_wrong_allocator_is_unsound(tmp_path):
    report = '{"allocator_path": "/lib/x86_64-linux-gnu/libc.so.6"}'
    with pytest.raises(UnsoundError, match=r"waves was to run on x, but /lib/.*libc.so.6 served it"):
        parse_report(report, "waves", Allocator("x", tmp_path / "x.so"))


@pytest.mark.parametrize("output", ["", "hello\n", "[1]\n", '{"seconds": 1}\n'])
def test_a_run_without_a_report_is_unsound(output):
    with pytest.raises(UnsoundError, match="printed no report"):
        parse_report(output, "waves", peers.glibc())
