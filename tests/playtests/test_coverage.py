"""Do 95 % intervals hold the truth in 93 to 97 % of cases? Measured over synthetic logs of every size and spread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context

import numpy as np
import pytest

from balance.playtests.games import Games
from balance.playtests.model.rating import RateSettings, rate
from tests.playtests.logs import SPREADS, Truth, play, true_strengths

SIZES = (10, 20, 40, 80, 160, 320, 500)
Cell = tuple[str, int]
QUICK = RateSettings(oddities=False, cycles=False)


def a_log(number: int, size: int, spread: str) -> tuple[Truth, Games]:
    """A log of 2 to 12 entrants: draws, first movers, evenings of 4 to 12 games with their own form, and players."""
    rng = np.random.default_rng((14, number))
    n = int(rng.integers(2, min(12, size) + 1))
    strengths = true_strengths(rng, spread, n)
    choices = {"first_mover": (0, 0.3, 0.6), "draws": (0, 0.3, 0.8), "form": (0, 0.3, 0.5), "seat": (0, 0.3)}
    some = {name: float(rng.choice(values)) for name, values in choices.items()}
    truth = Truth(strengths, **some, skill=float(rng.choice([0, 0.4])), n_players=int(rng.choice([0, 6])))
    return truth, play(rng, truth, size, int(rng.integers(4, 13)))


def covered(job: tuple[int, int, str]) -> tuple[Cell, list[bool], bool]:
    """Return which strengths their intervals hold, and whether that of the first mover does."""
    truth, games = a_log(*job)
    rated = rate(games, QUICK)
    held = [
        one.rating_low <= true <= one.rating_high
        for one, true in zip(rated.ratings.values(), truth.strengths.tolist(), strict=True)
    ]
    return (job[2], job[1]), held, rated.first_mover.low <= truth.first_mover <= rated.first_mover.high


def jobs(n: int, sizes: tuple[int, ...]) -> list[tuple[int, int, str]]:
    return [(k, sizes[k % len(sizes)], SPREADS[k // len(sizes) % len(SPREADS)]) for k in range(n)]


def gathered(found: Iterable[tuple[Cell, list[bool], bool]]) -> tuple[Mapping[Cell, list[bool]], list[bool]]:
    cells, movers = defaultdict[Cell, list[bool]](list), list[bool]()
    for cell, held, mover in found:
        cells[cell] += held
        movers.append(mover)
    return cells, movers


@pytest.mark.parametrize(
    ("n", "low", "high", "mover"), [(20, 0.9, 1.01, 0.75), pytest.param(70, 0.93, 0.998, 0.9, marks=pytest.mark.slow)]
)
def test_intervals_cover_as_they_say_in_short_form(n: int, low: float, high: float, mover: float) -> None:
    """70 logs of 10 to 80 games, or 20. Bounds: 4 standard errors around the long form's 96.8 %."""
    cells, movers = gathered(map(covered, jobs(n, SIZES[:4])))
    every = [held for cell in cells.values() for held in cell]
    assert low < np.mean(every) < high
    assert np.mean(movers) > mover


def test_intervals_that_know_nothing_of_evenings_cover_too_little() -> None:
    """The negative control: the same check tells when effects that are there are left out."""
    held = []
    for k in range(25):
        rng = np.random.default_rng((15, k))
        truth = Truth(true_strengths(rng, "0.6", 4), form=1.2, seat=0.5)
        games = play(rng, truth, 160, 20)
        rated = rate(games, RateSettings(effects=False, oddities=False, cycles=False))
        held += [
            one.rating_low <= true <= one.rating_high
            for one, true in zip(rated.ratings.values(), truth.strengths, strict=True)
        ]
    assert np.mean(held) < 0.85


@pytest.mark.slow("test_intervals_cover_as_they_say_in_short_form")
def test_intervals_cover_as_they_say_over_2000_logs() -> None:
    """2,000 logs of 10 to 500 games; the table of cells is printed (`-s`)."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        cells, movers = gathered(pool.map(covered, jobs(2000, SIZES), chunksize=20))
    for spread in SPREADS:
        row = [cells[spread, size] for size in SIZES]
        print(f"{spread:8}", *(f"{np.mean(cell):.3f}" for cell in row), f"{np.mean(list(chain(*row))):.3f}")
    by_size = {size: float(np.mean(list(chain(*(cells[spread, size] for spread in SPREADS))))) for size in SIZES}
    every = float(np.mean([held for cell in cells.values() for held in cell]))
    print(
        "by size ", *(f"{value:.3f}" for value in by_size.values()), f"{every:.3f}; first mover {np.mean(movers):.3f}"
    )
    assert 0.93 <= every <= 0.97
    assert 0.93 <= np.mean(movers) <= 0.98
    # A few games cannot tell spreads apart, so what covers strengths that spread by 1 covers those of 0.3 too well:
    # no cell may cover too little. 4 standard errors of a cell's share below 93 %.
    assert all(np.mean(cell) > 0.93 - 4 * (0.07 / len(cell)) ** 0.5 for cell in cells.values())
    # Strengths that are normal, as the model takes them: every size within 93 to 98 %.
    for size in SIZES:
        normal = list(chain(*(cells[spread, size] for spread in ("0.3", "0.6", "1.0"))))
        assert 0.925 < np.mean(normal) < 0.985, size
