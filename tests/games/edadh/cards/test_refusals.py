"""What a wrong Unit, and a wrong catalogue, are told: every message in full."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.base.errors import BalanceError, RulesError
from balance.catalogue import check_folder
from balance.catalogue.overrides import field_paths
from balance.games.edadh.cards.armies import Army, Markers, parse_army
from balance.games.edadh.cards.catalogue import SPEC, constants_of, shape_faults
from balance.games.edadh.cards.records import ArmyCard, Troop

GAME = balance.load("edadh")
DATA = Path(__file__).parents[4] / "data" / "edadh"
OWN = "angueth_learning"

TROOPS = "shieldsmen, shieldmaidens, archers, clanmaidens, spears, swords, gunners, blunderbuss"
ARMIES = ("angueth_learning, huaos_dzaa_learning, angueth_terrain, huaos_dzaa_terrain, angueth_warband, "
          "huaos_dzaa_warband")  # fmt: skip
FIELDS = ("name, faction, front, second, third, fourth, movement, terrain, combat_master, standard, battle_master, mp, "
          "damage, shaken, mix")  # fmt: skip
CARDS = "cards in a rank are too many (WE-SETUP.1); allowed: 1 to 3"
RANKS = "ranks are too many (WE-SETUP.1); allowed: 1 to 4"
NUMBER = "is not a number of cards (WE-SETUP.1); allowed: TROOP:1 to 9"
BEHIND = "a card would stand behind nobody (WE-SETUP.1); fill the front first"
FACTION = "is of the other faction (WE-SETUP.2); allowed: angueth; with set=rules.mixed_units=true factions may mix"
STRAY = f"is not a field; allowed: {FIELDS}"
STATS = ", ".join(name for name in field_paths(Troop) if name != "nome")
EXAMPLE = "a troop's value is TROOP.FIELD, such as spears.melee_att"

REFUSED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("archrs", {}, [f"a: 'archrs' is not in armies; allowed: {ARMIES}; did you mean archers?"]),
    ("zzz", {}, [f"a: 'zzz' is not in armies; allowed: {ARMIES}; or write a Unit out: "
                 "shieldsmen:3/shieldmaidens:3"]),
    ("archers:2/archrs:1", {}, [f"a: 'archrs' is not in troops; allowed: {TROOPS}; did you mean archers?"]),
    ("archers:3/", {}, [f"a: '' is not in troops; allowed: {TROOPS}"]),
    ("archers:4", {}, [f"a: '4' {CARDS}"]),
    ("archers:9", {}, [f"a: '9' {CARDS}"]),
    ("archers:2+clanmaidens:2/archers", {}, [f"a: '4' {CARDS}"]),
    ("archers:0", {}, [f"a: 'archers:0' {NUMBER}"]),
    ("archers:10", {}, [f"a: 'archers:10' {NUMBER}"]),
    ("archers:x", {}, [f"a: 'archers:x' {NUMBER}"]),
    ("archers:", {}, [f"a: 'archers:' {NUMBER}"]),
    ("archers:2+archers:-1", {}, [f"a: 'archers:-1' {NUMBER}"]),
    ("archers:" + "1" * 9, {}, [f"a: 'archers:111111111' {NUMBER}"]),
    ("archers:000000002", {}, [f"a: 'archers:000000002' {NUMBER}"]),
    ("archers:1/archers:2", {}, [f"a: '1/2' {BEHIND}"]),
    ("archers:2/archers/archers:2", {}, [f"a: '2/1/2' {BEHIND}"]),
    ("/".join(["archers"] * 5), {}, [f"a: '5' {RANKS}"]),
    ("archers+spears:2", {}, [f"a: 'spears' {FACTION}"]),
    (OWN, {"a.front": "spears,swords,spears"}, [f"set a: 'spears' {FACTION}", f"set a: 'swords' {FACTION}"]),
    (OWN, {"a.front": ""}, ["set a, front: a Unit needs a front rank (WE-SETUP.1)"]),
    (OWN, {"a.second": "", "a.third": "shieldsmen"}, [f"set a: '3/0/1' {BEHIND}"]),
    (OWN, {"a.second": "", "a.fourth": "shieldsmen"}, [f"set a: '3/0/0/1' {BEHIND}"]),
    (OWN, {"a.front": "archers,archers,archers,archers"}, [f"set a: '4' {CARDS}"]),
    (OWN, {"a.front": "archers,knights,archers"}, [f"set a, front: 'knights' is not in troops; allowed: {TROOPS}"]),
    (OWN, {"a.standard": "flag"}, ["set a, standard: 'flag' is not in standards; allowed: banner"]),
    (OWN, {"a.terrain": "swamp", "a.combat_master": "x", "a.battle_master": "y"}, [
        "set a, terrain: 'swamp' is not in terrain; allowed: forest",
        "set a, combat_master: 'x' is not in combat_masters; allowed: champion",
        "set a, battle_master: 'y' is not in battle_masters; allowed: warleader"]),
    (OWN, {"a.mp": 61}, ["set a, mp: '61' never exceeds the cap (WE-SETUP.3); allowed: 1 to 60"]),
    (OWN, {"a.morale": 3}, [f"set a: 'morale' {STRAY}; {EXAMPLE}"]),
    (OWN, {"a.damge": 3, "a.zzzz": 1}, [f"set a: 'damge' {STRAY}; did you mean damage?",
                                        f"set a: 'zzzz' {STRAY}; {EXAMPLE}"]),
    (OWN, {"a.spears.melee.att": 3}, [
        "set a: 'spears' is not a troop of this Unit; allowed: shieldsmen, shieldmaidens"]),
    (OWN, {"a.shieldsmen.melee.atk": 3}, [
        f"set a.shieldsmen: 'melee_atk' is not a field; allowed: {STATS}; "
        "did you mean melee_att?"]),
    (OWN, {"situation.terrain": "swamp"}, ["set situation.terrain: 'swamp' is not in terrain; allowed: forest"]),
]  # fmt: skip


@pytest.mark.parametrize(("one", "changes", "told"), REFUSED)
def test_a_unit_that_is_refused(one: str, changes: dict[str, Any], told: list[str]) -> None:
    with pytest.raises(BalanceError) as caught:
        GAME.ask("duel", one, "huaos_dzaa_learning", changes)
    assert str(caught.value).splitlines() == told


def test_what_is_just_allowed() -> None:
    for text, ranks in (
        ("archers:3/archers:3/archers:3/archers:3", (("archers",) * 3,) * 4),
        ("archers:2+clanmaidens/Shieldsmen", (("archers", "archers", "clanmaidens"), ("shieldsmen",))),
        ("archers", (("archers",),)),
        ("archers:00000002", (("archers",) * 2,)),
    ):
        card = parse_army(GAME.catalogue, text)
        assert (card.ranks, card.id, card.faction, card.movement) == (ranks, "written", "angueth", "melee")
        assert (card.terrain, card.combat_master, card.standard, card.battle_master) == (None,) * 4
    assert GAME.ask("duel", OWN, OWN, {"a.mp": 60, "b.mp": 1}).setup.duel.mp == (60, 1)
    mixed = parse_army(GAME.catalogue, "spears+archers", mixed=True)
    assert (mixed.ranks, mixed.faction) == ((("spears", "archers"),), "huaos_dzaa")
    assert parse_army(GAME.catalogue, "Angueth Learning") is GAME.catalogue.entries(ArmyCard)[OWN]


def test_a_name_is_cut_where_it_is_too_long() -> None:
    """A name has at most 80 characters; a written Unit's says all of it, as far as that goes."""
    text = "/".join(["shieldsmen+shieldmaidens+clanmaidens"] * 3)
    name = parse_army(GAME.catalogue, text).name
    whole = " / ".join(["1 Shieldsmen + 1 ShieldMaidens + 1 ClanMaidens"] * 3)
    assert (name, len(name)) == (whole[:80], 80)


