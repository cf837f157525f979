from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.claims.checking import ALARM_LEVEL, check_duels, measure_check, sample_pairs
from balance.analysis.claims.provenance import provenance_table
from balance.chance.pmf import Pmf
from balance.chance.pmf.agreement import holm
from balance.chance.rolls.streams import stream
from balance.engine.runner import Runner
from balance.game.question.question import Question
from tests.analysis.conftest import MakeCatalogue

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
    return check_duels(Runner(warforged), sample_pairs(FIELD, 16, 0), 2000)


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
    found = check_duels(Runner(warforged), pairs, 2000)
    assert found["p_value"].item() > ALARM_LEVEL > found["adjusted"].item()


def test_the_control_raises_alarms(check: pl.DataFrame) -> None:
    assert (check["adjusted_control"] < ALARM_LEVEL).sum() > 8


def test_equal_distributions_do_not_share_their_dice() -> None:
    pairs = [("trooper+shotgun", "trooper+shotgun"), ("sentinel+shotgun", "trooper+shotgun")]
    found = check_duels(Runner(balance.load("warforged")), pairs, 2000)
    assert found["p_a"].n_unique() == 1
    assert found["wins_a"].n_unique() == 2


def test_two_names_of_one_fighter_do_not_share_their_dice(make_catalogue: MakeCatalogue) -> None:
    folder = make_catalogue({"trooper": {}, "sentinel": {}}, {"shotgun": {}})
    lines = (folder / "units.csv").read_text().splitlines()
    trooper = next(line for line in lines if line.startswith("trooper,"))
    lines.append(trooper.replace("trooper,Trooper,", "clone,Clone,", 1))
    (folder / "units.csv").write_text("\n".join(lines) + "\n")
    pairs = [("trooper+shotgun", "sentinel+shotgun"), ("clone+shotgun", "sentinel+shotgun")]
    found = check_duels(Runner(balance.load("warforged", folder)), pairs, 2000)
    assert found["p_a"].n_unique() == 1
    assert found["wins_a"].n_unique() == 2


def test_every_value_has_a_provenance() -> None:
    table = provenance_table(balance.load("warforged"))
    assert set(table["status"]) <= {"stated", "inferred", "assumed"}


# -- one match-up by hand, and every value of a catalogue --------------------------------------------------------------

PAIR = ("trooper+shotgun", "nexus+shotgun")


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_match_up_is_held_against_its_distribution_and_that_of_the_other_turn_order(first: str) -> None:
    game = balance.load("warforged")
    other = {"a": "b", "b": "a"}[first]
    question = game.duel(*PAIR, ["situation.distance_cells=3"], first)
    swapped = game.duel(*PAIR, ["situation.distance_cells=3"], other)
    sample = question.simulate(512, seed=9, lane="literal")
    found = measure_check(512, 9, question)
    assert found is not None
    won = sample.distribution.marginal("winner")
    agreed = question.distribution.marginal("winner").agreement(won)
    low, high = sample.p_win_interval()["a"]
    assert found == {
        "p_a": question.p_win()["a"],
        "n_trials": 512,
        "wins_a": int(won.weights[won["winner"] == 1].sum()),
        "low": low,
        "high": high,
        "p_value": agreed.p_value,
        "degrees": agreed.degrees,
        "p_columns": question.distribution.agreement(sample.distribution).p_value,
        "p_control": swapped.distribution.marginal("winner").agreement(won).p_value,
    }


def test_both_tests_of_all_match_ups_are_adjusted_together() -> None:
    found = check_duels(Runner(balance.load("warforged")), sample_pairs(FIELD, 4, 1), 256, 2)
    both = holm([*found["p_value"], *found["p_columns"]])
    assert found["adjusted"].to_list() == [min(both[at], both[4 + at]) for at in range(4)]
    assert found["adjusted_control"].to_list() == holm(found["p_control"].to_list())
    assert found.select("a", "b").rows() == sample_pairs(FIELD, 4, 1)
    again = check_duels(Runner(balance.load("warforged")), sample_pairs(FIELD, 4, 1), 256)
    assert again["wins_a"].to_list() != found["wins_a"].to_list()
    assert again.equals(check_duels(Runner(balance.load("warforged")), sample_pairs(FIELD, 4, 1), 256, 0))


def test_match_ups_without_a_distribution_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = vars(Question)["why_no_distribution"].fget
    monkeypatch.setattr(
        Question, "why_no_distribution", property(lambda asked: "too large" if asked.entrants == PAIR else right(asked))
    )
    found = check_duels(Runner(balance.load("warforged")), [PAIR, PAIR[::-1]], 64)
    assert found.select("a", "b").rows() == [PAIR[::-1]]
    none = check_duels(Runner(balance.load("warforged")), [PAIR], 64)
    assert (none.height, none.schema) == (0, found.schema)
    whole = ("n_trials", "wins_a", "degrees")
    assert found.schema == pl.Schema(
        {"a": pl.String, "b": pl.String}
        | {name: pl.Int64 if name in whole else pl.Float64 for name in found.columns[2:]}
    )
    assert " ".join(found.columns) == (
        "a b p_a n_trials wins_a low high p_value degrees p_columns p_control adjusted adjusted_control"
    )


def test_the_rate_of_false_alarms_is_one_in_a_hundred() -> None:
    assert ALARM_LEVEL == 0.01


def test_a_sample_of_pairs_is_the_published_one() -> None:
    """A contract: the match-ups of published cross-checks follow from it."""
    names = list("abcdefgh")
    drawn = sorted(stream(7, "analysis/checking", 0, "match-ups").choice(64, 5, replace=False).tolist())
    assert sample_pairs(names, 5, 7) == [(names[place // 8], names[place % 8]) for place in drawn]
    assert sample_pairs(names, 64, 7) == [(a, b) for a in names for b in names]
