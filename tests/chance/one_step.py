"""One step of a game, asked in every way there is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.process import Process, Step
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.tally import count_rows

SEED = 20261122
ONE_IN_A_THOUSAND = 1e-3
"""Tests of samples fail for this share of seeds."""


def once(step: Step, **start: Any) -> Process:
    """Return the process of one step that reports its state."""
    return Process(start, (step,), lambda s: np.ones(len(next(iter(s.values()))), bool), lambda s, steps: s, 1)


def distribution_of(step: Step, **start: Any) -> dict[tuple[int, ...], float]:
    """Return the probability of each outcome of one step, which must come from integer weights."""
    distribution = exact_distribution(once(step, **start))
    assert distribution.is_exact
    return dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True))


def shares(outcomes: list[tuple[int, ...]]) -> Any:
    """Return what a brute-force list of equally likely outcomes expects, within rounding."""
    return pytest.approx({key: n / len(outcomes) for key, n in Counter(outcomes).items()}, rel=1e-12)


def sample_agrees(step: Step, **start: Any) -> float:
    """Return the p-value of a G-test of a simulation against the exact distribution."""
    process = once(step, **start)
    return (
        exact_distribution(process).agreement(count_rows(simulate(process, RandomRolls(SEED, "k", 0, 50_000)))).p_value
    )
