from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import balance
from balance.analysis.scores import duel_matrix, first_mover_advantage
from balance.analysis.tables import (
    attack_table,
    duel_table,
    kill_table,
    pareto_front,
    survival_table,
    sweep_table,
)
from balance.errors import UsageError
from balance.protocol.loaded import LoadedGame
from tests.analysis.conftest import MakeCatalogue

FIELD = ["nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol"]


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


@pytest.fixture(scope="module")
def duels(warforged: LoadedGame) -> pl.DataFrame:
    return duel_table(warforged, FIELD)


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
    swept = sweep_table(warforged, "defender.armour", [1, 6], FIELD[:1], "trooper")
    assert swept["damage"][0] == attack_table(warforged, FIELD[:1], ["trooper"])["damage"].item()
    assert swept["damage"][1] < swept["damage"][0]


def test_kills_agree_with_their_curve(warforged: LoadedGame) -> None:
    kills = kill_table(warforged, FIELD[:1], ["trooper"])
    curve = survival_table(warforged, [(FIELD[0], "trooper")])["p_stands"]
    assert [1 - curve[n] for n in (1, 2, 3)] == pytest.approx(kills.select(pl.col("^p_within.*$")).row(0))
    assert curve.sum() == pytest.approx(kills["mean_actions"].item(), abs=1e-6)


def test_a_shield_that_absorbs_the_first_attack_is_no_harmless_attacker(warforged: LoadedGame) -> None:
    assert kill_table(warforged, ["nexus+shotgun"], ["aegis"])["mean_actions"].item() > 2


def test_an_attacker_that_cannot_hurt_has_no_kills(make_catalogue: MakeCatalogue) -> None:
    folder: Path = make_catalogue({"trooper": {}}, {"sidearm": {"damage": "0"}})
    loaded = balance.load("warforged", folder)
    assert kill_table(loaded)["mean_actions"].to_list() == [None]
    assert set(survival_table(loaded, [("trooper+sidearm", "trooper")])["p_stands"]) == {1.0}


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
