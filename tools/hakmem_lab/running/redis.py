"""redis-server on an allocator, redis-benchmark as its client, which runs as always."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator, glibc
from hakmem_lab.running.process import child_environment, failure, run_checked
from hakmem_lab.running.programs import locate
from hakmem_lab.running.resident import Curve, resident_kib
from hakmem_lab.running.witness import witnessing

_START_SECONDS = 30
_POLL_SECONDS = 0.01
_REST_SECONDS = 1.0


@dataclass(frozen=True)
class Service:
    """One server's life under one client's load."""

    seconds: float
    operations: int
    report: dict


def _tool(name: str) -> str:
    path = locate(name)
    if path is None:
        raise LabError(f"{name} is not on this machine (apt-get install redis-tools)")
    return path


class _Server:
    def __init__(self, program: str, socket: Path, environment: dict[str, str], what: str) -> None:
        self._socket = socket
        self._what = what
        self._plain = child_environment(glibc(), {})
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [program, *options, "--dir", str(socket.parent)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._socket.exists():
            if self._process.poll() is not None:
                raise UnsoundError(f"{self._what} failed with {self._failure()}")
            if time.monotonic() > deadline:
                raise UnsoundError(f"{self._what} did not start within {_START_SECONDS} s")
            time.sleep(_POLL_SECONDS)

    def ask(self, program: str, *arguments: str) -> str:
        """Runs a client; what it printed."""
        command = [_tool(program), "-s", str(self._socket), *arguments]
        what = f"{program}, the client of {self._what},"
        return run_checked(command, what, env=self._plain, stdout=subprocess.PIPE).stdout

    def curve(self) -> Curve:
        return Curve(self._process.pid)

    def resident_kib(self) -> int:
        return resident_kib(self._process.pid)

    def stop(self) -> None:
        self.ask("redis-cli", "shutdown", "nosave")
        self._process.wait(_START_SECONDS)
        if self._process.returncode != 0:
            raise UnsoundError(f"{self._what} ended with {self._failure()}")

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()

    def _failure(self) -> str:
        return failure(self._process.returncode, self._process.stderr.read())


def _counted(statistics: str, name: str) -> int:
    found = re.search(rf"^{name}:(\d+)", statistics, re.MULTILINE)
    if found is None:
        raise UnsoundError(f"redis-server does not tell its {name}: the lab needs version 6.2 or newer")
    return int(found.group(1))


def serve(
    program: str, arguments: list[str], allocator: Allocator, library: Path, extra: dict[str, str]
) -> Service:
    """A server that answers the client."""

    def load(server: _Server) -> tuple[float, dict]:
        return _load(server, arguments), {}

    return _serve(program, allocator, library, extra, load)


def flush(
    program: str, arguments: list[str], allocator: Allocator, library: Path, extra: dict[str, str]
) -> Service:
    """A server that the client fills, that then drops everything, and rests."""

    def load(server: _Server) -> tuple[float, dict]:
        with server.curve() as curve:
            seconds = _load(server, arguments)
            filled = server.resident_kib()
            start = time.perf_counter()
            server.ask("redis-cli", "flushall", "sync")
            seconds += time.perf_counter() - start
            freed = server.resident_kib()
            time.sleep(_REST_SECONDS)
            stages = {"filled": filled, "freed": freed, "idled": server.resident_kib()}
        return seconds, {"resident_kib_after": stages, "curve": curve.points()}

    return _serve(program, allocator, library, extra, load)


def _load(server: _Server, arguments: list[str]) -> float:
    start = time.perf_counter()
    server.ask("redis-benchmark", "--csv", *arguments)
    return time.perf_counter() - start


def _serve(
    program: str,
    allocator: Allocator,
    library: Path,
    extra: dict[str, str],
    load: Callable[[_Server], tuple[float, dict]],
) -> Service:
    what = f"redis-server on {allocator.name}"
    with witnessing(library, allocator, extra) as here:
        server = _Server(program, here.reports.parent / "socket", here.environment, what)
        try:
            server.wait_until_ready()
            seconds, figures = load(server)
            statistics = server.ask("redis-cli", "info", "stats")
            server.stop()
        finally:
            server.kill()
        if _counted(statistics, "total_error_replies") > 0:
            raise UnsoundError(f"{what} answered with errors")
        operations = _counted(statistics, "total_commands_processed")
        return Service(seconds, operations, {**here.report(what, allocator), **figures})
