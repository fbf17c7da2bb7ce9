"""What the golden tests share."""

import re

import pytest

from hakmem_program import run


@pytest.fixture(scope="module")
def compiler(library, tool):
    """The compiler that made the library, as ("gcc", "12")."""
    comment = run([tool("readelf"), "-p", ".comment", library]).out
    clang = re.search(r"clang version (\d+)", comment)
    gcc = re.search(r"GCC: .*?(\d+)\.\d+\.\d+\s*$", comment, re.MULTILINE)
    if clang:
        return "clang", clang[1]
    if gcc:
        return "gcc", gcc[1]
    return "unknown", "0"
