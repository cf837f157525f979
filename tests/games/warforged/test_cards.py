"""The cards of Warforged and what a unit may carry."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from balance.base.errors import BalanceError, CatalogueError, RulesError, UsageError
from balance.catalogue import Catalogue, load_catalogue
from balance.games.warforged.cards import (
    SPEC,
    Unit,
    Weapon,
    check_legal,
    constants_of,
    legal_loadouts,
    parse_loadout,
    units_of,
    weapons_of,
)
from balance.games.warforged.loadouts import override_loadout

DATA = Path(__file__).parents[3] / "data" / "warforged"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)


def messages(error: pytest.ExceptionInfo[BalanceError]) -> str:
    return "\n".join(fault.message for fault in error.value.faults)


@pytest.mark.rule("WF-UNIT.1")
def test_a_unit_card_tells_what_the_rulebook_states(catalogue: Catalogue) -> None:
    whisper, vanguard = units_of(catalogue)["whisper"], units_of(catalogue)["vanguard"]
    assert (whisper.name, whisper.kind, whisper.armour) == ("Whisper", "Light Drone", 1)
    assert (vanguard.speed_cells, vanguard.abilities) == (4, ("jump",))


@pytest.mark.rule("WF-WPN.1")
def test_a_weapon_card_tells_what_the_rulebook_states(catalogue: Catalogue) -> None:
    rifle = weapons_of(catalogue)["assault_rifle"]
    assert (rifle.precision, rifle.damage, rifle.effects) == (7, 3, ("rapid_fire",))


def test_the_catalogue_is_the_ledgers(catalogue: Catalogue) -> None:
    assert [unit.cost_points for unit in units_of(catalogue).values()] == [24, 14, 22, 42, 26, 12, 30, 16, 50, 28]
    assert sum(weapon.cost_points for weapon in weapons_of(catalogue).values()) == 151


def test_a_loadout_adds_up(catalogue: Catalogue) -> None:
    loadout = parse_loadout(catalogue, "Nexus+Assault Rifle")
    assert (loadout.id, loadout.cost_points) == ("nexus+assault_rifle", 38)
    assert loadout.name == "Nexus + Assault Rifle"
    assert parse_loadout(catalogue, "whisper").weapons == ()


def test_unknown_names_are_all_told_with_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(CatalogueError) as error:
        parse_loadout(catalogue, "nexsus+asault_rifle", "ATTACKER")
    assert [fault.tip for fault in error.value.faults] == ["did you mean nexus?", "did you mean assault_rifle?"]
    assert {fault.path for fault in error.value.faults} == {"ATTACKER"}


@pytest.mark.parametrize("text", ["", "+", "nexus+", "nexus++shotgun"])
def test_an_empty_name_is_unknown(catalogue: Catalogue, text: str) -> None:
    with pytest.raises(CatalogueError):
        parse_loadout(catalogue, text)


@pytest.mark.rule("WF-WPN.2")
def test_heavy_weapons_need_heavy(catalogue: Catalogue) -> None:
    with pytest.raises(RulesError) as error:
        parse_loadout(catalogue, "nexus+rail_lance")
    assert "WF-WPN.2" in messages(error)
    assert parse_loadout(catalogue, "sentinel+rail_lance").weapons[0].weapon_class == "heavy"


@pytest.mark.rule("WF-UNIT.3")
def test_handling_and_number_of_weapons_are_limited(catalogue: Catalogue) -> None:
    with pytest.raises(RulesError, match=r"WF-UNIT\.3"):
        parse_loadout(catalogue, "whisper+assault_rifle")
    unit, sidearm = units_of(catalogue)["bulwark"], weapons_of(catalogue)["sidearm"]
    limits = constants_of(catalogue).limits
    assert check_legal(unit, [sidearm] * 3, limits) == []
    (fault,) = check_legal(unit, [sidearm] * 4, limits)
    assert "WF-UNIT.3" in fault.message
    assert "3" in fault.allowed


@pytest.mark.rule("WF-UNIT.3", "WF-UNIT.4", "WF-ABIL.1")
def test_two_main_weapons_need_heavy(catalogue: Catalogue) -> None:
    fields = {"handling": 9}
    nexus = units_of(catalogue)["nexus"].model_copy(update=fields)
    heavy = nexus.model_copy(update={"abilities": ("heavy",)})
    mains = [weapons_of(catalogue)["shotgun"], weapons_of(catalogue)["assault_rifle"]]
    limits = constants_of(catalogue).limits
    (fault,) = check_legal(nexus, mains, limits)
    assert "WF-UNIT.4" in fault.message
    assert check_legal(heavy, mains, limits) == []


@pytest.mark.rule("WF-BUILD.3")
def test_copies_limit_what_one_unit_can_carry(catalogue: Catalogue) -> None:
    colossus, lance = units_of(catalogue)["colossus"], weapons_of(catalogue)["rail_lance"]
    (fault,) = check_legal(colossus, [lance, lance], constants_of(catalogue).limits)
    assert "WF-BUILD.3" in fault.message


def test_every_broken_rule_is_told(catalogue: Catalogue) -> None:
    with pytest.raises(RulesError) as error:
        parse_loadout(catalogue, "whisper+rail_lance+shotgun+shotgun+shotgun")
    assert len(error.value.faults) == 4


def test_legal_loadouts_are_exactly_those_that_parse(catalogue: Catalogue) -> None:
    ids = [loadout.id for loadout in legal_loadouts(catalogue)]
    tried = [f"{unit}+{weapon}" for unit in units_of(catalogue) for weapon in weapons_of(catalogue)]

    def legal(text: str) -> bool:
        try:
            return bool(parse_loadout(catalogue, text))
        except RulesError:
            return False

    assert ids == [text for text in tried if legal(text)]
    assert len(ids) == 89


def test_two_of_the_same_secondary_are_legal(catalogue: Catalogue) -> None:
    assert "vanguard+smg_pistol+smg_pistol" in {loadout.id for loadout in legal_loadouts(catalogue, 2)}


def test_overrides_reach_the_card_that_has_the_field(catalogue: Catalogue) -> None:
    loadout = parse_loadout(catalogue, "vanguard+smg_pistol+sidearm")
    changed = override_loadout(catalogue, loadout, {"armour": "3", "precision": "9", "weapon2.damage": "4"})
    assert changed.unit.armour == 3
    assert [weapon.precision for weapon in changed.weapons] == [9, 9]
    assert [weapon.damage for weapon in changed.weapons] == [2, 4]


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"handling": "9"}, "write unit.handling or weapon.handling"),
        ({"precison": "9"}, "did you mean precision?"),
        ({"weapon2.damage": "1"}, "not a card of this loadout"),
        ({"weapon.health": "1"}, "is not a field"),
        ({"precision": "11"}, "from 1 to 10"),
        ({"unit.health": "-1"}, "from 1 to 999"),
    ],
)
def test_a_bad_override_says_why(catalogue: Catalogue, fields: dict[str, str], word: str) -> None:
    loadout = parse_loadout(catalogue, "nexus+assault_rifle")
    with pytest.raises(UsageError) as error:
        override_loadout(catalogue, loadout, fields, "§set attacker")
    (fault,) = error.value.faults
    assert word in str(fault)
    assert fault.path == "§set attacker"


@pytest.mark.parametrize(
    ("loadout", "cards"),
    [("vanguard+smg_pistol+sidearm", "unit, weapon, weapon1, weapon2"), ("whisper", "unit")],
)
def test_a_card_that_a_loadout_lacks_is_told_with_those_it_has(catalogue: Catalogue, loadout: str, cards: str) -> None:
    with pytest.raises(UsageError) as error:
        override_loadout(catalogue, parse_loadout(catalogue, loadout), {"sword.damage": "3"})
    assert [fault.allowed for fault in error.value.faults] == [cards]


def test_an_unarmed_unit_needs_no_prefix_and_has_no_weapon(catalogue: Catalogue) -> None:
    whisper = parse_loadout(catalogue, "whisper")
    assert override_loadout(catalogue, whisper, {"handling": "3"}).unit.handling == 3
    with pytest.raises(UsageError, match="is not a field"):
        override_loadout(catalogue, whisper, {"precision": "3"})


@pytest.mark.rule("WF-UNIT.4", "WF-ABIL.1")
def test_a_changed_card_must_still_be_legal(catalogue: Catalogue) -> None:
    loadout = parse_loadout(catalogue, "sentinel+rail_lance")
    with pytest.raises(RulesError, match=r"WF-WPN\.2"):
        override_loadout(catalogue, loadout, {"abilities": ""})


def test_records_refuse_what_files_may_not_hold(catalogue: Catalogue) -> None:
    rifle = weapons_of(catalogue)["assault_rifle"].model_dump()
    with pytest.raises(ValidationError):
        Weapon(**(rifle | {"precision": 11}))
    with pytest.raises(ValidationError):
        Unit(**(units_of(catalogue)["nexus"].model_dump() | {"health": 8.0}))
