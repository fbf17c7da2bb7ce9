"""The manual page, the header and the table of options say the same."""

import re
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/man/hakmem.3").read_text()


def test_describes_every_option(root, page):
    table = (root / "src/config/options.def").read_text()
    row = r'OPTION\(\w+, "(\w+)", [^,]+, [^,]+, (\w+), (\w+), (\w+), (\w+),'
    declared = [(*fields[:4], fields[4] == "true") for fields in re.findall(rf"^{row}", table, re.M)]
    assert len(declared) == len(re.findall(r"^OPTION\(", table, re.M)) > 0
    assert re.findall(r"^\.It Ev (HAKMEM_\w+)$", page, re.M) == [fields[0] for fields in declared]
    rows = re.findall(r"^\.It Ev (\w+) Ta (\w+) Ta (\w+) Ta (\w+) Ta (yes|no)$", page, re.M)
    assert [(*fields[:4], fields[4] == "yes") for fields in rows] == declared


def test_describes_every_function(root, page):
    header = re.sub(r"/\*.*?\*/", "", (root / "include/hakmem.h").read_text(), flags=re.S)
    declared = re.findall(r"^HAK_API .*?(hak_\w+)\(", header, re.M)
    assert declared
    assert re.findall(r"^\.Fn (hak_\w+) \"", page, re.M) == declared


def test_is_well_formed(root):
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man and groff are not installed")
    done = subprocess.run(
        ["man", "--warnings=all", "-l", str(root / "docs/man/hakmem.3")], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "a general-purpose memory allocator" in done.stdout
