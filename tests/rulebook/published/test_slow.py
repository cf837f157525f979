"""The slow interpreter of game files agrees with the reference of each system, so the files say what they mean."""

from __future__ import annotations

import pytest

from tests.rulebook.published.references.chances import become
from tests.rulebook.published.slow.game import SlowGame
from tests.rulebook.published.systems import SYSTEMS, TEMPLATES, units

PAIRS = {
    "hit-wound-save": ("hunters", "guard"),
    "quality-defence": ("blades", "spears"),
    "dice-against-dice": ("sniper", "hulk"),
    "sorted-pairs": ("line", "levy"),
    "fleet": ("squadron", "armada"),
    "symbol-dice": ("tanks", "guards"),
    "nerve": ("spears", "knights"),
    "pins": ("gun_team", "veterans"),
    "d20": ("rogue", "phantom"),
    "opposed-d20": ("knight", "barbarian"),
    "activation": ("hero", "ogre"),
    "deck": ("gunslinger", "brawler"),
    "block-dice": ("ogre", "dancer"),
    "combat-factors": ("blades", "horde"),
}
"""A quick pair of units of each; percentile and exploding dice fall in too many ways for going through them."""


@pytest.mark.parametrize("name", PAIRS)
def test_one_attack(name: str) -> None:
    system, cards, (me, foe) = SYSTEMS[name], units(name), PAIRS[name]
    law = SlowGame.read(TEMPLATES / f"{name}.toml").attack(me, foe)
    after = become(law, lambda values: tuple(dict(values)[column] for column in system.columns))
    assert after == system.law(cards[me], cards[foe])


@pytest.mark.parametrize("name", ["fleet", "symbol-dice", "activation", "combat-factors"])
def test_a_duel(name: str) -> None:
    system, cards, (first, second) = SYSTEMS[name], units(name), PAIRS[name]
    assert system.duel is not None
    results = SlowGame.read(TEMPLATES / f"{name}.toml").duel(first, second)
    assert results == pytest.approx({"draw": 0.0, **system.duel(cards[first], cards[second])}, abs=1e-12)


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_game_file_can_be_read_aloud(path: object) -> None:
    """At most 40 lines, and three units or more; each has a reference."""
    name = getattr(path, "stem", "")
    assert name in SYSTEMS
    assert len((TEMPLATES / f"{name}.toml").read_text("utf-8").splitlines()) <= 40
    assert len(units(name)) >= 3
