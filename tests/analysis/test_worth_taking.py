"""Who is never worth taking at equal points: tug of war, where the worth of a body is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from balance.analysis.dominance.worth_taking import witnesses_in
from balance.analysis.prices.answer import LoadoutPrice
from balance.analysis.prices.price_list import price_list
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME, write_catalogue

CYCLE = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


def judged(folder: Path, bodies: list[tuple[str, float, int]], seed: int = 0) -> Mapping[str, LoadoutPrice]:
    game = load(GAME, write_catalogue(folder, bodies, [("rope", 0.0, 100)]))
    return price_list(Runner(game), seed=seed, n_battles=1200).loadouts


def beaten(loadouts: Mapping[str, LoadoutPrice]) -> dict[str, str]:
    return {name: price.dominated_by[0] for name, price in loadouts.items() if price.dominated_by is not None}


@pytest.mark.parametrize("seed", range(3))
def test_of_ten_that_are_fair_by_construction_nobody_is_named(tmp_path: Path, seed: int) -> None:
    """False in fewer than one run of a hundred."""
    bodies = [(f"n{at}", 10.0 + 3 * at, 100 + 30 * at) for at in range(10)]
    assert beaten(judged(tmp_path, bodies, seed)) == {}


@pytest.mark.slow("test_rock_paper_scissors_has_no_loser")
def test_beside_one_that_is_too_cheap_only_what_it_beats_is_named(tmp_path: Path) -> None:
    bodies = [(f"n{at}", 10.0 + 3 * at, 100 + 30 * at) for at in range(9)] + [("bull", 10.0, 300)]
    found = judged(tmp_path, bodies)
    assert "bull+rope" not in beaten(found)
    assert set(beaten(found).values()) == {"bull+rope"}
    assert found["bull+rope"].verdict == "too cheap"


def test_rock_paper_scissors_has_no_loser() -> None:
    assert witnesses_in(CYCLE, np.full((3, 3), 1e-6)) == {}


def test_what_one_opponent_speaks_for_is_not_named_and_noise_names_nobody() -> None:
    grid = np.array([[0.5, 0.8, 0.9, 0.2], [0.2, 0.5, 0.6, 0.6], [0.1, 0.4, 0.5, 0.4], [0.8, 0.4, 0.6, 0.5]])
    assert 1 not in witnesses_in(grid, np.full((4, 4), 1e-6))
    assert witnesses_in(grid, np.full((4, 4), 1e-6))[2][0] in (0, 3)
    assert witnesses_in(grid, np.full((4, 4), 0.2)) == {}
