"""A path that LD_PRELOAD can hold: spaces and colons separate the libraries in it, and nothing escapes them."""

import hashlib
import os
import stat
import tempfile

from .message import Refusal

_SEPARATORS = " :\t\n"


def plain(path):
    """The path itself, or the same file through a link to its folder that has no separator in its name."""
    if not _has_separator(path):
        return path
    folder, name = os.path.split(path)
    link = os.path.join(_links(), hashlib.sha256(os.fsencode(folder)).hexdigest()[:16])
    if _has_separator(link) or _has_separator(name):
        what = f"LD_PRELOAD cannot hold the path {path}: it has a space or a colon in it"
        raise Refusal(what, "Move the checkout, or set TMPDIR to a folder without them")
    if not os.path.islink(link) or os.readlink(link) != folder:
        draft = f"{link}.{os.getpid()}"
        os.symlink(folder, draft)
        os.replace(draft, link)  # in one step: other calls may be doing the same
    return os.path.join(link, name)


def _has_separator(path):
    return any(separator in path for separator in _SEPARATORS)


def _links():
    """The folder of the links: of this user, and writable by nobody else."""
    folder = os.path.join(tempfile.gettempdir(), f"hakmem-{os.getuid()}")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        about = os.lstat(folder)
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o022:
            raise Refusal(f"{folder} is not a folder of yours alone", "Remove it, or set TMPDIR") from None
    return folder
