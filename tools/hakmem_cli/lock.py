"""Keeps two calls from building the same thing at the same time."""

import contextlib
import fcntl
import os

from . import layout
from .message import Refusal


@contextlib.contextmanager
def locked(name):
    """Waits until no other call in this checkout holds the lock of that name."""
    with _file(name) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _file(name):
    try:
        os.makedirs(layout.BUILD, exist_ok=True)
        return open(os.path.join(layout.BUILD, f".{name}.lock"), "w", encoding="utf-8")
    except OSError as error:
        what = f"this checkout cannot be built in: {layout.BUILD}: {error.strerror}"
        raise Refusal(what, f"Clone it to a folder of your own: git clone {layout.ROOT} FOLDER") from None
