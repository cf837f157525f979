"""Random games: one attack has the very law that the slow interpreter reads in the same text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulebook.asking import law_left
from tests.rulebook.random_games import random_game
from tests.rulebook.references.chances import become
from tests.rulebook.slow.game import SlowGame

COLUMNS = ("foe.life", "foe.marks")


def check(folder: Path, seed: int) -> None:
    path = folder / f"game_{seed}.toml"
    path.write_text(random_game(seed), "utf-8")
    slow = SlowGame.read(path).attack("ant", "bee")
    after = become(slow, lambda values: tuple(dict(values)[column] for column in COLUMNS))
    assert law_left(path, "ant", "bee", COLUMNS) == after, path.read_text("utf-8")


@pytest.mark.parametrize("seed", range(30))
def test_an_attack_of_a_random_game(seed: int, tmp_path: Path) -> None:
    check(tmp_path, seed)


@pytest.mark.slow("test_an_attack_of_a_random_game")
@pytest.mark.parametrize("first", range(30, 1030, 100))
def test_a_thousand_random_games(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 100):
        check(tmp_path, seed)
