"""The law of one column, built without the others, is the margin of the joint law: in every game, for every column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import balance
from balance.base.errors import DistributionError, UsageError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.authoring.conformance import _pairs
from balance.game.kit import once
from balance.game.question.question import Question

SHOT = "nexus+assault_rifle"
EVERYTHING = {
    "attacker.effects": "laser,high_explosive,emp,rapid_fire",
    "attacker.precision": 7,
    "defender.abilities": "supershield,slim",
    "defender.armour": 3,
}
"""Two attacks that can do all an attack does, at a target that can do all a target does."""


def same(narrow: Pmf, joint: Pmf) -> bool:
    """Whether two laws are equal: in integers, or where they were summed as floats to the last digits."""
    if narrow.is_exact or joint.is_exact:
        return narrow == joint
    return np.array_equal(narrow.outcomes, joint.outcomes) and np.allclose(narrow.p, joint.p, rtol=1e-11, atol=1e-18)


def questions(game: str, n_pairs: int) -> Iterator[Question]:
    loaded = balance.load(game)
    for kind in loaded.definition.kinds.values():
        if kind.has_distribution and kind.name not in ("battle", "lineup", "encounter"):
            for one, other in _pairs(loaded, kind, n_pairs):
                yield loaded.ask(kind.name, one, other)


@pytest.mark.parametrize("game", ["battlelore", "edadh", "immortal_souls", "runewars", "warforged"])
def test_each_column_alone_is_the_margin_of_all(game: str) -> None:
    compared = 0
    for question in questions(game, 2):
        if question.why_no_distribution:
            with pytest.raises(DistributionError):
                question.marginal(next(iter(question.kind.columns)))
            continue
        joint = question.distribution
        for name in question.kind.columns:
            asked = replace(question)
            assert same(asked.marginal(name), joint.marginal(name)), f"{question.kind.name} {question.entrants} {name}"
            assert "_distribution" not in asked.__dict__  # the joint law was not built on the way
            compared += 1
    assert compared or game == "edadh"


@pytest.mark.parametrize("rules", [{}, {"rules.laser_self": "yes"}, {"rules.he_hits_primary": "yes"}])
def test_an_attack_that_does_everything(rules: dict[str, str]) -> None:
    """What one column needs of another: burnt armour blocks less, a lost shield stops no second attack."""
    question = balance.load("warforged").attack(SHOT, "trooper", EVERYTHING | rules)
    joint = question.distribution
    assert len(joint) > 50
    names = list(question.kind.columns)
    for columns in [*((name,) for name in names), ("damage", "burn"), tuple(reversed(names))]:
        assert replace(question).marginal(*columns) == joint.marginal(*columns), columns
    other = question.again({**EVERYTHING, "attacker.precision": 6}).marginal("damage")
    assert other != joint.marginal("damage")  # the control: one pip of precision is seen


def test_what_is_known_is_not_built_again() -> None:
    question = balance.load("warforged").attack(SHOT, "trooper")
    assert question.marginal("hit", "damage").columns == ("hit", "damage")
    assert question.distribution.marginal("damage") == question.marginal("damage")


def test_a_column_that_is_none() -> None:
    question = balance.load("warforged").attack(SHOT, "trooper")
    with pytest.raises(UsageError, match="no column 'damge'; columns are hit"):
        question.marginal("damge")
    assert question.distribution.total
    with pytest.raises(UsageError, match="no column 'damge'"):
        question.marginal("damge")


def roll(faces: int, n_more: int, state: State, rolls: Rolls) -> State:
    """Roll dice whose number and faces hang on the card: the same code with other plans."""
    found = rolls.d(faces, 1, "first")[:, 0]
    for place in range(n_more):
        found = found + rolls.count(6, 2, [6], f"more {place}")
    return {"total": state["total"] + found}


@pytest.mark.parametrize("cards", [[(6, 0), (6, 2), (6, 0)], [(6, 1), (4, 1), (8, 1)], [(4, 3), (4, 1), (12, 0)]])
def test_what_a_rule_asked_the_last_time_is_only_a_guess(cards: list[tuple[int, int]]) -> None:
    for faces, n_more in cards:
        process = once({"total": 0}, [partial(roll, faces, n_more)] * 2, ["total"])
        found = exact_distribution(process)
        assert found == exact_distribution(process, each_die=True)
        assert found.total == (faces * 36**n_more) ** 2
