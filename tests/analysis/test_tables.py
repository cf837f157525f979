from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

import balance
from balance import analysis
from balance.analysis.scores.scores import duel_matrix, first_mover_advantage
from balance.analysis.scores.tables import (
    N_TRIALS,
    attack_table,
    duel_table,
    kill_table,
    measure_kill,
    measure_means,
    pareto_front,
    round_floats,
    survival_table,
    sweep_table,
)
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from tests.analysis.conftest import MakeCatalogue
from tests.toy.game import GAME as TOY

FIELD = ["nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol"]


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


@pytest.fixture(scope="module")
def duels(warforged: LoadedGame) -> pl.DataFrame:
    return duel_table(Runner(warforged), FIELD)


def test_every_pair_has_its_row(duels: pl.DataFrame) -> None:
    assert duels.select("a", "b").rows() == [(a, b) for a in FIELD for b in FIELD]


def test_chances_add_up(duels: pl.DataFrame) -> None:
    assert (duels["p_a"] + duels["p_b"] + duels["p_draw"] - 1).abs().max() < 1e-12  # type: ignore[operator]


def test_a_random_first_move_is_symmetric(duels: pl.DataFrame) -> None:
    grid = duel_matrix(duels).drop("entrant").to_numpy()
    assert abs(grid + grid.T - 1).max() < 1e-12


def test_the_matrix_is_what_the_question_says(warforged: LoadedGame, duels: pl.DataFrame) -> None:
    chance = warforged.duel(FIELD[0], FIELD[1], first="random").p_win()
    assert duel_matrix(duels)[FIELD[1]][0] == pytest.approx(chance["a"] + chance["draw"] / 2, abs=1e-12)


def test_the_turn_orders_are_told_apart(duels: pl.DataFrame) -> None:
    first, second = (duel_matrix(duels, first=seat)[FIELD[1]][0] for seat in ("a", "b"))
    row = first_mover_advantage(duels).filter(a=FIELD[0], b=FIELD[1])
    assert row["advantage"].item() == pytest.approx(first - second)
    with pytest.raises(UsageError, match="first must be one of"):
        duel_matrix(duels, first="c")


def test_each_match_up_counts_once(duels: pl.DataFrame) -> None:
    assert first_mover_advantage(duels).height == 6


def test_a_sweep_changes_only_its_field(warforged: LoadedGame) -> None:
    swept = sweep_table(Runner(warforged), "defender.armour", [1, 6], FIELD[:1], "trooper")
    assert swept["damage"][0] == attack_table(Runner(warforged), FIELD[:1], ["trooper"])["damage"].item()
    assert swept["damage"][1] < swept["damage"][0]


def test_kills_agree_with_their_curve(warforged: LoadedGame) -> None:
    kills = kill_table(Runner(warforged), FIELD[:1], ["trooper"])
    curve = survival_table(Runner(warforged), [(FIELD[0], "trooper")])["p_stands"]
    assert [1 - curve[n] for n in (1, 2, 3)] == pytest.approx(kills.select(pl.col("^p_within.*$")).row(0))
    assert curve.sum() == pytest.approx(kills["mean_actions"].item(), abs=1e-6)


def test_a_shield_that_absorbs_the_first_attack_is_no_harmless_attacker(warforged: LoadedGame) -> None:
    assert kill_table(Runner(warforged), ["nexus+shotgun"], ["aegis"])["mean_actions"].item() > 2


def test_an_attacker_that_cannot_hurt_has_no_kills(make_catalogue: MakeCatalogue) -> None:
    folder: Path = make_catalogue({"trooper": {}}, {"sidearm": {"damage": "0"}})
    loaded = balance.load("warforged", folder)
    assert kill_table(Runner(loaded))["mean_actions"].to_list() == [None]
    assert set(survival_table(Runner(loaded), [("trooper+sidearm", "trooper")])["p_stands"]) == {1.0}


