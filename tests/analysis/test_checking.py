from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.checking import ALARM_LEVEL, check_duels, sample_pairs
from balance.analysis.provenance import count_assumed, provenance_table
from balance.pmf import Pmf
from balance.pmf.agreement import holm
from balance.protocol.question import Question

FIELD = ("nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol", "spectre+pulse_pistol")


def test_holm_keeps_the_chance_of_any_false_alarm() -> None:
    rng = np.random.default_rng(1)
    alarms = naive = 0
    for _ in range(1000):
        p = rng.random(20).tolist()
        alarms += min(holm(p)) < 0.05
        naive += min(p) < 0.05
    assert alarms / 1000 < 0.07
    assert naive / 1000 > 0.5


def test_holm_is_as_in_the_textbook() -> None:
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert holm([]) == []


def test_pairs_are_drawn_without_replacement_and_by_the_seed() -> None:
    names = [str(n) for n in range(10)]
    pairs = sample_pairs(names, 30, seed=0)
    assert len(set(pairs)) == 30
    assert pairs == sample_pairs(names, 30, seed=0)
    assert pairs != sample_pairs(names, 30, seed=1)
    assert len(sample_pairs(names, 1000, seed=0)) == 100


@pytest.fixture(scope="module")
def check() -> pl.DataFrame:
    warforged = balance.load("warforged")
    return check_duels(warforged, sample_pairs(FIELD, 16, 0), 2000)


def test_simulations_agree_with_exact_distributions(check: pl.DataFrame) -> None:
    assert check["adjusted"].min() >= ALARM_LEVEL  # type: ignore[operator]
    inside = check.select(((pl.col("low") <= pl.col("p_a")) & (pl.col("p_a") <= pl.col("high"))).mean()).item()
    assert inside > 0.75


def test_a_wrong_column_beside_a_right_winner_raises_an_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution whose rounds are one too many and whose winners are right: the rate of false alarms is 1 %."""
    warforged, right = balance.load("warforged"), vars(Question)["distribution"].fget
    pairs = [("trooper+shotgun", "nexus+shotgun")]
    clock = next(column for column in right(warforged.duel(*pairs[0])).columns if column != "winner")

    def later(question: Question) -> Pmf:
        distribution = right(question)
        rows = distribution.outcomes.copy()
        rows[:, distribution.columns.index(clock)] += 1
        return Pmf.from_rows(distribution.columns, rows, distribution.weights)

    monkeypatch.setattr(Question, "distribution", property(later))
    found = check_duels(warforged, pairs, 2000)
    assert found["p_value"].item() > ALARM_LEVEL > found["adjusted"].item()


def test_the_control_raises_alarms(check: pl.DataFrame) -> None:
    assert (check["adjusted_control"] < ALARM_LEVEL).sum() > 8


def test_equal_distributions_do_not_share_their_dice() -> None:
    pairs = [("trooper+shotgun", "trooper+shotgun"), ("sentinel+shotgun", "trooper+shotgun")]
    found = check_duels(balance.load("warforged"), pairs, 2000)
    assert found["p_a"].n_unique() == 1
    assert found["wins_a"].n_unique() == 2


def test_every_value_has_a_provenance() -> None:
    table = provenance_table(balance.load("warforged"))
    assert set(table["status"]) <= {"stated", "inferred", "assumed"}
    cards = count_assumed(pl.DataFrame({"table": ["units", "none"], "card": ["nexus", "gone"]}), table)
    assert cards.select("n_values", "n_assumed").rows() == [(9, 6), (0, 0)]
