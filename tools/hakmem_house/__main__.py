"""Prints the picture of the house: PYTHONPATH=tools .venv/bin/python -m hakmem_house > house.svg"""

import sys
from pathlib import Path

from hakmem_house import floors, picture, sources

_ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """The sources of this checkout, or of the folder that is named."""
    src = Path(sys.argv[1]) if len(sys.argv) > 1 else _ROOT / "src"
    sys.stdout.write(picture.draw(floors.read(_ROOT / "CONTRIBUTING.md"), sources.read(src)))


if __name__ == "__main__":
    main()
