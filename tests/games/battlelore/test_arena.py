"""Units in line that are others in each trial fight as those of a line-up that is asked."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import load

BATTLELORE = load("battlelore")
UNITS = ("green_foot+common_bow", "dwarf_blue_foot+short_sword", "goblin_blue_foot+short_sword", "giant_spider")
N = 20_000


@pytest.mark.parametrize("policy", ["opposite", "focus", "spread"])
def test_units_of_each_trial_fight_as_those_that_are_asked(policy: str) -> None:
    """In half of the trials the sides are swapped; 5 standard errors of the mean of each column, 1 in 10**6."""
    chosen, lines = {"policy_a": policy, "policy_b": policy}, ([0, 1, 1], [2, 3, -1])
    one, other = (np.array(line) for line in lines)
    odd = (np.arange(N) % 2 > 0)[:, None]
    process = BATTLELORE.arena("lineup", UNITS, **chosen).process(np.where(odd, other, one), np.where(odd, one, other))
    found = simulate(process, RandomRolls(0, "arena", 0, N), in_order=True)
    texts = [",".join(UNITS[at] for at in line if at >= 0) for line in lines]
    for start, (first, second) in ((0, texts), (1, texts[::-1])):
        truth = BATTLELORE.ask("lineup", first, second, first="a", policy_a=policy, policy_b=policy).distribution
        p = truth.weights / truth.total
        for at, column in enumerate(truth.columns):
            values = truth.outcomes[:, at]
            mean = float(values @ p)
            error = float((values - mean) ** 2 @ p / (N / 2)) ** 0.5
            assert found[column][start::2].mean() == pytest.approx(mean, abs=5 * error), column


def test_units_that_play_alike_in_line_have_one_mark() -> None:
    marks = dict(zip(BATTLELORE.entrants, BATTLELORE.arena("lineup", BATTLELORE.entrants).marks, strict=True))
    written = BATTLELORE.arena("lineup", ["green_foot", "green_foot+short_sword"]).marks
    assert written[0] == written[1]
    assert marks["blue_foot+short_sword"] != marks["red_foot+short_sword"]
    backwards = BATTLELORE.arena("lineup", BATTLELORE.entrants[::-1]).marks[::-1]
    assert tuple(marks.values()) == tuple(backwards)
