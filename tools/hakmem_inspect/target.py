"""PID, CORE or SNAPSHOT, as the user gives it."""

import os

from . import snapshot
from .errors import WRONG_TARGET, InspectError
from .process import Process, gone

_KINDS = "Give the number of a process, a core file or a snapshot"


def open_memory(text):
    """The memory that is meant."""
    if os.path.exists(text):
        return _open_file(text)
    if text.isdecimal():
        return open_process(int(text))
    raise InspectError(f"there is no file {text}", _KINDS, WRONG_TARGET)


def open_process(pid):
    if not 0 < pid < 1 << 31 or not os.path.exists(f"/proc/{pid}"):
        raise gone(pid)
    return Process(pid)


def _open_file(path):
    if os.path.isdir(path):
        raise InspectError(f"{path} is a folder", _KINDS, WRONG_TARGET)
    try:
        with open(path, "rb") as file:
            head = file.read(32)
    except PermissionError:
        raise InspectError(f"{path} may not be read by this user", "Its owner may, and root") from None
    except OSError as error:
        raise InspectError(f"{path} cannot be read: {error.strerror}", status=WRONG_TARGET) from None
    if head.startswith(b"\x7fELF"):
        from .core import Core

        return Core(path)
    if snapshot.is_snapshot(head):
        return snapshot.Snapshot(path)
    raise InspectError(f"{path} is neither a core file nor a snapshot", _KINDS, WRONG_TARGET)
