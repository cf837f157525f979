"""Sixteen published systems as game files: one attack has the law of the reference, and a duel its chances."""

from __future__ import annotations

import pytest

from tests.rulebook.published.asking import law_left, results
from tests.rulebook.published.systems import SYSTEMS, TEMPLATES, units

CASES = [(name, me, foe) for name in SYSTEMS for me in units(name) for foe in units(name)]
WITH_DUELS = [name for name, system in SYSTEMS.items() if system.duel is not None]


@pytest.mark.up_to(0.5)
@pytest.mark.parametrize(("name", "me", "foe"), CASES, ids=["-".join(case) for case in CASES])
def test_one_attack(name: str, me: str, foe: str) -> None:
    system, cards = SYSTEMS[name], units(name)
    law = law_left(TEMPLATES / f"{name}.toml", me, foe, system.columns)
    reference = system.law(cards[me], cards[foe])
    assert {*law} == {*reference}
    assert all(abs(law[left] - chance) <= 1e-12 for left, chance in reference.items())


@pytest.mark.up_to(2)
@pytest.mark.parametrize("name", WITH_DUELS)
def test_a_duel(name: str) -> None:
    system, cards = SYSTEMS[name], units(name)
    first, second, *_ = cards
    assert system.duel is not None
    reference = {"draw": 0.0, "first": 0.0, "second": 0.0, **system.duel(cards[first], cards[second])}
    assert results(TEMPLATES / f"{name}.toml", first, second) == pytest.approx(reference, abs=1e-10)
