"""Keeps two calls from building the same thing at the same time."""

import contextlib
import fcntl
import os

from . import layout


@contextlib.contextmanager
def locked(name):
    """Waits until no other call in this checkout holds the lock of that name."""
    os.makedirs(layout.BUILD, exist_ok=True)
    with open(os.path.join(layout.BUILD, f".{name}.lock"), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
