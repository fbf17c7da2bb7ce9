"""What the tests of the structure share: the checkout and its floors."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from hakmem_house import floors, sources  # noqa: E402


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def house():
    """The floors that CONTRIBUTING.md lists, the lowest first."""
    return floors.read(ROOT / "CONTRIBUTING.md")


@pytest.fixture(scope="session")
def files():
    """The sources of the library."""
    return sources.read(ROOT / "src")
