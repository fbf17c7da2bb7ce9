"""The board: its rounds and its failures."""

import pytest
from made_up_board import CALMING, CHOSEN, FIGURES, LOUD, TARGET, MadeUpMachine, document, measured

from hakmem_lab import page
from hakmem_lab.errors import LabError


# ---- rounds within a time

ROUND = 15.5  # seconds of one round of all workloads


def test_all_workloads_get_the_first_rounds_if_there_is_time_and_else_the_fewest():
    def first(seconds):
        machine = MadeUpMachine()
        result = measured(machine, seconds=seconds)
        assert machine.time <= max(seconds, 4 * ROUND)
        return [one.rounds() for one in result.comparisons]

    assert first(6 * ROUND) == [5, 5, 5]
    assert first(5 * ROUND) == [4, 4, 4]
    assert first(1.0) == [3, 3, 3]
    assert first(float("inf")) == [5, 5, 5]


def test_a_workload_that_slows_down_stops_once_it_has_the_fewest_rounds():
    machine = MadeUpMachine(jitter={"waves": [1, 1, 60]})
    result = measured(machine, seconds=90.0)
    assert [one.rounds() for one in result.comparisons] == [3, 3, 3]


def test_the_time_left_that_is_shown_is_the_time_left():
    shown = []
    machine = MadeUpMachine()
    measured(machine, shown=shown)
    warm = [(left, at) for what, left, at in shown if not what.startswith("warm-up")]
    assert warm
    for left, at in warm:
        assert left == pytest.approx(machine.time - at, abs=0.01)
    assert {what for what, _, _ in shown} >= {"warm-up: waves", "waves", "hello", "churn"}
    assert all(left == pytest.approx(1000 - at) for what, left, at in shown if what.startswith("warm-up"))


# ---- more rounds where the interval is wide

def rounds_of(result):
    return {one.workload.name: one.rounds() for one in result.comparisons}


def test_a_noisy_workload_gets_more_rounds_until_its_interval_is_narrow():
    result = measured(MadeUpMachine(jitter={"hello": CALMING}), most=60)
    rounds = rounds_of(result)
    assert (rounds["waves"], rounds["churn"]) == (5, 5)
    assert 5 < rounds["hello"] < 60
    assert result.comparisons[1].time_width() <= TARGET
    assert result.wide() == []


def test_rounds_have_a_bound_and_what_stayed_wide_is_kept():
    result = measured(MadeUpMachine(jitter={"hello": LOUD}), most=12)
    assert rounds_of(result) == {"waves": 5, "hello": 12, "churn": 5}
    assert [one.workload.name for one in result.wide()] == ["hello"]
    assert result.complete()


def test_time_has_a_bound():
    machine = MadeUpMachine(jitter={"hello": LOUD})
    result = measured(machine, most=10**6, seconds=200.0)
    assert 190 < machine.time <= 200 + 3  # a run of hello may come out slower than the one before
    assert rounds_of(result)["hello"] > 10
    assert [one.workload.name for one in result.wide()] == ["hello"]


def test_without_a_time_the_rounds_are_those_given():
    result = measured(MadeUpMachine(jitter={"hello": LOUD}), 7, 7, 7, float("inf"))
    assert set(rounds_of(result).values()) == {7}


def test_the_widest_comes_first():
    machine = MadeUpMachine(jitter={"hello": [1, 1.1, 0.9], "churn": [1, 2.0, 0.5]})
    measured(machine, most=60, seconds=150.0)
    first = len(CHOSEN) * 3 * 6  # runs of the warm-up and of the first five rounds
    assert machine.ran[first][0] == "churn"
    assert {name for name, _ in machine.ran[first:]} == {"churn", "hello"}


def test_every_round_runs_every_allocator_and_begins_with_another_one():
    machine = MadeUpMachine(jitter={"hello": LOUD})
    result = measured(machine, most=12)
    assert {len(standing.samples) for standing in result.comparisons[1].standings()} == {12}
    ran = [name for workload, name in machine.ran if workload == "hello"]
    rounds = [ran[at : at + 3] for at in range(3, len(ran), 3)]
    assert len(rounds) == 12
    assert [one[0] for one in rounds] == ["hakmem", "fast", "small", "small", "hakmem", "fast"] * 2
    assert all(set(one) == {"hakmem", "fast", "small"} for one in rounds)


# ---- failures


def test_a_peer_that_fails_loses_its_cell_and_nothing_else():
    result = measured(MadeUpMachine(failing={("hello", "small"): 3}))
    assert [list(one.peers) for one in result.comparisons] == [["fast", "small"], ["fast"], ["fast", "small"]]
    assert [failure.sentence for failure in result.failures] == ["hello on small failed with signal 11"]
    assert all(one.rounds() == 5 for one in result.comparisons)
    assert not result.complete()


@pytest.mark.parametrize("run", [1, 2, 5, 6])
def test_without_the_subject_a_workload_is_left_out(run):
    machine = MadeUpMachine(failing={("hello", "hakmem"): run})
    result = measured(machine)
    assert [one.workload.name for one in result.comparisons] == ["waves", "churn"]
    assert [(f.workload.name, f.allocator.name) for f in result.failures] == [("hello", "hakmem")]
    assert machine.ran.count(("hello", "hakmem")) == run


def test_a_workload_whose_peers_all_fail_is_left_out():
    result = measured(MadeUpMachine(failing={("hello", "fast"): 1, ("hello", "small"): 1}))
    assert [one.workload.name for one in result.comparisons] == ["waves", "churn"]
    assert len(result.failures) == 2


def test_a_run_that_took_no_time_is_a_failure(monkeypatch):
    monkeypatch.setitem(FIGURES, "hello", {**FIGURES["hello"], "fast": (0.0, 100)})
    result = measured()
    assert [f.sentence for f in result.failures] == ["a run reported 0 s and 100 KiB: both must be above 0"]
    assert list(result.comparisons[1].peers) == ["small"]


class StoppedMachine(MadeUpMachine):
    """The user stops it in a run of this number."""

    def __init__(self, number):
        super().__init__()
        self.number = number

    def sample(self, workload, allocator):
        if len(self.ran) + 1 == self.number:
            raise KeyboardInterrupt
        return super().sample(workload, allocator)


def test_what_had_ended_when_the_user_stops_is_kept():
    result = measured(StoppedMachine(9 + 15 + 3))  # a warm-up of 9, 15 of waves, in the first round of hello
    assert [one.workload.name for one in result.comparisons] == ["waves"]
    assert result.stopped
    assert not result.complete()
    assert "stopped before its end" in page.page(document(StoppedMachine(27)), [])


@pytest.mark.parametrize("number", [5, 14])
def test_a_board_of_which_nothing_had_ended_is_just_stopped(number):
    with pytest.raises(KeyboardInterrupt):
        measured(StoppedMachine(number))


def test_what_is_wrong_use_is_not_taken_for_a_failed_run():
    class Bare(MadeUpMachine):
        def sample(self, workload, allocator):
            raise LabError("the program is missing")

    with pytest.raises(LabError, match="missing"):
        measured(Bare())


def test_a_peer_that_fails_in_a_later_round_loses_its_cell():
    machine = MadeUpMachine(failing={("hello", "small"): 9}, jitter={"hello": LOUD})
    result = measured(machine, most=12)
    assert list(result.comparisons[1].peers) == ["fast"]
    assert rounds_of(result)["hello"] == 12
    assert not result.complete()
