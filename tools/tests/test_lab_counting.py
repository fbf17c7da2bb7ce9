"""Counts are read correctly out of what valgrind and strace print."""

import pytest

from hakmem_lab import counting
from hakmem_lab.counting import parse_instructions, parse_system_calls
from hakmem_lab.errors import LabError, UnsoundError

TRACE = """\
4711  mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f1
4711  munmap(0x7f1, 8192)               = 0
4711  mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0 <unfinished ...>
4712  mprotect(0x7f2, 4096, PROT_NONE <unfinished ...>
4711  <... mmap resumed>)               = 0x7f3
4712  <... mprotect resumed>)           = 0
"""


def test_a_call_cut_in_two_counts_once():
    assert parse_system_calls(TRACE) == {"mmap": 2, "munmap": 1, "mprotect": 1}


def test_lines_without_a_process_id_count_too():
    assert parse_system_calls("madvise(0x7f, 4096, MADV_DONTNEED) = 0\n+++ exited with 0 +++\n") == {"madvise": 1}


def test_instructions_come_from_the_totals():
    assert parse_instructions("events: Ir\nfn=(1) main\n1 5\nsummary: 123456\n") == 123456
    assert parse_instructions("events: Ir\n\ntotals: 42\n") == 42


def test_a_file_without_totals_is_unsound():
    with pytest.raises(UnsoundError, match="counted no instructions"):
        parse_instructions("events: Ir\n")


def test_a_missing_tool_is_named(monkeypatch):
    monkeypatch.setattr(counting.shutil, "which", lambda name: None)
    with pytest.raises(LabError, match="strace is needed .*apt-get install strace"):
        counting._tool("strace")
