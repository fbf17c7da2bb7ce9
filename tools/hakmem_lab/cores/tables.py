"""The prediction and the counts, as tables and as JSON."""

from __future__ import annotations

from pathlib import Path

from hakmem_lab import report
from hakmem_lab.cores.counts import RANKS
from hakmem_lab.cores.model import QUEUES, Load, Outlook, Prediction
from hakmem_lab.stats import Ratio
from hakmem_lab.tables import Table, ratio_text

_MILLION = 1e6
_WORTH_NAMING = 0.01  # of its time a queue serves, or none is what limits


def _bottleneck_cells(one: Prediction) -> tuple[str, str]:
    name = one.bottleneck()
    if one.utilisation(name) < _WORTH_NAMING:
        return ("none", f"{one.utilisation(name):.1%}")
    return (name, f"{one.utilisation(name):.1%}")


def outlook_table(name: str, outlook: Outlook, measured: dict[int, Ratio]) -> Table:
    def row(one: Prediction) -> tuple[str, ...]:
        speed_up = f"{outlook.speed_up(one):.2f}"
        here = ratio_text(measured[one.cores]) if one.cores in measured else ""
        return (str(one.cores), *_bottleneck_cells(one), speed_up, f"{outlook.efficiency(one):.0%}", here)

    header = ("cores", "busiest queue", "busy", "predicted speed-up", "efficiency", "measured here")
    rows = [row(one) for one in outlook.predictions]
    return Table(f"{name} on more cores, as predicted", header, rows, text_columns=2)


def counts_table(name: str, outlook: Outlook) -> Table:
    """Of the runs themselves; the waits beside those that the prediction has."""

    def row(one: Prediction) -> tuple[str, ...]:
        own = one.load
        per_million = (sum(own.taken.values()), sum(own.waited.values()), one.waited(), sum(own.shared.values()))
        return (str(own.threads), *(f"{number * _MILLION:,.0f}" for number in per_million))

    header = ("threads", "locks", "waits", "waits predicted", "shared lines written")
    title = f"{name}: counted on this machine, in a million operations"
    return Table(title, header, [row(one) for one in outlook.predictions])


def _load(own: Load) -> dict:
    locks = {
        rank: {"taken": own.taken[rank], "waited": own.waited[rank], "held_ns": own.held_ns[rank]} for rank in RANKS
    }
    return {"threads": own.threads, "locks": locks, "waited_ns": own.waited_ns, "shared": own.shared}


def document(name: str, outlook: Outlook, transfer_ns: float, measured: dict[int, Ratio]) -> dict:
    """Everything, the counts for one operation."""

    def prediction(one: Prediction) -> dict:
        return {
            "cores": one.cores,
            "speed_up": outlook.speed_up(one),
            "efficiency": outlook.efficiency(one),
            "operations_per_second": one.flow.throughput * 1e9,
            "bottleneck": one.bottleneck(),
            "pool_parts": one.parts,
            "utilisation": {queue: one.utilisation(queue) for queue in QUEUES},
            "service_ns": one.service_ns,
            "waited": one.waited(),
            "measured": vars(measured[one.cores]) if one.cores in measured else None,
            "counts": _load(one.load),
        }

    predictions = [prediction(one) for one in outlook.predictions]
    times = {"transfer_ns": transfer_ns, "operation_ns": outlook.alone_ns}
    return {"workload": name, "machine": report.machine(), **times, "predictions": predictions}


def save(path: Path, document: dict) -> None:
    report.write(document, path)
