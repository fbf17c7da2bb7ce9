"""The board as one page that needs nothing else: what was measured, and every figure of it, from its JSON."""

from __future__ import annotations

from math import log2
from pathlib import Path

from hakmem_lab import history, rest, tables
from hakmem_lab.page import at_rest, plots
from hakmem_lab.page.html import card, escape, figure, ratio, row, section, table

_STYLE = Path(__file__).with_name("page.css")


def page(document: dict, entries: list[dict]) -> str:
    """`entries` is the history, the board itself among them."""
    title = f"{escape(document['subject']['name'])} board, {document['when'][:10]}"
    parts = (
        _header(document),
        _summary(document),
        _every_workload(document),
        _matrix(document),
        at_rest.content(document, _shaded),
        _across_commits(document, entries),
        _each_workload(document),
        _reading(document),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n{''.join(parts)}</body>\n</html>\n"
    )


def _label(one: dict) -> str:
    return escape(f"{one.get('name') or one['allocator']} {one['version']}".strip())


# ---- what was measured


def _header(document: dict) -> str:
    machine = document["machine"]
    facts = (
        ("machine", escape(f"{machine['cores']} cores, {machine['processor']}, {machine['system']}")),
        ("commit", f"<code>{escape(document['commit'])}</code>"),
        ("date", escape(document["when"])),
        ("peers", ", ".join(map(_label, document["peers"]))),
        *(("note", escape(sentence)) for sentence in document["notes"]),
        ("to repeat it", f"<code>{escape(document['command'])}</code>"),
        ("outcome", _outcome(document)),
    )
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    kind = ' <span class="chip">quick</span>' if document["quick"] else ""
    heading = f"<h1>{escape(document['subject']['name'])} board{kind}</h1>\n"
    return f'{heading}<p class="verdict">{_verdict(document)}</p>\n{card(f"<dl>{listed}</dl>")}'


def _verdict(document: dict) -> str:
    """The board in a sentence."""
    own = document["rows"][0]
    name = escape(own["allocator"])
    time, peak = own["time"], own["peak"]
    if not peak:
        return f"Nothing could be compared: {name} or every peer failed on each workload."
    memory = f"<b>{peak['mean']['median']:.2f} ×</b> the peak memory of the best peer"
    return (
        f"{name} takes <b>{time['mean']['median']:.2f} ×</b> the time and {memory}: geometric means of "
        f"{time['workloads']} workloads, the best peer chosen anew on each, in time and in memory apart."
    )


def _outcome(document: dict) -> str:
    failed = "".join(f"<br>failed, {escape(f['workload'])}: {escape(f['sentence'])}" for f in document["failures"])
    chip = ' <span class="chip bad">incomplete: runs failed</span>' if document["failures"] else ""
    stopped = "<br>stopped before its end: the workloads not shown were not measured" if document["stopped"] else ""
    return f"{escape(tables.wide_text(document))}{chip}{stopped}{failed}"


# ---- the summary


def _score(one: dict | None) -> list[str]:
    if one is None:
        return ["–"] * 3
    worst = f"{one['worst']:.2f} <small>{escape(one['worst_on'])}</small>"
    return [ratio(one["mean"]), worst, f"{one['won']} <small>of {one['workloads']}</small>"]


def _summary(document: dict) -> str:
    subject = document["subject"]["name"]
    failed = any(one["failed"] for one in document["rows"])
    header = ["allocator", "time", "worst", "fastest on", "peak memory", "worst", "smallest on"]
    header += ["failed on"] if failed else []
    rows = [
        row(
            [_label(one), *_score(one["time"]), *_score(one["peak"]), *([str(one["failed"])] if failed else [])],
            one["allocator"] == subject,
        )
        for one in document["rows"]
    ]
    text = (
        "Time and peak memory of each allocator ÷ those of the best peer on each workload: the geometric mean, with "
        "the interval that the noise of the measurement leaves it. Below 1 is less than any peer needs."
    )
    caption = "The two means against each other. Nearer to the lower left corner is better in both."
    drawn = any(one["time"] for one in document["rows"])
    drawing = card(figure(plots.both(document), caption), "card wide fit") if drawn else ""
    losses = card("".join(f"<p>{escape(sentence)}</p>" for sentence in tables.loss_texts(document)))
    return section("Summary", text, card(table(header, rows)), losses, drawing)


# ---- all workloads together


def _every_workload(document: dict) -> str:
    if not document["workloads"]:
        return ""
    caption = (
        "The best peer of each workload is at 1, in time and in memory apart. The bar through the subject's point is "
        f"its interval. ~ wide: the interval of time stayed wider than {tables.width_text(document['target'])}."
    )
    return section("Every workload", "", card(figure(plots.dots(document), caption)))


def _matrix(document: dict) -> str:
    names = rest.names_of(document)
    rows = [_matrix_row(one, names) for one in document["workloads"]]
    rows += [
        f'<tr><th>{escape(name)}</th><td colspan="{2 * len(names)}">failed</td></tr>'
        for name in tables.without_figures(document)
    ]
    head = "".join(f'<th colspan="2">{escape(name)}<br><small>time / memory</small></th>' for name in names)
    whole = f"<thead><tr><th>workload</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return section("Ratios to the best peer", "", card(f'<table class="matrix">{whole}</table>'))


