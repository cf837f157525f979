"""What attacks of a line-up are reckoned to do, and how policies score them, against numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import balance
from balance.games.warforged.attack import Shot
from balance.games.warforged.lineup.preferences import (
    MOST_RANK,
    MOST_SCORE,
    PREFERENCES,
    Reckoning,
    action_damage,
    threat_score,
)

GAME = balance.load("warforged")


def shot(**changes: Any) -> Shot:
    """Return a Sidearm against a Trooper without armour, with what is set of it."""
    plain = {"attacker.precision": 5, "attacker.damage": 2, "attacker.effects": "", "defender.armour": 0}
    found = GAME.attack("nexus+sidearm", "trooper", {**plain, **changes}).setup.shot
    assert isinstance(found, Shot)
    return found


def test_an_action_is_two_attacks_with_rapid_fire() -> None:
    assert action_damage(shot()) == (0.5, 0.0, 0.5)
    assert action_damage(shot(**{"attacker.effects": "rapid_fire"})) == (0.25, 0.0, 0.5, 0.0, 0.25)


def test_actions_until_it_falls_and_health_taken_are_those_worked_out_by_hand() -> None:
    rapid = shot(**{"attacker.effects": "rapid_fire"})
    found = Reckoning.of([[shot(), shot()], [rapid, rapid]], np.array([3, 2]))
    assert found.actions.shape == (2, 2, 4)
    assert found.actions[0, 0, 1:].tolist() == [2, 2, 4]
    assert found.actions[0, 1, 1:3].tolist() == [2, 2]
    # with Rapid Fire: 3/4 to fall at 2 or less; at 3, 1/4 at once, 1/2 to stand at 1, else as before
    assert found.actions[1, 0, 1:] == pytest.approx([4 / 3, 4 / 3, (1 + 0.5 * 4 / 3) / 0.75])
    assert found.damage[0, 0, 1:].tolist() == [0.5, 1, 1]
    assert found.damage[1, 0, 1:] == pytest.approx([0.75, 1.5, 1.75])
    assert found.share[0, 0, 1:] == pytest.approx([1 / 3, 2 / 3, 1])
    assert found.share[0, 1, 1:3].tolist() == [0.5, 1]
    for part in (found.actions, found.damage, found.share):
        assert np.isnan(part[:, :, 0]).all()
        assert np.isnan(part[:, 1, 3]).all()


def test_who_cannot_hurt_takes_forever() -> None:
    found = Reckoning.of([[shot(**{"attacker.damage": 0})]], np.array([2]))
    assert (found.actions[0, 0, 1:].tolist(), found.damage[0, 0, 1:].tolist()) == ([math.inf] * 2, [0, 0])
    assert PREFERENCES["focus"](found)[0, 0, 1:].tolist() == [MOST_SCORE] * 2
    assert PREFERENCES["least_overkill"](found)[0, 0, 1:].tolist() == [MOST_SCORE] * 2


def reckoning(actions: list[float], taken: list[float], left: list[float]) -> Reckoning:
    return Reckoning(*(np.array([[part]]) for part in (actions, taken, left)))


def test_scores_are_whole_steps_of_a_doubling() -> None:
    found = reckoning([math.nan, 1, 2, 3], [math.nan, 1, 0.5, 4], [math.nan, 1, 1, 1])
    assert PREFERENCES["focus"](found)[0, 0, 1:].tolist() == [0, 4096, round(4096 * math.log2(3))]
    assert PREFERENCES["least_overkill"](found)[0, 0, 1:].tolist() == [0, 4096, -8192]
    assert all(np.isnan(score(found)[0, 0, 0]) for score in PREFERENCES.values())


def test_spread_puts_the_share_left_before_the_actions() -> None:
    found = reckoning([math.nan, 9, 1, 2, 2.0000001], [math.nan] * 5, [math.nan, 1, 0.5, 1, 1])
    scores = PREFERENCES["spread"](found)[0, 0]
    assert scores[1:].tolist() == [2, 3, 1, 1], "whole: the quicker first, to a 4,096th of a doubling; half: last"
    many = Reckoning(*(np.tile(np.arange(1, 3001) / 3000, (1, 1, 1)) for _ in range(3)))
    assert PREFERENCES["spread"](many).max() <= MOST_RANK


def test_a_threat_of_twice_the_damage_weighs_as_much_as_half_the_actions() -> None:
    assert threat_score(np.array([1.0, 2.0, 0.5])).tolist() == [0, 4096, -4096]
    least = threat_score(np.array([0.0]))
    assert least.tolist() == [round(4096 * math.log2(1e-3))]
    assert least.dtype == np.int32
