"""Is the library newer than everything it is built from?"""

import os

from . import layout

_FILES = ("CMakeLists.txt", "CMakePresets.json")
_FOLDERS = ("src", "include", "cmake")


def up_to_date(preset, variant=layout.PLAIN):
    """Whether the library is there and its last build began after the last change to a source."""
    try:
        built = os.stat(layout.stamp(preset, variant)).st_mtime_ns
    except FileNotFoundError:
        return False
    return os.path.exists(layout.library(preset, variant)) and built > newest_source()


def newest_source():
    """The time of the last change to a source, or to a folder of sources (a file came, went or was renamed)."""
    newest = max(os.stat(os.path.join(layout.ROOT, name)).st_mtime_ns for name in _FILES)
    folders = [os.path.join(layout.ROOT, name) for name in _FOLDERS]
    while folders:
        folder = folders.pop()
        newest = max(newest, os.stat(folder).st_mtime_ns)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    newest = max(newest, entry.stat(follow_symlinks=False).st_mtime_ns)
    return newest


def mark(preset, began_ns, variant=layout.PLAIN):
    """Notes that a build which began at `began_ns` brought the library up to date."""
    path = layout.stamp(preset, variant)
    with open(path, "w", encoding="utf-8"):
        pass
    os.utime(path, ns=(began_ns, began_ns))