@pytest.mark.parametrize(
    ("costs", "gains", "front"),
    [
        ([1, 2, 3], [1, 2, 3], [True, True, True]),
        ([1, 2, 3], [3, 2, 1], [True, False, False]),
        ([1, 1], [2, 2], [True, True]),
        ([1, 1], [2, 3], [False, True]),
        ([], [], []),
    ],
)
def test_the_front_holds_what_nothing_beats(costs: list[float], gains: list[float], front: list[bool]) -> None:
    assert pareto_front(costs, gains) == front


# -- whole rows, and trials where there is no exact distribution -------------------------------------------------------


@pytest.fixture(scope="module")
def toy() -> LoadedGame:
    return balance.load(TOY)


KILLS = [FIELD[0], FIELD[1]]


def test_a_kill_is_read_off_its_distribution_outcome_by_outcome(warforged: LoadedGame) -> None:
    found = kill_table(Runner(warforged), KILLS, ["trooper"])
    for row, one in zip(found.iter_rows(named=True), KILLS, strict=True):
        distribution = warforged.kill(one, "trooper").distribution
        wanted = dict.fromkeys(("mean_actions", "p_within_1", "p_within_2", "p_within_3", "mean_overkill"), 0.0)
        for outcome, p in zip(distribution.outcomes.tolist(), distribution.p.tolist(), strict=True):
            values = dict(zip(distribution.columns, outcome, strict=True))
            wanted["mean_actions"] += p * values["actions"]
            wanted["mean_overkill"] += p * values["overkill"]
            for n in (1, 2, 3):
                wanted[f"p_within_{n}"] += p * (values["actions"] <= n)
        assert row == {"attacker": one, "target": "trooper"} | {name: pytest.approx(v) for name, v in wanted.items()}
    assert found.schema == pl.Schema({"attacker": pl.String, "target": pl.String, **dict.fromkeys(wanted, pl.Float64)})


def test_a_game_that_wastes_nothing_has_no_overkill(toy: LoadedGame) -> None:
    found = measure_kill(toy.duel("rat", "rat", first="a"))
    distribution = toy.duel("rat", "rat", first="a").distribution
    assert found["mean_overkill"] == 0.0
    assert found["mean_actions"] == pytest.approx(distribution.mean("strikes"))
    assert found["p_within_2"] == pytest.approx(float(distribution.p[distribution["strikes"] <= 2].sum()))


def test_columns_that_only_name_something_have_no_mean(toy: LoadedGame) -> None:
    assert list(measure_means(toy.duel("rat", "rat", first="a"))) == ["strikes"]


def test_a_duel_has_rounds_only_where_they_are_counted(toy: LoadedGame, warforged: LoadedGame) -> None:
    assert duel_table(Runner(toy), ["rat"]).columns == ["a", "b", "p_a", "p_b", "p_draw"]
    assert duel_table(Runner(toy), ["rat"], marks=True).columns == ["a", "b", "p_a", "p_b", "p_draw", "mark"]
    assert duel_table(Runner(warforged), FIELD[:1]).columns == ["a", "b", "p_a", "p_b", "p_draw", "mean_rounds"]
    assert duel_table(Runner(toy), []).height == attack_table(Runner(toy), [], []).height == 0