def test_the_columns_of_an_army() -> None:
    card = parse_army(GAME.catalogue, "archers:2+clanmaidens/clanmaidens:2/archers")
    troops = {name: GAME.catalogue.entries(Troop)[name] for name in ("archers", "clanmaidens")}
    assert Army(card, troops, Markers()).columns == ((0, 1, 0), (0, 1), (1,))


def test_a_catalogue_with_smaller_units(tmp_path: Path) -> None:
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    rules = folder / "rules.toml"
    text = rules.read_text("utf-8")
    assert "max_columns = 3" in text and "max_ranks = 4" in text
    rules.write_text(text.replace("max_columns = 3", "max_columns = 2").replace("max_ranks = 4", "max_ranks = 1"))
    small = balance.load("edadh", folder)
    assert (constants_of(small.catalogue).unit.max_columns, constants_of(small.catalogue).unit.max_ranks) == (2, 1)
    assert small.ask("duel", "archers:2", "spears").setup
    with pytest.raises(BalanceError) as caught:
        small.ask("duel", "archers:3/archers", "spears")
    assert str(caught.value).splitlines() == [
        "a: '3' cards in a rank are too many (WE-SETUP.1); allowed: 1 to 2",
        "a: '2' ranks are too many (WE-SETUP.1); allowed: 1 to 1",
    ]


