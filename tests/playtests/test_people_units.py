"""Units that win are told apart from players who win: coverage, names, tests of the whole, patches and invariance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from balance.base.arrays import FloatArray
from balance.playtests.games import Games, games_of
from balance.playtests.log.lists import Lists
from balance.playtests.people import units
from balance.playtests.people.answer import ListsAnswer
from balance.playtests.people.score import score_model
from balance.playtests.people.units import unit_effects

N_ARMIES, N_UNITS, N_PLAYERS = 4, 6, 24
SHAPES = np.array([2.0, 2, 2, 1, 0.5, 0.15])
NONE = np.zeros((1, N_ARMIES, N_UNITS))
PLANTED = np.where(np.arange(N_ARMIES * N_UNITS).reshape(NONE.shape) == 1, 1.0, 0.0)
"""One unit of the first army that adds 1 point per 100."""


def a_log(
    number: int, effects: FloatArray, n_events: int = 30, liking: float = 0.0, knows_players: bool = True
) -> tuple[Games, Lists]:
    """Events of 8 of 24 players and 3 rounds; each brings a new list of 2,000 points to each event.

    `effects` are by patch, army and unit; skill has a spread of 3 points, results one of 5 more. Players take more of
    their army's first unit, by `liking`, the more skilled they are.
    """
    rng = np.random.default_rng((68, number))
    army, skill = np.arange(N_PLAYERS) % N_ARMIES, rng.normal(0, 3, N_PLAYERS)
    fields = [rng.choice(N_PLAYERS, 8, replace=False) for _ in range(n_events)]
    side = np.concatenate([rng.permutation(field).reshape(4, 2) for field in fields for _ in range(3)])
    event, patch = np.repeat(np.arange(n_events), 12), np.repeat(np.arange(n_events) * len(effects) // n_events, 12)
    shape = np.tile(SHAPES, (N_PLAYERS, 1))
    shape[:, 0] *= np.exp(liking * skill / 3)
    brought = rng.standard_gamma(np.broadcast_to(shape, (n_events, N_PLAYERS, N_UNITS)))
    brought *= brought > 0.04 * brought.sum(axis=-1, keepdims=True)
    amount = (20 * brought / brought.sum(axis=-1, keepdims=True))[event[:, None], side]
    worth = (amount * effects[patch[:, None], army[side]]).sum(axis=-1)
    margin = (skill[side] + worth) @ [1, -1] + rng.normal(0, 5, len(side))
    first, second = ([f"army {army[player]}" for player in column] for column in side.T)
    players = [(f"player {a:02}", f"player {b:02}") for a, b in side.tolist()] if knows_players else None
    labels = {"event": [f"event {at:02}" for at in event]}
    labels |= {"patch": [f"patch {at}" for at in patch]} if len(effects) > 1 else {}
    points = np.stack([10 + margin, 10 - margin], axis=1).tolist()
    log = games_of(first, second, (np.sign(margin) + 1) / 2, players=players, points=points, labels=labels)
    game, place, unit = np.nonzero(amount)
    each = amount[game, place, unit]
    return log, Lists(game, place, unit, each, 100 * each, tuple(f"unit {at}" for at in range(N_UNITS)))


def rated(log: tuple[Games, Lists]) -> ListsAnswer:
    return unit_effects(*log, score_model(log[0]))[0]


def with_truth(part: ListsAnswer, effects: FloatArray) -> pl.DataFrame:
    """Return the table of units with what is true of each, against its army's mean by usage."""
    table = pl.DataFrame(part.units)
    place = [
        (int(patch[-1:] or 0), int(army[-1]), int(unit[-1]))
        for army, unit, patch in table.select("army", "unit", "patch").rows()
    ]
    table = table.with_columns(
        true=np.array([effects[at] for at in place]), used=pl.col("n_lists") * pl.col("mean_cost")
    )
    mean = (pl.col("true") * pl.col("used")).sum() / pl.col("used").sum()
    return table.with_columns(pl.col("true") - mean.over("army", "patch"))


@pytest.fixture(autouse=True)
def _few_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_N_PERMUTATIONS", 199)


def names_of(part: ListsAnswer) -> list[tuple[str, str]]:
    return [(unit.army, unit.unit) for unit in part.units if unit.verdict in ("stronger", "weaker")]


def names_planted(part: ListsAnswer) -> bool:
    return ("army 0", "unit 1") in names_of(part)


