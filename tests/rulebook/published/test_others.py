"""Twelve further systems that no template shows: each can be said, and means what the slow interpreter reads in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulebook.published.asking import law_left, results
from tests.rulebook.published.references.chances import become
from tests.rulebook.published.slow.game import SlowGame

OTHERS = Path(__file__).parent / "others"
PAIRS = {
    "brigades": ("levy", "line"),
    "cars": ("truck", "buggy"),
    "face-to-face": ("line", "elite"),
    "fighters": ("interceptor", "fighter"),
    "gangs": ("heavy", "ganger"),
    "heroes": ("dragon", "samurai"),
    "regiments": ("brutes", "footmen"),
    "retinues": ("riders", "yeomen"),
    "squads": ("guards", "rebels"),
    "walkers": ("medium", "light"),
    "warjacks": ("juggernaut", "lancer"),
    "warriors": ("captain", "orc"),
}


@pytest.mark.parametrize("path", sorted(OTHERS.glob("*.toml")), ids=lambda path: str(path.stem))
def test_one_attack(path: Path) -> None:
    me, foe = PAIRS[path.stem]
    slow = SlowGame.read(path)
    columns = [name for name in slow.data["attack"] if "." in name]
    law = law_left(path, me, foe, columns)
    assert law == become(slow.attack(me, foe), lambda values: tuple(dict(values)[column] for column in columns))


@pytest.mark.parametrize("name", ["cars", "warriors", "heroes"])
def test_a_duel(name: str) -> None:
    path = OTHERS / f"{name}.toml"
    duel = {"draw": 0.0, **SlowGame.read(path).duel(*PAIRS[name])}
    assert results(path, *PAIRS[name]) == pytest.approx(duel, abs=1e-10)
