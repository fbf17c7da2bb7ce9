"""The processes of this machine that run on hakmem."""

import os

from .document import of
from .errors import InspectError
from .heap import Heap
from .process import Process, has_library


def processes():
    """Their numbers, by /proc/*/maps: a program into which the library is linked statically has no such name there."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid() and has_library(int(name)):
            found.append(int(name))
    return sorted(found)


def documents():
    """Each one's document, or why there is none."""
    found = []
    for pid in processes():
        try:
            found.append((pid, of(Heap(Process(pid))), ""))
        except InspectError as error:
            found.append((pid, None, error.what))
    return found