def test_all_meet_all_where_nobody_is_named(toy: LoadedGame) -> None:
    everybody = [(a, b) for a in ("rat", "knight", "ogre") for b in ("rat", "knight", "ogre")]
    assert duel_table(Runner(toy)).select("a", "b").rows() == everybody
    assert attack_table(Runner(toy)).select("attacker", "target").rows() == everybody
    assert attack_table(Runner(toy), ["rat"]).height == attack_table(Runner(toy), None, ["rat"]).height == 3


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let questions about the ogre have no exact distribution, but one of 500 trials."""
    right = Question.known_distribution

    def known(question: Question, *how: int) -> tuple[Pmf, int | None]:
        distribution, _ = right(question, *how)
        return distribution, 500 if "ogre" in question.entrants else None

    monkeypatch.setattr(Question, "known_distribution", known)


@pytest.mark.usefixtures("simulated")
def test_a_table_says_what_was_simulated(toy: LoadedGame) -> None:
    found = duel_table(Runner(toy), ["rat", "ogre"], marks=True)
    assert found.columns == ["a", "b", N_TRIALS, "p_a", "p_b", "p_draw", "mark"]
    assert found[N_TRIALS].to_list() == [None, 500, 500, 500]
    assert found.schema[N_TRIALS] == pl.Int64
    assert N_TRIALS not in duel_table(Runner(toy), ["rat", "knight"]).columns
    attacks = attack_table(Runner(toy), ["rat"], ["rat", "ogre"])
    assert attacks.rows() == [("rat", "rat", None, 0.5), ("rat", "ogre", 500, 0.5)]
    assert measure_kill(toy.duel("rat", "ogre", first="a"))[N_TRIALS] == 500
    turned = duel_table(Runner(toy), ["ogre", "rat"])
    assert turned.columns == ["a", "b", N_TRIALS, "p_a", "p_b", "p_draw"]


def test_a_curve_of_survival_ends_after_twenty_actions(warforged: LoadedGame) -> None:
    distribution = warforged.kill(FIELD[1], "trooper").distribution
    curve = survival_table(Runner(warforged), [(FIELD[1], "trooper")])
    assert curve["actions"].to_list() == list(range(21))
    stands = [
        1 - sum(p for n, p in zip(distribution["actions"], distribution.p, strict=True) if n <= k) for k in range(21)
    ]
    assert curve["p_stands"].to_list() == pytest.approx(stands, abs=1e-12)


def test_who_cannot_hurt_is_survived_for_as_long(make_catalogue: MakeCatalogue) -> None:
    folder = make_catalogue({"trooper": {}}, {"sidearm": {"damage": "0"}, "shotgun": {}})
    loaded = balance.load("warforged", folder)
    found = survival_table(Runner(loaded), [("trooper+sidearm", "trooper"), ("trooper+shotgun", "trooper")])
    assert found.height == 42
    assert found.filter(attacker="trooper+sidearm")["p_stands"].to_list() == [1.0] * 21
    kills = kill_table(Runner(loaded), ["trooper+sidearm", "trooper+shotgun"], ["trooper"])
    assert kills.row(0) == ("trooper+sidearm", "trooper", *[None] * 5)
    assert None not in kills.row(1)


def test_a_sweep_asks_with_every_change_and_each_value(warforged: LoadedGame) -> None:
    cover = ["situation.light_cover=true"]
    found = sweep_table(Runner(warforged), "defender.armour", [1, 6], FIELD[:2], "trooper", cover)
    assert found.select("attacker", "value").rows() == [(one, value) for one in FIELD[:2] for value in ("1", "6")]
    told = [
        warforged.attack(one, "trooper", [*cover, f"defender.armour={value}"]).distribution.mean("damage")
        for one, value in found.select("attacker", "value").rows()
    ]
    assert found["damage"].to_list() == told


def test_no_number_and_no_value_stay_what_they_are() -> None:
    column = round_floats(pl.DataFrame({"x": [math.nan, None, -0.0, -1e-16, -6e-11, -4.4e-12, 1e-13]}))["x"]
    assert math.isnan(column[0]) and column[1] is None
    assert column[2:].to_list() == [0.0, 0.0, -1e-10, -4e-12, 1e-13]
    assert [math.copysign(1.0, x) for x in column[2:4]] == [1.0, 1.0]


def test_last_digits_are_dropped_and_no_others() -> None:
    frame = round_floats(pl.DataFrame({"x": [0.12345678912604, 1.0], "n": [1, 2]}))
    assert frame.rows() == [(0.1234567891, 1), (1.0, 2)]


# -- where names come from ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", analysis.__all__)
def test_a_public_name_is_that_of_its_home(name: str) -> None:
    found = getattr(analysis, name)
    assert found.__name__ == name
    assert found.__module__.startswith(("balance.analysis.", "balance.study."))


def test_other_names_are_told_and_public_ones_listed() -> None:
    with pytest.raises(AttributeError) as told:
        analysis.__getattr__("price_frame")
    assert str(told.value) == "module 'balance.analysis' has no attribute 'price_frame'"
    assert dir(analysis) == sorted(analysis.__all__) == analysis.__all__
