"""Conditions that surges bring: had once, and there for what is bought or suffered after them in the same attack."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.games.runewars import GAME

RUNEWARS = balance.load(GAME)


def ends(abilities: str, **defender: Any) -> dict[int, tuple[int, int, int]]:
    """Return hits, mortal strikes and damage by the surges that a blue die shows: 0, 1 (with no hit) or 2."""
    changes = {"attacker.red": 0, "attacker.blue": 1, "attacker.columns": 1, "attacker.surge_abilities": abilities}
    changes |= {f"defender.{name}": value for name, value in defender.items()}
    found = RUNEWARS.ask("attack", "spearmen", "spearmen", changes, attacker_rerolls="none").distribution
    places = [found.columns.index(name) for name in ("surges", "hits", "mortal_strikes", "damage")]
    rows = [[row[place] for place in places] for row in found.outcomes.tolist()]
    # Of two faces with as many surges, the one that brings less: a hit beside the surge does not count here.
    return {surges: min(tuple(row[1:]) for row in rows if row[0] == surges) for surges in (0, 1, 2)}


@pytest.mark.rule("RW-COND.1", "RW-COND.2")
def test_a_condition_is_had_once() -> None:
    """RW-COND.2: of two surges one is left for a hit; a unit that has the condition leaves both."""
    assert {n: end[0] for n, end in ends("blight@1,hits@1").items()} == {0: 0, 1: 0, 2: 1}
    assert {n: end[0] for n, end in ends("blight@1,hits@1", conditions="blight").items()} == {0: 0, 1: 1, 2: 2}
    assert {n: end[0] for n, end in ends("blight@1,blight@1,hits@1").items()} == {0: 0, 1: 0, 2: 1}


@pytest.mark.rule("RW-COND.1", "RW-SURGE.1")
def test_what_asks_for_a_condition_may_follow_what_brings_it() -> None:
    asks = "mortal_strikes@1?blight"
    assert {n: end[1] for n, end in ends(asks).items()} == {0: 0, 1: 0, 2: 0}
    assert {n: end[1] for n, end in ends(f"blight@1,{asks}").items()} == {0: 0, 1: 0, 2: 1}
    assert {n: end[1] for n, end in ends(f"{asks},blight@1").items()} == {0: 0, 1: 0, 2: 0}
    assert {n: end[1] for n, end in ends(asks, conditions="blight").items()} == {0: 0, 1: 1, 2: 2}


@pytest.mark.rule("RW-COND.1", "RW-DMG.1")
def test_a_condition_received_adds_its_damage_at_once() -> None:
    """Surges are spent before hits, so what was received is there when the pool is filled."""
    assert {n: end[2] for n, end in ends("branded@2").items()} == {0: 0, 1: 0, 2: 1}
    assert {n: end[2] for n, end in ends("branded@2", conditions="branded").items()} == {0: 1, 1: 1, 2: 1}
