"""Runs a command on libhakmem-profile, and makes profiles of what its processes have recorded."""

import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

from hakmem_cli import build, freshness, layout, program
from hakmem_cli import run as runner
from hakmem_cli.message import Refusal

from . import recording
from .model import Profile, Sample
from .symbols import Symbols

VARIANT = "profile"
_NAME = re.compile(r"^\d+\.recording(?:\.(peak|\d+))?$")
_NOT_OURS = (signal.SIGINT, signal.SIGQUIT)  # of a terminal: they are the command's


def run(command, settings):
    """Runs a command to its end. Its exit status, and the recordings of all its processes by their occasion ("" is the
    exit, then "peak", "1", "2" and so on)."""
    environment = runner.original_environment()
    search_path = os.fsdecode(environment.get(b"PATH", b""))
    path = program.find(command[0], search_path)
    library = layout.library("release", VARIANT)
    if not freshness.up_to_date("release", VARIANT):
        build.library_for_run("release", VARIANT)
    program.check(path, library, search_path)
    with tempfile.TemporaryDirectory(prefix="hakmem-profile-") as folder:
        environment[b"LD_PRELOAD"] = runner.preload(library, environment.get(b"LD_PRELOAD", b""))
        environment[b"HAKMEM_PROFILE_FILE"] = os.fsencode(os.path.join(folder, "%p.recording"))
        environment.update({name.encode(): str(value).encode() for name, value in settings.items()})
        status = _wait_for(path, command, environment)
        return status, _recordings(Path(folder))


def _wait_for(path, command, environment):
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _NOT_OURS}
    try:
        child = subprocess.Popen(
            command, executable=path, env=environment, preexec_fn=lambda: _restore(before), restore_signals=True
        )
    except OSError as error:
        raise Refusal(f"{path} could not be started: {error.strerror}", status=126) from error
    try:
        status = child.wait()
    finally:
        _restore(before)
    return status if status >= 0 else 128 - status


def _restore(handlers):
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _recordings(folder):
    found = {}
    for file in sorted(folder.iterdir()):
        match = _NAME.match(file.name)
        if match:
            found.setdefault(match[1] or "", []).append(recording.read(file))
    return found


def profile_of(recordings, symbols=None, command=""):
    """One profile of what the processes of a command have recorded."""
    symbols = symbols or Symbols()
    samples, mappings = [], []
    several = len(recordings) > 1
    for one in recordings:
        stacks = list(one.samples())
        addresses = {address for calls, _ in stacks for address in calls}
        locations, used = symbols.locations(one.maps, addresses)
        mappings += used
        process = f"{one.command} ({one.pid})" if several else ""
        samples += [Sample(tuple(locations[call] for call in calls), list(values), process) for calls, values in stacks]
    comments = [f"hakmem profile of: {command}"]
    missed, lost = (sum(getattr(one, name) for one in recordings) for name in ("missed", "lost"))
    if missed:
        comments.append(f"{missed} samples were missed")
    if lost:
        comments.append(f"{lost} samples have no stack: the table of stacks was full")
    every, time = (max((getattr(one, name) for one in recordings), default=0) for name in ("every", "time"))
    return Profile(samples, mappings, every, time, comments)
