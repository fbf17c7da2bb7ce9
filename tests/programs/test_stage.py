"""The proof that hakmem served a program fails where it did not, and a stage leaves nothing behind."""

import os

import pytest

from stage import Stage, find


def test_a_program_on_hakmem_is_seen(variant, witness, python, tmp_path):
    """Also a child that leaves past its destructors, and one that changed its environment."""
    code = "import os; del os.environ['WITNESS']; os.fork() or os._exit(3); os.wait()"
    with Stage(tmp_path / "stage", variant, witness) as stage:
        stage.good(python, "-c", code)
        name = os.path.basename(python)
        assert [process.program for process in stage.processes()] == [name, name]
        assert f"{name})" in stage.served([name])


def test_a_program_on_another_malloc_is_found_out(variant, witness, python, tmp_path):
    with Stage(tmp_path / "stage", variant, witness) as stage:
        stage.good(python, "-c", "", env={"LD_PRELOAD": str(witness)})
        with pytest.raises(AssertionError, match="not on .*libc"):
            stage.served([])


def test_a_program_that_never_ran_is_missed(variant, witness, python, tmp_path):
    with Stage(tmp_path / "stage", variant, witness) as stage:
        stage.good(python, "-c", "")
        with pytest.raises(AssertionError, match="no sleep on"):
            stage.served(["sleep"])


def test_what_takes_too_long_ends_with_all_that_it_started(tmp_path):
    with Stage(tmp_path / "stage") as stage, pytest.raises(pytest.fail.Exception, match="did not end within 1 s"):
        stage.run(find("sh"), "-c", "sleep 1000 & wait", timeout=1)


def test_daemons_end_with_their_stage(tmp_path):
    with pytest.raises(ZeroDivisionError), Stage(tmp_path / "stage") as stage:
        daemon = stage.start(find("sleep"), 1000)
        raise ZeroDivisionError
    assert daemon.poll() is not None
