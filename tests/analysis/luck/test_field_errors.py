"""Standard errors of the shares of a simulated field: against shares by many seeds, and against exact ones."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from balance.analysis.luck import field as module
from balance.analysis.luck.field import FieldLuck, check_size, luck_of_field
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.game.question.question import Question

THREE = ["trooper+sidearm", "nexus+shotgun", "aegis+laser_carbine"]
TRIALS, SEEDS = 256, 40


def simulated(seed: int, question: Question) -> tuple[float, float, int]:
    """Return mean and variance of so many duels, drawn from the exact distribution."""
    asked = "/".join((*question.entrants, question.first))
    if asked not in KNOWN:
        KNOWN[asked] = exact(0, question)[0]
    drawn = np.random.default_rng([seed, crc32(asked.encode())]).random(TRIALS) < KNOWN[asked]
    return float(drawn.mean()), float(drawn.var()), TRIALS


exact = module.measure_score
KNOWN: dict[str, float] = {}


@pytest.mark.parametrize(("n", "most"), [(10, 0.75), pytest.param(SEEDS, 0.5, marks=pytest.mark.slow)])
def test_errors_are_how_far_shares_vary_from_seed_to_seed(n: int, most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ratio of 40 draws' spread to the told error: off by more than a half once in 10,000 runs or so, each part.

    Of 10 draws, off by more than three quarters once in 500.
    """
    loaded = load("warforged")
    truth = luck_of_field(Runner(loaded), "duel", THREE)
    assert all(share.is_exact for share in truth.shares.values() if share is not None)
    monkeypatch.setattr(module, "measure_score", simulated)
    monkeypatch.setattr(module, "N_MOVED", 40)  # of which the mean over all seeds is looked at
    found = [luck_of_field(Runner(loaded), "duel", THREE, seed=seed) for seed in range(n)]
    assert {one.n_trials for one in found} == {18 * TRIALS}
    for part in ("entrants", "chance"):
        shares = np.array([share_of(one, part).value for one in found])
        told = np.mean([share_of(one, part).error for one in found])
        assert 1 - most < shares.std(ddof=1) / told < 1 + most
        assert abs(shares.mean() - share_of(truth, part).value) < 5 * told / np.sqrt(n) + 0.01


def share_of(found: FieldLuck, part: str) -> Estimate:
    share = found.shares[part]
    assert share is not None
    return share


def test_scores_of_pairs_are_means_over_who_begins() -> None:
    loaded = load("warforged")
    found = luck_of_field(Runner(loaded), "duel", THREE)
    for (one, other), score in found.scores.items():
        both = [loaded.duel(one, other, first=first).p_win() for first in "ab"]
        assert score == pytest.approx(np.mean([chances["a"] + chances["draw"] / 2 for chances in both]))
    assert len(found.scores) == 9


def test_the_size_of_a_field_counts_seats_and_ways() -> None:
    duel = load("edadh").definition.kinds["duel"]
    ways = [len(names) for names in duel.habits.values()]
    assert check_size(duel, [3, 3]) == 9 * max(1, len(duel.mirrored_orders))
    assert check_size(duel, [3, 3], play=True) == check_size(duel, [3, 3]) * ways[0] * ways[1]