def _matrix_row(one: dict, names: list[str]) -> str:
    ran = {standing["allocator"]: standing for standing in one["standings"]}
    cells = "".join(_matrix_pair(ran.get(name), name == names[0]) for name in names)
    return f"<tr><th>{escape(one['workload'])}{' ~' if one['wide'] else ''}</th>{cells}</tr>"


def _matrix_pair(standing: dict | None, own: bool) -> str:
    if standing is None:
        return '<td colspan="2">failed</td>'
    return "".join(_shaded(standing[key]["median"], own) for key in ("time_to_best", "peak_to_best"))


def _shaded(figure: float, own: bool) -> str:
    """A cell whose shade tells the ratio: the stronger, the farther from 1."""
    strength = min(0.55, 0.3 * abs(log2(figure)))
    colour = "better" if figure < 1 else "worse"
    shade = f' style="background:rgba(var(--{colour}),{strength:.2f})"' if strength >= 0.01 else ""
    return f"<td{shade}><b>{figure:.2f}</b></td>" if own else f"<td{shade}>{figure:.2f}</td>"


# ---- one board after the other


def _across_commits(document: dict, entries: list[dict]) -> str:
    shown = history.comparable(entries, history.entry(document))
    others = len(entries) - len(shown)
    told = f" {others} measured otherwise (machine, peers, workloads, kind of run) are left out." if others else ""
    if not shown:
        return section("Across commits", f"No board of the history was measured as this one.{told}")
    means = card(
        figure(
            plots.history(shown),
            "The geometric means, with their intervals. Hollow: a run failed.",
        )
    )
    if len(shown) == 1:
        only = "This is the first board here that was measured this way: one point, no line yet."
        return section("Across commits", f"{only}{told}", means)
    caption = "Each workload's ratio to its best peer. The line at 1 is the best peer."
    small = card(figure(plots.history_by_workload(shown), caption))
    return section("Across commits", f"{len(shown)} boards, the oldest first.{told}", means, small)


# ---- each workload on its own


def _each_workload(document: dict) -> str:
    text = (
        "Every run is a point, their median a bar. A ratio is the median of the ratios of runs of the same round, with "
        "its interval."
    )
    cards = (_workload(document, one, number) for number, one in enumerate(document["workloads"]))
    return section("Workload by workload", text, *cards)


def _workload(document: dict, one: dict, number: int) -> str:
    verdict, look = ("wide", "chip bad") if one["wide"] else ("narrow", "chip")
    width = f"{escape(document['subject']['name'])}'s time ± {100 * one['half_width']:.1f} %"
    title = (
        f'<div class="title"><h3>{escape(one["workload"])}</h3><span class="mute">{escape(one["summary"])}</span>'
        f'<span class="{look}">{verdict}: {width}, {one["rounds"]} rounds</span></div>'
    )
    rows = [_standing(standing, standing is one["standings"][0]) for standing in one["standings"]]
    figures = table(("allocator", "served by", "time", "÷ best peer's", "peak memory", "÷ best peer's"), rows)
    failed = "".join(
        f'<p class="mute">failed: {escape(failure["sentence"])}</p>'
        for failure in document["failures"]
        if failure["workload"] == one["workload"]
    )
    beside = f'<div class="wide">{figures}</div><div class="wide">{plots.strips(one, number)}</div>'
    return card(f'{title}<div class="beside">{beside}</div>{failed}', "card")


def _standing(one: dict, own: bool) -> str:
    cells = (
        _label(one),
        escape(", ".join(one["served"])),
        tables.time_text(one["seconds"]),
        ratio(one["time_to_best"]),
        tables.memory_text(one["peak_kib"]),
        ratio(one["peak_to_best"]),
    )
    return row(cells, own)


# ---- what the words mean


def _reading(document: dict) -> str:
    name = escape(document["subject"]["name"])
    limit = tables.width_text(document["target"])
    content = f"""
<p>In each round every allocator runs once, and each round begins with another one. A round before, which is not kept,
warms up. Each run proves which library served it: a process says where its malloc and free are, and a run on another
library than its row's is a failure. So a program that brings an allocator of its own (Debian's redis-server is linked
with jemalloc) counts only where it did not serve.</p>
<p><b>Best peer</b>: the peer with the lowest median, chosen for each workload and for time and memory apart; never
{name} itself. All allocators are divided by that one figure, so that their means can be held against each other. A
peer comes out below 1 only by noise, for else it would be the best peer itself; {name} can.</p>
<p><b>Intervals</b> come from drawing the rounds anew, 2,000 times, and are meant to hold the figure with 95 %
confidence. With fewer than six rounds they are no more than the smallest and the largest ratio, which hold the median
with 94 % (five rounds), 88 % (four) or 75 % (three). The interval of a mean tells the noise of the measurement, not
how other workloads would come out.</p>
<p><b>Wide</b>: the interval of {name}'s time ÷ the best peer's is wider than {limit}. Such workloads
got more rounds, the widest first, as long as there was time. They count in the means like the others, with the interval
that they have.</p>
"""
    return section("How to read it", "", card(content))
