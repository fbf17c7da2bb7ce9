"""The help of the commands: one text each, which a bare machine can print.

The texts are what the commands say of themselves (`app`), kept in the folder help; tests compare. After a change:

    PYTHONPATH=tools .venv/bin/python -m hakmem_cli.help
"""

import os

from . import layout

_FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "help")
_ALL = "hakmem"  # the text on all commands together
WIDTH = 100


def commands():
    """The commands that have a text."""
    return sorted(name.removesuffix(".txt") for name in os.listdir(_FOLDER) if name != f"{_ALL}.txt")


def text(command=""):
    """The help of a command; of all, where none is named."""
    with open(os.path.join(_FOLDER, f"{command or _ALL}.txt"), encoding="utf-8") as file:
        return file.read()


def write():
    """Writes the texts anew; returns the commands whose text was another."""
    from . import app  # here, because it needs the Python environment

    changed = []
    texts = {name or _ALL: app.help_text(name) for name in ("", *app.command_names())}
    for name in {*commands(), _ALL} - set(texts):
        os.remove(os.path.join(_FOLDER, f"{name}.txt"))
    for name, wanted in texts.items():
        path = os.path.join(_FOLDER, f"{name}.txt")
        if not os.path.exists(path) or text(name if name != _ALL else "") != wanted:
            with open(path, "w", encoding="utf-8") as file:
                file.write(wanted)
            changed.append(os.path.relpath(path, layout.ROOT))
    return changed


if __name__ == "__main__":
    print("\n".join(write()) or "every text is as it should be")
