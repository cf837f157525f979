"""The tables of Immortal Souls: what the rulebook states, and what is told of a broken table."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.catalogue import Catalogue, load_catalogue
from balance.games.immortal_souls.tables import SPEC, Armour, Enemy, Power, Weapon

DATA = Path(__file__).parents[3] / "data" / "immortal_souls"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)


def profile(card: Weapon | Power) -> tuple[int, int, int, tuple[str, ...]]:
    """Return what an attack rolls and what may be bought with it."""
    return card.sure, card.red, card.blue, card.effects


def test_weapons_and_powers_are_the_rulebooks(catalogue: Catalogue) -> None:
    weapons, powers = catalogue.entries(Weapon), catalogue.entries(Power)
    assert profile(weapons["sword_red"]) == (3, 1, 0, ("blind@ABI",))
    assert profile(weapons["knife_red"]) == (2, 0, 0, ("poison1@",))
    assert profile(weapons["magma_staff"]) == (2, 1, 4, ("area0@MAG+MAG", "fire2@MAG"))
    assert profile(powers["thunder_lord_1"]) == (0, 1, 1, ("ko@ABI+MAG",))
    assert profile(powers["call_lightning_3"]) == (1, 2, 2, ("area0@MAG+MAG", "ko@ABI+MAG"))
    assert profile(powers["call_lightning_5"]) == (1, 3, 3, ("area0@MAG+MAG", "ko@ABI+MAG", "lethal3@ABI+ABI"))
    assert [powers[f"call_lightning_{rank}"].cooldown for rank in (3, 5)] == [3, 4]


def test_armour_and_enemies_are_the_rulebooks(catalogue: Catalogue) -> None:
    scale = catalogue.entries(Armour)["scale_armour_forged"]
    assert (scale.armour, scale.shields, scale.defence_dice, scale.defence_effects) == (1, 1, 4, ("reroll@ABI",))
    enemies = catalogue.entries(Enemy)
    orc, shaman, gremlin = enemies["red_orc_warrior"], enemies["green_orc_shaman"], enemies["red_gremlin"]
    assert (orc.armour, orc.shields, orc.defence_dice, orc.modifiers) == (2, 0, 2, ("arcane:+1",))
    assert (shaman.armour, shaman.shields, shaman.defence_dice) == (0, 2, 0)
    assert (gremlin.armour, gremlin.shields) == (1, 0)
    assert enemies["blue_gremlin"].modifiers == ("slashing:-1",)
