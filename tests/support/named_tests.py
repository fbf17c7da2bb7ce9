"""Tests by the names that documents use: of ctest without the group in front, or of pytest."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _sources(folder, pattern):
    """The text of all sources of a folder that match."""
    return "\n".join(path.read_text() for path in sorted((ROOT / folder).rglob(pattern)))


def existing_tests():
    """Every test by the name that a document would use."""
    code = _sources("tests", "*_test.cc") + _sources("tests", "*_test.c")
    names = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", code)}
    python = _sources("tests", "test_*.py") + _sources("tools/tests", "test_*.py")
    names |= set(re.findall(r"^def (test_\w+)", python, re.MULTILINE))
    cmake = _sources("tests", "CMakeLists.txt")
    names |= set(re.findall(r"add_test\(NAME ([\w.]+)\s", cmake))
    forks = re.findall(r"hakmem_add_fork_program\((\w+) (\d+)\)", cmake)
    names |= {f"stress.{program}.{threads}_threads" for program, threads in forks}
    names |= {f"sweep.{mode}.{threads}_threads" for mode, threads in re.findall(r"hakmem_add_sweep\((\w+) (\d)", cmake)}
    with_options = re.findall(r"hakmem_add_sweep_with\(\S+ (\w+) \w+ (\d)", cmake)
    names |= {f"sweep.{name}.{threads}_threads" for name, threads in with_options}
    return names
