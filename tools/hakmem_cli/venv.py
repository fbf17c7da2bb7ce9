"""The private Python environment of the checkout, .venv: made once, and again when its requirements change."""

import hashlib
import os
import subprocess
import sys

from . import layout
from .lock import locked
from .message import Refusal, say

PYTHON = os.path.join(layout.VENV, "bin", "python")
_REQUIREMENTS = "requirements.txt"
_STAMP = os.path.join(layout.VENV, "requirements-installed")


def inside():
    """Whether this process runs in it."""
    return os.path.realpath(sys.prefix) == os.path.realpath(layout.VENV)


def ready():
    """Whether it is there and holds what tools/requirements.txt asks for."""
    try:
        with open(_STAMP, encoding="utf-8") as stamp:
            return stamp.read() == _wanted() and os.path.exists(PYTHON)
    except FileNotFoundError:
        return False


def ensure():
    """Makes it where it is not ready."""
    if ready():
        return
    with locked("venv"):
        if ready():  # another call made it meanwhile
            return
        say("preparing .venv, the private Python environment of this checkout (once)")
        _do([sys.executable, "-m", "venv", "--clear", layout.VENV], "the Python environment .venv could not be made")
        install(_REQUIREMENTS)
        with open(_STAMP, "w", encoding="utf-8") as stamp:
            stamp.write(_wanted())


def install(requirements):
    """Installs a file of requirements of tools/ into it."""
    line = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    _do(
        [*line, "-r", os.path.join(layout.TOOLS, requirements)],
        f"the packages of tools/{requirements} could not be had",
    )


def _wanted():
    with open(os.path.join(layout.TOOLS, _REQUIREMENTS), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _do(line, complaint):
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        why = said[-1] if said else f"exit status {done.returncode}"
        raise Refusal(f"{complaint}: {why}", f"To see the whole message: {' '.join(line)}")
