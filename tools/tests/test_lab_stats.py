"""Medians, paired ratios and intervals on known data."""

import pytest

from hakmem_lab.stats import Ratio, bootstrap_interval, geometric_mean, paired_ratio


def test_ratio_is_paired_so_that_a_slow_round_cancels_out():
    peer = [1.0, 1.0, 9.0, 1.0, 1.0]
    ratio = paired_ratio([0.5 * seconds for seconds in peer], peer)
    assert (ratio.median, ratio.low, ratio.high) == (0.5, 0.5, 0.5)


def test_median_of_ratios_ignores_one_outlier():
    ratio = paired_ratio([1, 1, 100, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2])
    assert ratio.median == 0.5
    assert ratio.low == 0.5
    assert ratio.high == 0.5


def test_interval_encloses_the_median_and_stays_within_the_data():
    values = [0.90, 0.95, 0.99, 1.00, 1.01, 1.02, 1.04, 1.10]
    low, high = bootstrap_interval(values)
    assert min(values) <= low < 1.005 < high <= max(values)


def test_interval_narrows_with_more_samples():
    few = [0.9, 1.0, 1.1] * 3
    many = [0.9, 0.99, 1.0, 1.0, 1.01, 1.1] * 30
    low_few, high_few = bootstrap_interval(few)
    low_many, high_many = bootstrap_interval(many)
    assert high_many - low_many < high_few - low_few


def test_same_samples_give_the_same_interval():
    values = [1.0, 1.2, 0.8, 1.1, 0.9]
    assert bootstrap_interval(values) == bootstrap_interval(values)


def test_inverse_swaps_the_ends():
    assert Ratio(2.0, 1.0, 4.0).inverse() == Ratio(0.5, 0.25, 1.0)


def test_spread_is_the_farther_end():
    assert Ratio(1.0, 0.98, 1.05).spread() == pytest.approx(0.05)
    assert Ratio(1.0, 0.9, 1.05).spread() == pytest.approx(0.1)


@pytest.mark.parametrize(("left", "right"), [([], []), ([1.0], []), ([1.0, 2.0], [1.0])])
def test_unpaired_samples_are_refused(left, right):
    with pytest.raises(ValueError, match="paired"):
        paired_ratio(left, right)


def test_geometric_mean_of_medians():
    mean = geometric_mean([[2.0, 2.0, 9.0], [0.5, 0.5, 0.5], [8.0, 8.0, 8.0]])
    assert mean.median == pytest.approx(2.0)


def test_interval_of_a_mean_is_that_of_its_only_member_and_narrows_with_more():
    values = [0.9, 0.97, 1.0, 1.02, 1.1]
    alone = geometric_mean([values])
    assert (alone.low, alone.high) == pytest.approx(bootstrap_interval(values))
    many = geometric_mean([values] * 20)
    assert many.high - many.low < (alone.high - alone.low) / 2


def test_values_that_all_agree_leave_no_interval():
    assert geometric_mean([[3.0] * 4]) == Ratio(*[pytest.approx(3.0)] * 3)
