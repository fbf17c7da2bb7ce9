"""What the tests said: failures as they come, then a table, then the count alone on the last line."""

from collections import Counter

from rich.table import Table
from rich.text import Text

_LINES_OF_A_FAILURE = 60


def show_suite(console, suite, outcomes, seconds):
    """A line for a suite that ended, and the failures in it."""
    counts = Counter(outcome.status for outcome in outcomes)
    mark = "[red]failed[/red]" if counts["failed"] else "[green]ok[/green]"
    console.print(f"{mark} {suite}: {_words(counts)}, {seconds:.0f} s", highlight=False)
    for outcome in outcomes:
        if outcome.status == "failed":
            console.print(Text(f"--- {suite}: {outcome.name}", style="bold red"))
            lines = outcome.message.splitlines()
            for line in lines[-_LINES_OF_A_FAILURE:]:
                console.print(Text(f"    {line}"), soft_wrap=True)


def show_all(console, results):
    """The table over all suites, what tests noted, what was skipped and what failed; `results` maps a suite to
    (outcomes, seconds)."""
    table = Table(title="tests", title_justify="left")
    table.add_column("suite")
    for column in ("passed", "failed", "skipped", "seconds"):
        table.add_column(column, justify="right")
    for suite, (outcomes, seconds) in results.items():
        counts = Counter(outcome.status for outcome in outcomes)
        cells = [str(counts[status]) for status in ("passed", "failed", "skipped")]
        table.add_row(suite, *cells, f"{seconds:.0f}", style="red" if counts["failed"] else "")
    console.print(table)
    for suite, (outcomes, _) in results.items():
        for outcome in outcomes:
            for note in outcome.notes:
                console.print(Text(f"note: {suite}: {outcome.name}: {note}"), soft_wrap=True)
    for status in ("skipped", "failed"):
        for suite, (outcomes, _) in results.items():
            for outcome in outcomes:
                if outcome.status == status:
                    why = f": {outcome.message}" if status == "skipped" and outcome.message else ""
                    console.print(Text(f"{status}: {suite}: {outcome.name}{why}"), soft_wrap=True)


def summary(results):
    """The closing line: 'N passed, N failed', and ', N skipped' where some were."""
    return _words(Counter(outcome.status for outcomes, _ in results.values() for outcome in outcomes))


def _words(counts):
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    return line + (f", {counts['skipped']} skipped" if counts["skipped"] else "")