WRONG = [
    ("mastery.csv", "\n7,1,", "\n7,3,", ["mastery.csv, row 2, other_end: '7' is not the other end of this card",
                                       "mastery.csv, row 8, other_end: '3' is not the other end of this card"]),
    ("mastery.csv", "\n12,6,", "\n12,12,", ["mastery.csv, row 7, other_end: '12' is not the other end of this card",
                                          "mastery.csv, row 13, other_end: '12' is not the other end of this card"]),
    ("mastery.csv", "\n12,6,", "\n13,6,", [
        "mastery.csv, row 2, id: the table needs one row per CV; allowed: 1 to 12"]),
    ("armies.csv", "spears;spears;spears", "spears;spears;speers", [
        "armies.csv, row 3, front: 'speers' is not in troops; did you mean spears?"]),
    ("armies.csv", "standard,forest,,,\nhuaos", "standard,wood,champoin,banner2,warleadr\nhuaos", [
        "armies.csv, row 4, terrain: 'wood' is not in terrain",
        "armies.csv, row 4, combat_master: 'champoin' is not in combat_masters; did you mean champion?",
        "armies.csv, row 4, standard: 'banner2' is not in standards; did you mean banner?",
        "armies.csv, row 4, battle_master: 'warleadr' is not in battle_masters; did you mean warleader?"]),
    ("armies.csv", "shieldsmen;shieldsmen;shieldsmen", "", [
        "armies.csv, row 2, front: a Unit needs a front rank (WE-SETUP.1)"]),
    ("armies.csv", "shieldsmen;shieldsmen;shieldsmen", "shieldsmen", [
        "armies.csv, row 2: '1/3' a card would stand behind nobody (WE-SETUP.1); fill the front first"]),
    ("stratagems.csv", ",def,1,", ",def,1,knights", [
        "stratagems.csv, row 2, needs_troop: 'knights' is not in troops"]),
    ("stratagems.csv", ",def,1,", ",def,1,spears", []),
    ("mixes.csv", "High cards,0,0,0,0,0,0,1,1,1,1,1,1", "High cards,0,0,0,0,0,0,0,0,0,0,0,0", [
        "mixes.csv, row 4, cv1: '0' a mix needs a card with a weight above 0"]),
    ("mixes.csv", "High cards,0,0,0,0,0,0,1,1,1,1,1,1", "High cards,0,0,0,0,0,0,0,0,0,0,0,1", []),
    ("players.csv", "Low cards,low", "Low cards,lowest", [
        "players.csv, row 4, cards: 'lowest' is not in mixes; did you mean low?"]),
    ("players.csv", "Low cards,low", "Low cards,zzz", ["players.csv, row 4, cards: 'zzz' is not in mixes"]),
    ("players.csv", "Low cards,low", "Low cards,adaptiv", [
        "players.csv, row 4, cards: 'adaptiv' is not in mixes; did you mean adaptive?"]),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "told"), WRONG)
def test_a_wrong_catalogue(tmp_path: Path, file: str, old: str, new: str, told: list[str]) -> None:
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    assert [str(fault).replace(f"{folder}/", "") for fault in check_folder(SPEC, folder)] == told


def test_the_shapes_of_units() -> None:
    card = GAME.catalogue.entries(ArmyCard)[OWN]

    def told(*sizes: int) -> list[str]:
        ranks = dict(zip(("front", "second", "third", "fourth"), [("spears",) * n for n in sizes], strict=True))
        return [str(fault) for fault in shape_faults(card.model_copy(update=ranks), "here")]

    for sizes in ((3, 0, 0, 0), (3, 3, 3, 3), (2, 1, 1, 0), (1, 1, 1, 1), (5, 0, 0, 0)):
        assert told(*sizes) == []
    assert told(0, 0, 0, 0) == told(0, 2, 0, 0) == ["here, front: a Unit needs a front rank (WE-SETUP.1)"]
    assert told(2, 1, 2, 0) == [f"here: '2/1/2' {BEHIND}"]
    assert told(1, 0, 0, 1) == [f"here: '1/0/0/1' {BEHIND}"]


@pytest.mark.parametrize(
    ("army", "strange", "faction"),
    [("spears/shieldsmen", "shieldsmen", "huaos_dzaa"), ("shieldsmen+spears", "spears", "angueth")],
)
def test_a_written_unit_is_of_the_faction_of_its_first_card(army: str, strange: str, faction: str) -> None:
    """WE-SETUP.2."""
    told = f"a: '{strange}' is of the other faction (WE-SETUP.2); allowed: {faction}; "
    with pytest.raises(RulesError) as found:
        balance.load("edadh").ask("turn", army, "swords")
    assert str(found.value) == f"{told}with set=rules.mixed_units=true factions may mix"
