"""Tug of war by hands: rock pulls `EDGE` times as hard against scissors, scissors against paper, paper against rock.

The last digit of a body's strength is its hand: 0 rock, 1 paper, 2 scissors, any other none; the rest is its strength.
Armies of one body each, alike in strength, then score EDGE^2 / (EDGE^2 + 1) where one hand beats the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from balance.game import Process
from balance.game.armies.armies import Arena, ArmyKind, AskedArena
from tests.tug.game import GAME as TUG
from tests.tug.game import TEAM, process_of

EDGE = 2.0
HANDS = 3


def arena(asked: AskedArena[Any, Any, Any]) -> Arena:
    whole = np.array([team.strength for team in asked.members.values()])
    strength, hand = np.append(whole // 10, 0.0), np.append(whole % 10, 9).astype(int)

    def pull_of(own: Any, other: Any) -> Any:
        """Every unit pulls harder by the share of the others that its hand beats."""
        wins = (hand[own][:, :, None] < HANDS) & ((hand[other][:, None, :] + 1) % HANDS == hand[own][:, :, None])
        there = (other >= 0) & (hand[other] < HANDS)
        share = (wins & there[:, None, :]).sum(axis=2) / np.maximum((other >= 0).sum(axis=1), 1)[:, None]
        return (strength[own] * (1 + (EDGE - 1) * share)).sum(axis=1)

    def met(a: Any, b: Any, limits: Any = None) -> Process:
        pulls = pull_of(a, b), pull_of(b, a)
        return process_of(2.0, lambda rolls, n: {"a": pulls[0], "b": pulls[1], "won": np.zeros(n, np.int16)})

    return Arena(tuple(asked.members), marks=tuple(f"{one:020.6f}" for one in whole.tolist()), process=met)


KIND = ArmyKind(TEAM, arena, scales=lambda catalogue: ((100, 4.0), (200, 8.0)))
GAME = replace(TUG, name="hands", kinds={"lineup": replace(TUG.kinds["lineup"], armies=KIND)})
