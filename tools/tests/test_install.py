"""What `cmake --install` puts down can be found and used by CMake, pkg-config and man."""

import os
import shutil
import subprocess

import pytest

from hakmem_cli import build, layout

PROGRAM = """
#include <hakmem.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  void *block = hak_malloc(100);
  int good = block != NULL && hak_usable_size(block) >= 100 && strcmp(hak_version(), HAKMEM_VERSION) == 0;
  hak_free(block);
  puts(good ? "good" : "bad");
  return !good;
}
"""

CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(hakmem 0.1 REQUIRED)
add_executable(shared program.c)
target_link_libraries(shared hakmem::hakmem)
add_executable(static program.c)
target_link_libraries(static hakmem::hakmem_static)
"""


@pytest.fixture(scope="module")
def prefix(library, tmp_path_factory):
    """A prefix that hakmem is installed into; moved once, because an installed tree may be."""
    first = tmp_path_factory.mktemp("installed") / "first"
    build.configure("release", tests=False)
    run("cmake", "--install", layout.build_dir("release"), "--prefix", first)
    return first.rename(first.with_name("moved"))


@pytest.fixture
def project(tmp_path):
    """A user's project."""
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_PROJECT)
    return tmp_path


def run(*line, **keywords):
    done = subprocess.run([str(word) for word in line], capture_output=True, text=True, **keywords)
    assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    return done.stdout


def only(prefix, pattern):
    (path,) = prefix.rglob(pattern)
    return path


def test_by_cmake(prefix, project):
    run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", project / "build")
    for program in ("shared", "static"):
        assert run(project / "build" / program) == "good\n"
    needed = run("objdump", "-p", project / "build/shared")
    assert "libhakmem.so.0" in needed
    assert "libhakmem" not in run("objdump", "-p", project / "build/static")


def test_by_pkg_config(prefix, project):
    if shutil.which("pkg-config") is None:
        pytest.skip("pkg-config is not installed")
    folder = only(prefix, "hakmem.pc").parent
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
    flags = run("pkg-config", "--cflags", "--libs", "hakmem", env=environment).split()
    run("cc", project / "program.c", "-o", project / "program", *flags)
    assert run(project / "program", env={**os.environ, "LD_LIBRARY_PATH": str(folder.parent)}) == "good\n"
    assert run("pkg-config", "--modversion", "hakmem", env=environment).strip() == layout.version()


def test_by_pkg_config_and_the_readmes_flag(prefix, project):
    """With the README's -Wl,-rpath the program finds the library where it lies, without ldconfig."""
    if shutil.which("pkg-config") is None:
        pytest.skip("pkg-config is not installed")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(only(prefix, "hakmem.pc").parent)}
    readme = open(os.path.join(layout.ROOT, "README.md"), encoding="utf-8").read()
    (line,) = (line for line in readme.splitlines() if line.startswith("cc program.c"))
    (project / "home").mkdir()
    run("bash", "-c", line.replace("-o program", f"-o {project}/home/program"), cwd=project, env=environment)
    bare = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    assert run(project / "home/program", env=bare, cwd="/") == "good\n"


def test_names_of_the_library(prefix):
    library = only(prefix, "libhakmem.so")
    assert os.readlink(library) == "libhakmem.so.0"
    assert os.readlink(library.with_name("libhakmem.so.0")) == f"libhakmem.so.{layout.version()}"
    assert "SONAME               libhakmem.so.0\n" in run("objdump", "-p", library)


def test_exports_only_what_is_public(library):
    """Everything else in the library is its own: hak_*, the malloc family and the C++ operators leave it."""
    family = set(
        "malloc calloc realloc reallocarray free free_sized free_aligned_sized cfree posix_memalign aligned_alloc memalign "
        "valloc pvalloc malloc_usable_size malloc_trim mallinfo mallinfo2 malloc_info malloc_stats mallopt "
        "mallocx rallocx xallocx sallocx dallocx sdallocx nallocx "  # which jemalloc adds
        "_exit _Exit "  # at which the lines that were asked for are printed
        "dlopen".split()  # without RTLD_DEEPBIND
    )
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    names = {line.split()[-1] for line in lines}
    other = {name for name in names if not name.startswith(("hak_", "_Zn", "_Zd")) and name not in family}
    assert other == set()
    assert {"malloc", "free", "hak_malloc", "_Znwm"} <= names


def test_gdb_gets_its_command(prefix):
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed")
    script = only(prefix, f"libhakmem.so.{layout.version()}-gdb.py")
    assert script.parent == only(prefix, "libhakmem.so").parent
    line = ["gdb", "-nx", "-batch", "-ex", f"source {script}", "-ex", "help hakmem where"]
    done = subprocess.run(line, capture_output=True, text=True, cwd="/", check=False)
    if "Python scripting is not supported" in done.stderr:
        pytest.skip("this gdb has no Python")
    assert "Say what an address is" in done.stdout, done
