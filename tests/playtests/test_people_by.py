"""An army that a map suits is named with its size, none is where there is nothing; skill is that of earlier games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.base.errors import CatalogueError, UsageError
from balance.playtests.games import Games, games_of
from balance.playtests.people.by import BAND, _values, by, read_patches, with_patches
from balance.playtests.people.score import score_model


def played(seed: int, effect: float = 0.0, n: int = 120, chooses: bool = False) -> Games:
    """Return games of 20 players (spread 2.5 points, each mostly with a favourite) in which one map suits one army.

    With `chooses`, strong players take that army on that map.
    """
    rng = np.random.default_rng(seed)
    players = np.array([rng.choice(20, 2, replace=False) for _ in range(n)])
    armies = np.where(rng.random((n, 2)) < 0.6, rng.integers(4, size=20)[players], rng.integers(4, size=(n, 2)))
    maps, skill = rng.integers(3, size=n), (2.5 * rng.standard_normal(20))[players]
    armies[chooses & (skill > 1) & (maps == 1)[:, None]] = 0
    armies[:, 1] = np.where(armies[:, 0] == armies[:, 1], (armies[:, 0] + 1) % 4, armies[:, 1])
    strength = skill + rng.standard_normal(4)[armies]
    strength += effect * ((armies == 0) & (maps == 1)[:, None])
    half = strength[:, 0] - strength[:, 1] + 4 * rng.standard_normal(n)
    army, player = np.char.mod("army%d", armies), np.char.mod("p%d", players)
    months, labels = np.char.mod("2025-%02d", 1 + np.arange(n) * 4 // n), np.char.mod("map%d", maps)
    return games_of(
        army[:, 0].tolist(), army[:, 1].tolist(), ((np.sign(half) + 1) / 2).tolist(),
        players=[(a, b) for a, b in player.tolist()], points=list(zip(10 + half, 10 - half, strict=True)),
        session=(np.arange(n) // 15).astype(str).tolist(),
        labels={"map": labels.tolist(), "month": months.tolist()},
    )  # fmt: skip


def n_naming(n_logs: int) -> int:
    """Return how many of so many logs in which nothing suits any army name one."""
    return sum(any(cell.named for cell in by(score_model(played(seed)), "map")) for seed in range(1000, 1000 + n_logs))


def test_an_army_that_a_map_suits_is_named_with_its_size() -> None:
    """The planted effect less its own share of the map's games, as all are against their mean; within 3 errors."""
    cells = [by(score_model(played(seed, 8.0, 300)), "map") for seed in range(8)]
    suited = [next(cell for cell in log if (cell.army, cell.value) == ("army0", "map1")) for log in cells]
    plays = np.array([sum(cell.n_games for cell in log if cell.value == "map1") for log in cells])
    truth = 8 * (1 - np.array([cell.n_games for cell in suited]) / plays)
    estimates, errors = np.array([(cell.effect.estimate, cell.effect.se) for cell in suited if cell.effect]).T
    assert abs((estimates - truth).mean()) < 3 * np.sqrt((errors**2).sum()) / 8
    assert all(cell.named for cell in suited)
    assert all(0 < cell.shrunk < estimate for cell, estimate in zip(suited, estimates, strict=True))


def test_none_is_named_where_there_is_nothing() -> None:
    """At 5 % more than 3 of 20 logs name one in 1.6 % of cases."""
    assert n_naming(20) <= 3


def test_an_army_that_strong_players_choose_is_only_better_if_nobody_knows_the_players() -> None:
    logs = [played(seed, n=300, chooses=True) for seed in range(8)]
    unknown = [replace(log, players=None, player_names=()) for log in logs]
    known_mean, unknown_mean = (
        np.mean([by(score_model(log), "map")[1].effect.estimate for log in some])  # type: ignore[union-attr]
        for some in (logs, unknown)
    )
    assert abs(known_mean) < 0.5 < 1 < unknown_mean


@pytest.mark.slow("test_none_is_named_where_there_is_nothing")
def test_none_is_named_in_95_of_100_logs_where_there_is_nothing() -> None:
    assert n_naming(200) <= 10


def test_neither_order_nor_sides_change_an_effect() -> None:
    games = played(5, 3.0)
    turned = games.select_rows(np.random.default_rng(1).permutation(len(games.rows)))
    turned = turned._swap_sides(np.ones(len(games.rows), np.bool_))
    for label in ("map", BAND):
        cells = [by(score_model(log), label) for log in (games, turned)]
        one, other = ([(cell.effect.estimate, cell.effect.se) for cell in log if cell.effect] for log in cells)
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_bands_know_only_earlier_months_and_nobody_new() -> None:
    fit = score_model(played(6))
    month = fit.design.games.labels["month"].places
    later = replace(fit.design, y=np.where(month == 3, -fit.design.y, fit.design.y))
    bands, _ = _values(fit, BAND)
    assert np.array_equal(bands, _values(replace(fit, design=later), BAND)[0])
    assert (bands[month == 0] == -1).all()
    assert fit.design.games.players is not None
    players, now = fit.design.games.players, (month == 1)[:, None]
    sums = np.bincount(
        players.ravel(), (fit.design.y * (month == 0))[:, None].ravel().repeat(2) * np.tile([1, -1], len(month))
    )
    assert sums[players][now & (bands == 2)].mean() > sums[players][now & (bands == 0)].mean()


def test_what_was_not_played_elsewhere_or_not_at_all_is_not_measurable() -> None:
    games = played(7)
    own = ((games.side_a == 0) | (games.side_b == 0)) & (games.labels["map"].places != 1)
    cells = {(cell.army, cell.value): cell for cell in by(score_model(games.select_rows(~own)), "map")}
    assert cells["army0", "map1"].n_games > 0 == cells["army0", "map2"].n_games
    assert cells["army0", "map1"].effect is cells["army0", "map2"].effect is None
    assert cells["army1", "map2"].effect is not None
    with pytest.raises(UsageError, match="not told by this log"):
        by(score_model(games), "patch")


def test_patches_are_dated_by_day_or_month(tmp_path: Path) -> None:
    path = tmp_path / "patches.csv"
    path.write_text("patch;from\n1.1;2025-03-10\n1.0;2025-01\n", "utf-8")
    months = ["2024-12", "2025-01", "2025-03", "2025-04", None]
    games = games_of([*"ababa"], [*"babab"], [1] * 5, labels={"month": months})
    label = with_patches(games, read_patches(path)).labels["patch"]
    assert [label.names[place] if place >= 0 else "" for place in label.places] == ["before 1.0", "1.0", "", "1.1", ""]
    for text in ("patch,from\n1.0,spring\n,2025-01\n", "patch\n1.0\n", ""):
        path.write_text(text, "utf-8")
        with pytest.raises(CatalogueError):
            read_patches(path)
