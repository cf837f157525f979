"""The threat token: the rulebook's examples, and all states against plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.games.immortal_souls.encounter.attacks.threat import (
    Threat,
    pass_threat,
    threat_after_provocation,
    threat_after_taunt,
    threat_after_wound,
)
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX, Prey, Scrolls, aim

ECARUS, LAEGON = 0, 1
TROLL = Scrolls.of([[{0, 1}]])


def one(holder: int, level: int = 1) -> Threat:
    """Return the token of one trial."""
    return Threat(np.array([holder], np.int8), np.array([level], np.int8))


def by(hero: int) -> IntArray:
    """Return a hero of one trial."""
    return np.array([hero], np.int8)


def told(threat: Threat) -> list[tuple[int, int]]:
    """Return holder and level of every trial."""
    assert threat.holder.dtype == threat.level.dtype == np.int8
    return list(zip(threat.holder.tolist(), threat.level.tolist(), strict=True))


def hunted(threat: Threat) -> int:
    """Return whom the vindictive troll aims at, with both heroes in its area and Laegon much more wounded."""
    zero, yes = np.zeros((1, 2), np.int8), np.ones((1, 2), bool)
    prey = Prey(zero, yes, yes, yes, np.array([[0, 9]]), zero, zero, zero)
    return int(aim(TROLL, np.array([0]), np.array([0]), prey, np.array([False]), threat.holder).victim[0])


def test_the_troll() -> None:
    """IS-EX-70, IS-MAST.5 to IS-MAST.9, IS-MAST.11: Ecarus provokes, Laegon wounds it twice, Ecarus taunts."""
    states = [threat_after_provocation(one(ECARUS), by(ECARUS))]
    assert hunted(states[0]) == ECARUS
    states.append(threat_after_wound(states[0], by(NO_INDEX)))
    states.append(threat_after_wound(states[1], by(LAEGON)))
    states.append(threat_after_wound(states[2], by(LAEGON)))
    assert hunted(states[3]) == LAEGON
    states.append(threat_after_taunt(states[3], by(NO_INDEX)))
    states.append(threat_after_taunt(states[4], by(ECARUS)))
    assert hunted(states[5]) == ECARUS, "who is picked again, as IS-AI.12 allows"
    assert [told(state) for state in states] == [
        [(ECARUS, 2)],
        [(ECARUS, 2)],
        [(ECARUS, 1)],
        [(LAEGON, 1)],
        [(LAEGON, 1)],
        [(ECARUS, 1)],
    ]


def test_the_target_is_fixed_at_the_start() -> None:
    """IS-EX-71, IS-AI.12: the token passes on while the Master moves, and its victim stays who it was."""
    threat = one(ECARUS)
    victim = hunted(threat)
    after = threat_after_wound(threat, by(LAEGON))
    assert told(after) == [(LAEGON, 1)] and victim == ECARUS and hunted(after) == LAEGON


@pytest.mark.parametrize(
    ("of", "own"),
    [(threat_after_wound, {1: 2, 2: 2}), (threat_after_provocation, {1: 2, 2: 1}), (threat_after_taunt, {1: 1, 2: 1})],
)
def test_every_state(of: object, own: dict[int, int]) -> None:
    """IS-MAST.5 to IS-MAST.9: all holders and levels, and all who may do it."""
    holders, levels, doers = np.array(list(product(range(3), (1, 2), range(-1, 3))), np.int8).T
    assert callable(of)
    expected = []
    for holder, level, doer in product(range(3), (1, 2), range(-1, 3)):
        if doer == NO_INDEX:
            expected.append((holder, level))
        elif doer == holder:
            expected.append((holder, own[level]))
        elif of is threat_after_taunt or level == 1:
            expected.append((doer, 1))
        else:
            expected.append((holder, 1))
    assert told(of(Threat(holders, levels), doers)) == expected


def test_a_holder_who_cannot_be_a_target_hands_it_on() -> None:
    """IS-MAST.10: to the hero whom the player wishes, at level I; if there is none, it stays as it is."""
    heroes = np.array([[False, True, True], [True, True, True], [False, False, False], [False, False, True]])
    before = Threat(np.zeros(4, np.int8), np.full(4, 2, np.int8))
    assert told(pass_threat(before, heroes)) == [(1, 1), (0, 2), (0, 2), (2, 1)]
    wishes = np.array([[0, 5, 3]] * 4)
    assert told(pass_threat(before, heroes, wishes)) == [(2, 1), (0, 2), (0, 2), (2, 1)]


@pytest.mark.parametrize("seed", range(5))
def test_handing_on_as_in_plain_python(seed: int) -> None:
    """IS-MAST.10."""
    rng = np.random.default_rng([51, seed])
    heroes, wishes = rng.random((200, 4)) < 0.5, rng.integers(0, 3, (200, 4))
    before = Threat(rng.integers(0, 4, 200).astype(np.int8), rng.integers(1, 3, 200).astype(np.int8))
    expected = []
    for (holder, level), may, wish in zip(told(before), heroes.tolist(), wishes.tolist(), strict=True):
        others = [hero for hero in range(4) if may[hero]]
        if may[holder] or not others:
            expected.append((holder, level))
        else:
            expected.append((min(others, key=lambda hero: (wish[hero], hero)), 1))
    assert told(pass_threat(before, heroes, wishes)) == expected
