"""What the libraries hold: nothing that only debug builds run, and no name that a program could have, too."""

import re

import pytest

VALIDATORS = re.compile(r"^(\w+_(is|are)_valid|heap_census|census_\w+|heap_check|heap_state_check)(\.cold)?$")

# Of POSIX.1-2017, 2.9.5, and of glibc's manual: what an allocator might call.
POINTS_OF_CANCELLATION = set(
    """close creat fclose fdatasync fflush fgets fopen fprintf fputs fread fscanf fsync getline getrandom msync nanosleep
    clock_nanosleep open open64 openat openat64 opendir pause poll ppoll pread pread64 printf pselect pthread_cond_timedwait
    pthread_cond_wait pthread_join pwrite pwrite64 read readdir readv select sem_timedwait sem_wait sigsuspend sigwait
    sleep system usleep wait waitpid write writev""".split()
)


def names(path, plain, tool, *options):
    done = plain([tool("nm"), *options, path])
    assert done.code == 0, done
    return {line.split()[-1] for line in done.out.splitlines() if len(line.split()) > 1}


@pytest.fixture(scope="module", params=["libhakmem.so", "libhakmem.a"])
def release(request, library):
    if "debug" in str(library):
        pytest.skip("a debug build has validators")
    return library.with_name(request.param)


def test_the_release_library_holds_no_validator(release, plain, tool):
    found = names(release, plain, tool)
    assert "hak_malloc" in found
    assert not [name for name in found if VALIDATORS.match(name)]


@pytest.mark.parametrize("variant", ["", "-observe", "-profile", "-secure"])
def test_no_thread_is_cancelled_within(library, plain, tool, variant):
    """It would take a heap or a lock with it. malloc_info writes to a FILE of the program's, and is cancelled as glibc's."""
    file = library.with_name(f"libhakmem{variant}.so")
    if not file.exists():
        pytest.skip(f"there is no {file.name}")
    imported = {name.partition("@")[0] for name in names(file, plain, tool, "-D", "--undefined-only")}
    assert "mmap" in imported or "mmap64" in imported
    assert not imported & POINTS_OF_CANCELLATION


def test_a_program_may_have_the_names_of_boxes(library, plain, tool, tmp_path):
    """The static library's own names are local to it. A program that is linked statically keeps the C library's dlopen."""
    static = library.with_name("libhakmem.a")
    shared_names = names(library, plain, tool, "-D", "--defined-only")
    static_names = names(static, plain, tool, "-g", "--defined-only")
    assert static_names | {"dlopen"} == shared_names
    source = tmp_path / "program.c"
    source.write_text("#include <stdlib.h>\nint refill(void) { return 7; }\nint main(void) { free(malloc(9)); return refill(); }\n")
    program = tmp_path / "program"
    assert plain([tool("cc"), "-O1", source, static, "-pthread", "-o", program]).code == 0
    assert plain([program]).code == 7
