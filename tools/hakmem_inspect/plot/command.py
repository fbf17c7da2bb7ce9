"""Runs a command while its memory is sampled, and writes the page when it has ended."""

import os
import select
import shlex
import signal
import subprocess
import sys

from hakmem_cli.message import Refusal

from .. import snapshot, words
from .curve import Watch

_OF_THE_TERMINAL = (signal.SIGINT, signal.SIGQUIT)  # the command gets them too, and decides
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


def run(path, command, environment, output):
    """Runs it to its end; its exit status, or 128 and the number of the signal that ended it."""
    child = None

    def pass_on(number, _frame):
        if child is not None:
            child.send_signal(number)

    for number in _OF_THE_TERMINAL:
        signal.signal(number, lambda *_: None)  # not ignored: the command would inherit that
    for number in _PASSED_ON:
        signal.signal(number, pass_on)
    try:
        child = subprocess.Popen(command, executable=path, env=environment, close_fds=False)
    except OSError as error:
        raise Refusal(f"{path} could not be started: {error.strerror}", status=126) from error
    watch = Watch(child.pid)
    _watch_to_its_end(child, watch)
    status = child.returncode
    _write(output, shlex.join(command), watch.curve, _ended(status))
    return status if status >= 0 else 128 - status


def _watch_to_its_end(child, watch):
    ends = os.pidfd_open(child.pid)
    poll = select.poll()
    poll.register(ends, select.POLLIN)
    while not poll.poll(watch.wait * 1000):
        watch.look()
    os.close(ends)
    child.wait()


def _ended(status):
    if status >= 0:
        return f"It ended with exit status {status}."
    return f"It was ended by {signal.Signals(-status).name}."


def _write(output, command, curve, ended):
    from .page import draw  # here, because it takes a while to load

    data = draw(command, curve, ended).encode("utf-8", "replace")
    snapshot.write(output, data)
    print(f"hakmem: {output}: {words.size(len(data))}", file=sys.stderr)
