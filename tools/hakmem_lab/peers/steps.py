"""The commands of a build: run with release flags alone, logged, and told as one sentence when they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# What a user's shell may hold that would change how a peer is built.
_FOREIGN = ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "RUSTFLAGS", "MAKEFLAGS", "LD_PRELOAD", "CARGO_TARGET_DIR")
_LINES_OF_LOG = 8
_TIMEOUT_SECONDS = 1800


class BuildError(Exception):
    """A peer could not be built; its text is a sentence for the user."""


def search_path() -> str:
    """Where tools are looked for: the user's search path, then what PyPI brought beside this Python."""
    return os.environ.get("PATH", os.defpath) + os.pathsep + str(Path(sys.executable).parent)


def jobs() -> int:
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Steps:
    """Runs the commands of one build, in order, all into one log."""

    log: Path
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, *command: str) -> str:
        """The command's standard output; BuildError with the end of the log if it fails."""
        done = self.attempt(*command)
        if done is None:
            raise BuildError(f"{command[0]} failed; the end of {self.log} says:\n{self._end_of_log()}")
        return done

    def attempt(self, *command: str) -> str | None:
        """The command's standard output, or None if it fails."""
        kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
        environment = {**kept, "PATH": search_path(), **self.environment}
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n")
            log.flush()
            try:
                done = subprocess.run(
                    command,
                    cwd=self.folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    errors="replace",
                    timeout=_TIMEOUT_SECONDS,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                log.write(f"{error}\n")
                return None
            if done.returncode != 0:
                log.write(f"{done.stdout}\n{command[0]} ended with status {done.returncode}\n")
        return done.stdout if done.returncode == 0 else None

    def _end_of_log(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(f"    {line[:200]}" for line in [line for line in lines if line.strip()][-_LINES_OF_LOG:])
