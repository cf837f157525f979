"""Strongholds and secret passages: whom they make bold, and what else they change."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.base.errors import BalanceError
from tests.games.battlelore.asking import BATTLELORE


def combat(one: str, other: str, changes: dict[str, Any] | None = None, **choices: str) -> balance.Question:
    return BATTLELORE.ask("combat", one, other, changes or {}, **choices)


def bold(unit: str, changes: dict[str, Any]) -> int:
    """Return how many flags a defender may ignore."""
    return int(combat("blue_foot", unit, changes).setup.play.clashes[0].encounter.strike.target.bold)


@pytest.mark.rule("BL-LMK-11", "BL-LMK-04", "BL-CRE-06")
def test_a_stronghold_makes_its_owners_units_bold_in_it_and_beside_it() -> None:
    inside, beside = {"situation.target_terrain": "stronghold"}, {"defender.beside": "stronghold"}
    enemys = {"defender.in_enemy_structure": True}
    assert [bold("blue_foot", changes) for changes in (inside, beside, {**inside, **beside})] == [1, 1, 1]
    assert bold("blue_foot", {**inside, **enemys}) == 0, "an enemy in it gets nothing"
    assert bold("blue_foot", {"situation.target_terrain": "landmark", **enemys}) == 1, (
        "any other is for whoever is in it"
    )
    assert bold("dwarf_blue_foot", {**beside, "defender.supported": True}) == 3, "one more reason, as support is"
    assert bold("giant_spider", beside) == 1, "nothing more for a creature"
    plain, helped = (combat("blue_foot", "blue_foot", at).distribution.mean("battle_back") for at in ({}, beside))
    assert helped > plain == 0
    with pytest.raises(BalanceError, match="BL-LMK-11"):
        combat("blue_foot", "blue_foot", {"defender.beside": "rampart"})


@pytest.mark.rule("BL-LMK-11", "BL-POST-08")
def test_a_pursuer_is_not_bold_by_the_structures_of_its_enemy() -> None:
    near = {"defender.beside": "stronghold", "situation.free_hexes": 2}
    clashes = combat("blue_mounted", "blue_foot", near, follow_up="bonus_same").setup.play.clashes
    bolds = {clash.name: clash.encounter.strike.target.bold for clash in clashes}
    assert bolds == {"attack": 1, "battle back": 0, "bonus near": 0, "bonus far": 0}


@pytest.mark.rule("BL-LMK-08", "BL-TER-07")
def test_a_secret_passage_is_as_the_terrain_it_replaces_and_makes_bold() -> None:
    for terrain in ("forest", "hill"):
        passage, plain = ({"situation.target_terrain": where} for where in (f"secret_passage,{terrain}", terrain))
        strikes = [
            combat("red_foot", "blue_foot", at).setup.play.clashes[0].encounter.strike for at in (passage, plain)
        ]
        assert strikes[0].n_dice == strikes[1].n_dice == 2
        assert [strike.target.bold for strike in strikes] == [1, 0]
