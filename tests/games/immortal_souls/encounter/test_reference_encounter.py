"""The arrays and the second telling of an encounter are in the same state after every step, on the same answers."""

from __future__ import annotations

import random
from time import perf_counter

import pytest

from balance.core import RandomRolls, simulate
from balance.games.immortal_souls.encounter import hero_turn
from balance.games.immortal_souls.encounter.candidates import hits_added
from balance.games.immortal_souls.encounter.policies import PLAYERS
from tests.games.immortal_souls.encounter.comparing import SOULS, Case, played, random_case

FOUR = "ecarus,thorgar,shae,laegon"


@pytest.mark.parametrize("policy", PLAYERS)
def test_each_policy_plays_the_same(policy: str) -> None:
    assert played(Case(FOUR, "ambush", policy), seed=3, n=8) > 100
    assert played(Case("laegon_archer,auriel_enchantress,shae_assassin", "gorge_troll", policy), seed=4, n=8) > 100


@pytest.mark.parametrize("number", range(16))
def test_any_encounter_plays_the_same(number: int) -> None:
    assert played(random_case(random.Random(number)), seed=number, n=3)


def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hero_turn, "hits_added", lambda *given: hits_added(*given) + 1)
    with pytest.raises(AssertionError):
        played(Case(FOUR, "ambush"), seed=3, n=8)


def test_the_arrays_are_fifteen_times_as_fast() -> None:
    asked = SOULS.ask("encounter", FOUR, "ambush")
    (process,) = asked.kind.processes(asked.setup, "literal")
    simulate(process, RandomRolls(0, "warm", 0, 8))
    began = perf_counter()
    rounds = simulate(process, RandomRolls(0, "arrays", 0, 2048))["rounds"].sum()
    each, seconds = (perf_counter() - began) / rounds, list[float]()
    played(Case(FOUR, "ambush"), seed=5, n=24, seconds=seconds)
    assert sum(seconds) / (len(seconds) / len(process.steps)) > 15 * each
