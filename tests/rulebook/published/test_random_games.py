"""Random games: an attack has the very law that the slow interpreter reads in the same text, and a duel its chances."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulebook.published.asking import law_left, results
from tests.rulebook.published.random_games import random_game
from tests.rulebook.published.references.chances import become
from tests.rulebook.published.slow.game import SlowGame

COLUMNS = ("foe.life", "foe.marks")


def check_attack(folder: Path, seed: int) -> None:
    path = folder / f"game_{seed}.toml"
    path.write_text(random_game(seed), "utf-8")
    slow = SlowGame.read(path).attack("ant", "bee")
    after = become(slow, lambda values: tuple(dict(values)[column] for column in COLUMNS))
    assert law_left(path, "ant", "bee", COLUMNS) == after, path.read_text("utf-8")


def check_duel(folder: Path, seed: int) -> None:
    path = folder / f"duel_{seed}.toml"
    path.write_text(random_game(seed, fights=True), "utf-8")
    slow = {"draw": 0.0, "first": 0.0, "second": 0.0, **SlowGame.read(path).duel("ant", "bee")}
    assert results(path, "ant", "bee") == pytest.approx(slow, abs=1e-10), path.read_text("utf-8")


@pytest.mark.parametrize("seed", range(30))
def test_an_attack_of_a_random_game(seed: int, tmp_path: Path) -> None:
    check_attack(tmp_path, seed)


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_a_duel_of_a_random_game(seed: int, tmp_path: Path) -> None:
    check_duel(tmp_path, seed)


@pytest.mark.slow("test_an_attack_of_a_random_game")
@pytest.mark.parametrize("first", range(0, 10_000, 500))
def test_attacks_of_ten_thousand_random_games(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 500):
        check_attack(tmp_path, seed)


@pytest.mark.slow("test_a_duel_of_a_random_game")
@pytest.mark.parametrize("first", range(0, 100, 20))
def test_duels_of_a_hundred_random_games(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        check_duel(tmp_path, seed)
