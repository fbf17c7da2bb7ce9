"""docs/guarantees.md: every promise names tests, and these exist. And what can be read off the library file itself."""

import re
from pathlib import Path

import pytest

from named_tests import existing_tests

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/guarantees.md").read_text()

# Paragraphs that promise nothing, or say what is not promised.
WITHOUT_A_TEST = ("Not promised:", "No function is async-signal-safe", "Never given back:")


def promises():
    """The items of the document's lists, each as one line."""
    items = re.findall(r"^- (.+?)(?=^- |^#|\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
    return [" ".join(item.split()) for item in items]


def named_tests(promise):
    """The tests that a promise names in its last brackets."""
    named = re.search(r"\[([^\]]+)\]$", promise)
    return named[1].split(", ") if named else []


def test_promises_are_found():
    assert len(promises()) >= 30
    assert sum(len(named_tests(promise)) for promise in promises()) >= 60


@pytest.mark.parametrize("promise", promises(), ids=lambda promise: re.sub(r"\W+", "_", promise)[:60])
def test_every_promise_names_tests_that_exist(promise):
    if promise.startswith(WITHOUT_A_TEST):
        return
    named = named_tests(promise)
    assert named, f"no test proves: {promise}"
    missing = set(named) - existing_tests()
    assert not missing, f"docs/guarantees.md names tests that do not exist: {sorted(missing)}"


def test_static_tls_is_at_most_one_kib(library, plain, tool):
    done = plain([tool("readelf"), "-lW", library])
    segments = re.findall(r"^\s+TLS\s+0x\w+ 0x\w+ 0x\w+ 0x(\w+) 0x(\w+)", done.out, re.MULTILINE)
    assert len(segments) == 1, done.out
    assert max(int(size, 16) for size in segments[0]) <= 1024
