"""The means of a board, and the tables, the history and the file made of them."""

import pytest
from made_up_board import FIGURES, LOUD, MadeUpMachine, document, measured

from hakmem_lab import board, history, report, summary, tables
from hakmem_lab.errors import LabError


# ---- the means


def rows_of(result):
    return {row.allocator: row for row in summary.rows(result)}


def test_all_are_divided_by_the_best_peer_of_the_workload():
    rows = rows_of(measured())
    assert rows["hakmem"].time.mean.median == pytest.approx((0.5 * 2 * 1) ** (1 / 3))
    assert rows["fast"].time.mean.median == pytest.approx(1.0)
    assert rows["small"].time.mean.median == pytest.approx((2 * 4 * 3) ** (1 / 3))
    assert rows["hakmem"].peak.mean.median == pytest.approx((0.5 * 2 * 3) ** (1 / 3))
    assert rows["fast"].peak.mean.median == pytest.approx((2 * 2 * 6) ** (1 / 3))
    assert rows["small"].peak.mean.median == pytest.approx(1.0)


def test_means_can_be_held_against_each_other():
    rows = rows_of(measured())
    between = (0.25 * 0.5 * 1 / 3) ** (1 / 3)  # hakmem ÷ small, workload by workload
    assert rows["hakmem"].time.mean.median / rows["small"].time.mean.median == pytest.approx(between)


def test_the_worst_and_the_won_are_named():
    own = rows_of(measured())["hakmem"]
    assert (own.time.worst, own.time.worst_on, own.time.won) == (2.0, "hello", 2)  # churn is a tie
    assert (own.peak.worst, own.peak.worst_on, own.peak.won) == (3.0, "churn", 1)


def test_wide_workloads_are_in_the_means_with_their_intervals():
    steady = rows_of(measured())["hakmem"].time
    own = rows_of(measured(MadeUpMachine(jitter={"hello": LOUD})))["hakmem"].time
    assert own.workloads == 3
    assert own.mean.median == pytest.approx(steady.mean.median)
    assert own.mean.low < 0.95 * steady.mean.low
    assert own.mean.high > 1.05 * steady.mean.high


def test_a_failed_cell_is_counted():
    rows = rows_of(measured(MadeUpMachine(failing={("hello", "small"): 1})))
    assert (rows["small"].failed, rows["small"].time.workloads) == (1, 2)
    assert (rows["hakmem"].failed, rows["hakmem"].time.workloads) == (0, 3)


# ---- tables


def test_matrix_has_a_cell_each_and_names_what_failed():
    failing = {("hello", "small"): 1, ("churn", "hakmem"): 2}
    table = tables.matrix_table(document(MadeUpMachine(failing=failing)))
    assert table.header == ("workload", "hakmem", "fast", "small")
    assert table.rows == [
        ("waves", "0.50 / 0.50", "1.00 / 2.00", "2.00 / 1.00"),
        ("hello", "2.00 / 1.00", "1.00 / 1.00", "failed"),
        ("churn", "failed", "", ""),
    ]


def test_wide_workloads_are_marked_and_counted():
    written = document(MadeUpMachine(jitter={"hello": LOUD}))
    table = tables.matrix_table(written)
    assert [row[0] for row in table.rows] == ["waves", "hello ~", "churn"]
    assert "~ wide" in table.title
    assert "On 1 of the 3 workloads the interval of hakmem's time stayed wider than ± 5 %" in tables.wide_text(written)
    assert "count like the others: hello." in tables.wide_text(written)
    assert tables.wide_text(document()).startswith("On each of the 3 workloads")


def test_readme_block_says_how_it_was_measured_and_has_the_means():
    text = tables.readme_block(document())
    assert "with `./hakmem bench board --quick`" in " ".join(text.split())
    lead, *paragraphs = text.split("\n\n")
    assert " ".join(lead.split()).startswith(
        "Over all 3 workloads, time and peak memory of hakmem are 1.00 and 1.44 times"
    )
    assert max(len(line) for part in paragraphs if not part.startswith("|") for line in part.splitlines()) <= 100
    assert "| hakmem | 1.00 [1.00, 1.00] | 2.00 hello | 2 of 3 | 1.44 [1.44, 1.44] | 3.00 churn | 1 of 3 |" in text
    assert "| fast 1.0 | 1.00 [1.00, 1.00] |" in text


def test_readme_block_names_where_the_subject_loses():
    time, peak = tables.loss_texts(document(MadeUpMachine(jitter={"hello": LOUD})))
    assert time == "Where hakmem loses in time, above 1.05 of the best peer's on 1 of 3 workloads: hello 2.00 (fast) ~."
    assert peak == (
        "Where hakmem loses in peak memory, above 1.10 of the best peer's on 2 of 3 workloads: churn 3.00 (small), "
        "hello 2.00 (small)."
    )
    text = " ".join(tables.readme_block(document()).split())
    assert "on 1 of 3 workloads: hello 2.00 (fast)." in text
    assert peak in text


def test_where_nothing_is_lost_it_says_so(monkeypatch):
    for name in FIGURES:
        monkeypatch.setitem(FIGURES, name, {"hakmem": (1.05, 110), "fast": (1.0, 100), "small": (1.0, 100)})
    time, peak = tables.loss_texts(document())
    assert time == "Where hakmem loses in time, above 1.05 of the best peer's on 0 of 3 workloads."
    assert peak == "Where hakmem loses in peak memory, above 1.10 of the best peer's on 0 of 3 workloads."


# ---- the history


def test_history_keeps_a_line_a_board(tmp_path):
    path = tmp_path / "history.jsonl"
    first, second = document(), {**document(), "commit": "abc1234"}
    history.append(first, path)
    history.append(second, path)
    entries, broken = history.read(path)
    assert broken == 0
    assert [one["commit"] for one in entries] == [first["commit"], "abc1234"]
    assert entries[0]["workloads"]["hello"]["time"]["median"] == 2.0
    assert entries[0]["time"]["mean"] == first["rows"][0]["time"]["mean"]
    assert entries[0]["complete"] is True
    assert entries[0]["workloads"]["hello"]["wide"] is False


def test_a_torn_line_of_the_history_is_left_out(tmp_path):
    path = tmp_path / "history.jsonl"
    history.append(document(), path)
    path.write_text('{"when": "2026-11\n[]\n' + path.read_text())
    entries, broken = history.read(path)
    assert (len(entries), broken) == (1, 2)


def test_only_boards_of_the_same_conditions_are_compared():
    one = history.entry(document())
    changes = ({"quick": False}, {"target": 0.03}, {"peers": {"fast": "1.1"}}, {"machine": {"cores": 64}})
    others = [{**one, **change} for change in (*changes, {"pause": 5.0})]
    older = {key: value for key, value in one.items() if key != "pause"}
    assert history.comparable([*others, older, one], one) == [older, one]


# ---- reading a board again


def test_a_board_is_read_as_it_was_written(tmp_path):
    written = document()
    report.write(written, tmp_path / "board.json")
    assert report.read(tmp_path / "board.json") == written


@pytest.mark.parametrize("text", ["", "[]", '{"rows": []}', "{"])
def test_what_is_no_board_is_refused(tmp_path, text):
    (tmp_path / "board.json").write_text(text)
    with pytest.raises(LabError, match="is no board"):
        report.read(tmp_path / "board.json")
