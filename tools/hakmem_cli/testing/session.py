"""The order of a test run: build, plan, run suite by suite, report."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from rich.console import Console

from .. import build, layout
from ..message import Refusal
from . import ctest, progress, pytests, report
from .ctest import CTestSuite
from .durations import Durations
from .style import FormatCheck, LintCheck
from .suite import broken

_PRESETS = ("release", "debug")
_SANITIZER_PRESETS = ("asan", "tsan")
_PLAIN_WIDTH = 120  # where the output is no terminal


def run(everything, pattern):
    """Runs the tests; returns 0 when all that ran passed and at least one did."""
    console = Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH)
    presets = (*_PRESETS, *_SANITIZER_PRESETS) if everything else _PRESETS
    results = {}
    if pattern and not _any_named(pattern, everything):
        console.print(f"No test's name contains '{pattern}'. Nothing was built.", highlight=False, markup=False)
        print(report.summary({}), flush=True)
        return 1
    try:
        _build(console, presets)
    except Refusal as refusal:
        console.print(f"[red]{refusal}[/red]", highlight=False)
        results["build"] = [broken("build", str(refusal))], 0
    else:
        _keep_bytecode()
        alone = [CTestSuite(preset, everything, pattern) for preset in presets]
        queue = pytests.suites(everything, pattern)
        beside = []
        if not pattern:
            alone, beside = [FormatCheck(), *alone], [LintCheck(everything)]
        _run_suites(console, alone, queue, beside, results)
        report.show_all(console, results)
    counted = report.summary(results)
    ran = [outcome for outcomes, _ in results.values() for outcome in outcomes if outcome.status != "skipped"]
    if not ran:
        console.print(f"No test's name contains '{pattern}'." if pattern else "There are no tests.", highlight=False)
    sys.stdout.flush()
    print(counted, flush=True)
    return 0 if ran and all(outcome.status == "passed" for outcome in ran) else 1


def _keep_bytecode():
    """Lets Python compile a module once for all processes of the run: tests start this command line hundreds of times.

    In build/, not beside the sources: where a machine has bytecode off, that is what is meant.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(layout.BUILD, "bytecode")


def _any_named(pattern, slow):
    """Whether a name may contain the pattern, told before anything is built: the names of C tests by their sources."""
    return ctest.may_name(pattern) or any(suite.has_any() for suite in pytests.suites(slow, pattern))


def _build(console, presets):
    for preset in presets:
        began = time.monotonic()
        console.print(f"building {preset}: library, tests, benchmark programs", highlight=False)
        build.everything(preset, quiet=not console.is_terminal)
        console.print(f"[green]ok[/green] {preset} built, {time.monotonic() - began:.0f} s", highlight=False)


def _run_suites(console, alone, queue, beside, results):
    """Runs suites that use all cores one after the other, then the queue, whose suites use one core or wait a lot, some
    at once; and others beside the queue."""
    durations = Durations()
    plan = progress.Plan(durations)
    for suite in (*alone, *queue, *beside):
        plan.add(suite.name, suite.steps())
    plan.start()
    lock = threading.Lock()
    with progress.shown(plan, console) as ended:

        def run_suite(suite):
            def done(step):
                with lock:
                    ended(suite.name, step)

            began = time.monotonic()
            outcomes = list(suite.run(done))
            seconds = time.monotonic() - began
            with lock:
                plan.close(suite.name)
                durations.save()  # now, as the run may be stopped
                results[suite.name] = outcomes, seconds
                report.show_suite(console, suite.name, outcomes, seconds)

        for suite in alone:
            run_suite(suite)
        with ThreadPoolExecutor(pytests.AT_ONCE) as workers, ThreadPoolExecutor(max(1, len(beside))) as others:
            list(chain(workers.map(run_suite, queue), others.map(run_suite, beside)))
