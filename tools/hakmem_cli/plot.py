"""`hakmem run --plot`: runs a program like `hakmem run`, and draws its memory over time."""

import os

from . import layout, needs, venv
from .run import original_environment


def main(arguments, path, command, environment, output):
    """The program's exit status. Where this is not the checkout's own Python, the same command line is begun there."""
    if not venv.inside():
        needs.ensure("run", with_venv=not venv.ready())
        venv.ensure()
        script = os.path.join(layout.ROOT, "hakmem")
        os.execve(venv.PYTHON, [venv.PYTHON, script, "run", *arguments], original_environment())
    from hakmem_inspect.plot import command as plotted

    return plotted.run(path, command, environment, output)