@pytest.mark.parametrize(
    ("n", "low", "high"),
    [(4, 0.86, 1.0), pytest.param(500, 0.93, 0.975, marks=pytest.mark.slow("test_intervals_hold_the_truth"))],
)
def test_intervals_hold_the_truth(n: int, low: float, high: float) -> None:
    """Pooled ones of drawn effects, unpooled ones where one is planted: 4 logs are 3 errors from 86 %."""
    pooled, unpooled, planted = [], [], []
    for number in range(n):
        drawn = np.random.default_rng((69, number)).normal(0, (0.1, 0.2, 0.5)[number % 3], NONE.shape)
        table = with_truth(rated(a_log(number, drawn)), drawn)
        pooled.append(table["true"].is_between(table["low"], table["high"]).to_numpy().mean())
        part = rated(a_log(number, PLANTED))
        table = with_truth(part, PLANTED).drop_nulls("error")
        unpooled.append(((table["unpooled"] - table["true"]).abs() <= 1.96 * table["error"]).to_numpy().mean())
        planted.append(names_planted(part))
    print(f"pooled {np.mean(pooled):.3f}, unpooled {np.mean(unpooled):.3f}, named {np.mean(planted):.3f}")
    assert low <= np.mean(pooled) <= high
    assert low <= np.mean(unpooled) <= high
    assert np.mean(planted) > 0.8, "360 games are more than it takes"


@pytest.mark.parametrize(
    ("n", "most"),
    [(5, 1), pytest.param(200, 10, marks=pytest.mark.slow("test_a_unit_that_strong_players_prefer_is_not_named"))],
)
def test_a_unit_that_strong_players_prefer_is_not_named(n: int, most: int) -> None:
    """At most 5 % of logs, so more than 1 of 5 in 2 %; without players, the negative control, it is named."""
    named = [bool(names_of(rated(a_log(number, NONE, liking=1.5)))) for number in range(n)]
    assert sum(named) <= most, f"{sum(named)} of {n}"
    unknown = rated(a_log(0, NONE, liking=1.5, knows_players=False))
    assert names_of(unknown)
    assert unknown.text.startswith("Lists tell something beyond armies (p = ")


@pytest.mark.slow("test_intervals_hold_the_truth")
def test_a_unit_is_named_in_so_many_games_as_it_says() -> None:
    """Of 100 logs of as many games as are said to name 80 %, 70 to 97 name it: 2.5 standard errors."""
    n_events = round(np.median([rated(a_log(number, NONE, 16)).games_until or 0 for number in range(20)]) / 12)
    named = [names_planted(rated(a_log(number, PLANTED, n_events))) for number in range(100)]
    print(n_events, np.mean(named))
    assert 0.7 <= np.mean(named) <= 0.97


def test_no_effect_is_carried_over_a_patch() -> None:
    """What adds 1 point per 100 before the patch takes 1 after it; each is found on its side."""
    part = rated(a_log(1, np.concatenate([PLANTED, -PLANTED]), n_events=60))
    effects = {u.patch: u.unpooled or 0.0 for u in part.units if (u.army, u.unit) == ("army 0", "unit 1")}
    assert effects["patch 0"] > 0.3
    assert effects["patch 1"] < -0.3


def test_lists_that_tell_nothing_are_not_said_to() -> None:
    part = rated(a_log(2, NONE))
    assert "could not be told from nothing" in part.text
    assert 0 < part.most_share < 0.1
    assert part.gain_low < 0 < (part.games_until or 0)
    assert not names_of(part)


def test_order_names_sides_and_copies_change_nothing() -> None:
    """All rows are swapped, as being listed first is a datum."""
    games, lists = a_log(3, PLANTED)
    part, order = rated((games, lists)), np.random.default_rng(4).permutation(len(games.rows))
    moved = games._swap_sides(np.ones(len(order), np.bool_)).select_rows(order)
    moved = replace(moved, names=tuple(f"nation{name[4:]}" for name in moved.names))
    columns: list[Any] = [np.argsort(order)[lists.game], 1 - lists.side, lists.unit, lists.amount / 2, lists.cost / 2]
    game, side, unit, amount, cost = (np.tile(column, 2) for column in columns)
    other = rated((moved, Lists(game, side, unit, amount, cost, lists.names)))
    numbers = [
        pl.DataFrame(each.units).select(pl.exclude("army", "unit", "patch", "verdict")).to_numpy().astype(float)
        for each in (part, other)
    ]
    assert numbers[1] == pytest.approx(numbers[0], abs=1e-5, nan_ok=True)
    assert [unit.verdict for unit in other.units] == [unit.verdict for unit in part.units]
    whole = [
        (each.p_reml, each.p_permutation, each.gain, each.gain_low, each.gain_high, each.most_share)
        for each in (part, other)
    ]
    assert whole[1] == pytest.approx(whole[0], abs=1e-5)
