"""Sixteen published systems as game files: one attack has the law of the reference, and a duel its chances."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import balance
from balance.game import Game
from balance.rulebook.opening import open_file
from tests.rulebook.references.chances import Law
from tests.rulebook.systems import SYSTEMS, TEMPLATES, System, units


def game(name: str) -> Game:
    return open_file(TEMPLATES / f"{name}.toml")


def law_of(name: str, me: str, foe: str) -> Law[tuple[int, ...]]:
    """Return the law of what an attack leaves in the columns of a system, as the game file says it."""
    system, cards = SYSTEMS[name], units(name)
    distribution = balance.load(game(name)).attack(me, foe).distribution
    place = {column: at for at, column in enumerate(distribution.columns)}
    weights = [Fraction(weight.item() if isinstance(weight, np.generic) else weight) for weight in distribution.weights]
    law: Law[tuple[int, ...]] = {}
    for row, weight in zip(distribution.outcomes.tolist(), weights, strict=True):
        after = []
        for column in system.columns:
            owner, _, field = column.partition(".")
            start = (cards[me] if owner == "me" else cards[foe]).get(field, 0)
            change = f"{owner}_{field}" if f"{owner}_{field}" in place else "damage" if owner == "foe" else "loss"
            after.append(start - row[place[change]] if field in cards[me] else start + row[place[change]])
        law[tuple(after)] = law.get(tuple(after), Fraction(0)) + weight / sum(weights)
    return law


CASES = [(name, me, foe) for name in SYSTEMS for me in units(name) for foe in units(name)]


@pytest.mark.parametrize(("name", "me", "foe"), CASES, ids=["-".join(case) for case in CASES])
def test_one_attack(name: str, me: str, foe: str) -> None:
    law, cards = law_of(name, me, foe), units(name)
    reference = SYSTEMS[name].law(cards[me], cards[foe])
    assert {*law} == {*reference}
    assert all(abs(law[after] - chance) <= 1e-12 for after, chance in reference.items())


WITH_DUELS = [(name, system) for name, system in SYSTEMS.items() if system.duel is not None]


@pytest.mark.parametrize(("name", "system"), WITH_DUELS, ids=[name for name, _ in WITH_DUELS])
def test_a_duel(name: str, system: System) -> None:
    cards = units(name)
    first, second, *_ = cards
    begins = {} if name in ("fleet", "sorted-pairs") else {"first": "a"}
    distribution = balance.load(game(name)).duel(first, second, **begins).distribution
    assert system.duel is not None
    reference = system.duel(cards[first], cards[second])
    place = distribution.columns.index("winner")
    total = float(sum(distribution.weights))
    results = {"second": 0.0, "first": 0.0, "draw": 0.0}
    for row, weight in zip(distribution.outcomes.tolist(), distribution.weights, strict=True):
        results[("draw", "first", "second")[row[place]]] += float(weight) / total
    assert results == pytest.approx({"first": 0.0, "second": 0.0, "draw": 0.0, **reference}, abs=1e-10)
