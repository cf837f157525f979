"""The tables of BattleLore, its ids, and where every number comes from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import balance
from balance.base.errors import CatalogueError
from balance.catalogue import Catalogue, check_folder, load_catalogue, unsourced_values
from balance.games.battlelore import GAME as BATTLELORE
from balance.games.battlelore.sides import parse_fighter
from balance.games.battlelore.tables import SPEC, Race, Terrain, Unit, Weapon

DATA = Path(__file__).parents[3] / "data" / "battlelore"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)


@pytest.mark.rule("BL-TRP-01", "BL-TRP-03")
def test_units_are_the_rulebooks(catalogue: Catalogue) -> None:
    units = catalogue.entries(Unit)
    told = {unit_id: (u.figures, u.dice, u.battle_move, u.move) for unit_id, u in units.items() if u.kind != "creature"}
    assert told == {
        "green_foot": (4, 2, 2, 2),
        "blue_foot": (4, 3, 1, 2),
        "red_foot": (4, 4, 1, 1),
        "green_mounted": (3, 2, 4, 4),
        "blue_mounted": (3, 3, 3, 3),
        "red_mounted": (3, 4, 2, 2),
    }
    spider = units["giant_spider"]
    assert (spider.colour, spider.figures, spider.dice, spider.move, spider.hexes_per_flag) == ("green", 1, 2, 4, 2)


@pytest.mark.rule("BL-WPN-05", "BL-RNG-05")
def test_weapons_are_the_rulebooks(catalogue: Catalogue) -> None:
    ranges = {weapon_id: weapon.range_hexes for weapon_id, weapon in catalogue.entries(Weapon).items()}
    assert ranges == {"short_sword": 1, "long_sword": 1, "common_bow": 4, "crossbow": 3, "bite": 1}


def test_races_and_terrains(catalogue: Catalogue) -> None:
    goblin = catalogue.entries(Race)["goblin"]
    assert (goblin.hexes_per_flag, goblin.panics, goblin.charge_hexes) == (2, True, 2)
    terrains = catalogue.entries(Terrain)
    assert [t.id for t in terrains.values() if not t.passable] == ["watercourse"]
    assert {t.id for t in terrains.values() if t.blocks_sight} >= {"forest", "hill", "rampart"}
    assert not terrains["ford"].blocks_sight


@pytest.mark.rule("BL-TRP-02")
@pytest.mark.parametrize(
    ("text", "full", "name"),
    [
        ("blue_foot", "blue_foot+short_sword", "Blue foot + Short Sword"),
        ("Red Mounted", "red_mounted+long_sword", "Red mounted + Long Sword"),
        ("goblin_blue_foot", "goblin_blue_foot+short_sword", "Goblinoid Blue foot + Short Sword"),
        ("goblinoid_red_foot+Long Sword", "goblin_red_foot+long_sword", "Goblinoid Red foot + Long Sword"),
        ("human_green_foot+common_bow", "green_foot+common_bow", "Green foot + Common Bow"),
        ("giant_spider+bite", "giant_spider", "Giant Spider"),
        ("Infantry", "blue_foot+short_sword", "Blue foot + Short Sword"),
        ("hobgoblin_archers", "goblin_green_foot+common_bow", "Goblinoid Green foot + Common Bow"),
    ],
)
def test_ids(catalogue: Catalogue, text: str, full: str, name: str) -> None:
    fighter = parse_fighter(catalogue, text)
    assert (fighter.id, fighter.name) == (full, name)


def test_entrants_are_the_compendium_and_each_is_a_banner() -> None:
    game = balance.load(BATTLELORE)
    assert len(game.entrants) == 15
    assert game.label("dwarf_green_foot+crossbow") == "Iron Dwarf Crossbowmen"
    assert game.label("red_foot+crossbow") == "Red foot + Crossbow"
    assert {game.cost_points(entrant) for entrant in game.entrants} == {1}
    assert game.targets[-1] == "giant_spider"


def test_a_side_may_change_race_weapon_and_cards() -> None:
    game = balance.load(BATTLELORE)
    changes = {"attacker.race": "Iron Dwarf", "attacker.weapon": "crossbow", "attacker.dice": 6,
               "attacker.weapon.range": 9, "situation.distance": 9}  # fmt: skip
    inputs = game.attack("blue_foot", "blue_foot", changes).setup.inputs
    assert inputs["attacker"]["id"] == "dwarf_blue_foot+crossbow"
    assert (inputs["n_dice"], inputs["situation"]["adjacent"]) == (6, False)


def test_every_value_has_a_source(catalogue: Catalogue) -> None:
    assert unsourced_values(catalogue) == []
    assert {source.status for source in catalogue.sources} == {"stated", "inferred", "assumed"}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("troops.csv", "human,green_foot,common_bow", "human,green_fot,common_bow", "green_foot"),
        ("units.csv", "2,4,4,2,bite", "2,4,4,2,bit", "bite"),
        ("units.csv", "red,foot,4,4,1,1", "red,foot,4,4,2,1", "at most 1"),
        ("rules.toml", '["G", "B"', '["G", "X"', "faces"),
        ("terrains.csv", "forest,Forest,false,true,true,true,2", "forest,Forest,false,true,true,true,two", "cap_out"),
    ],
)
def test_a_broken_table_is_told(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = tmp_path / "battlelore"
    shutil.copytree(DATA, folder)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    faults = check_folder(SPEC, folder)
    assert any(message in str(fault) for fault in faults)
    with pytest.raises(CatalogueError):
        load_catalogue(SPEC, folder)


def test_a_value_is_only_stated_where_the_text_states_it(catalogue: Catalogue) -> None:
    """Read again in the rulebook: what a silent text lets us conclude is inferred."""
    found = {(source.table, source.id, source.field): source for source in catalogue.sources}
    for field in ("stops", "cap_out", "cap_in", "blocks_sight"):
        assert found["terrains", "secret_passage", field].status == "inferred", field
    for deck in ("in_both", "in_one"):
        assert found["constants", f"war_council.lore_deck.{deck}", "value"].status == "inferred"
    assert found["troops", "dwarf_heavy_swordsmen", "name"].status == "inferred"
    assert found["terrains", "stronghold", "bold_beside"].where == "rulebook l.3540-3548"
    assert found["constants", "board.rows", "value"].where == "rulebook l.3716-3719"
    assert found["units", "green_foot", "colour"].where == "rulebook l.941-948"
    assert found["units", "red_mounted", "colour"].where == "rulebook l.1017-1024"
    for terrain in catalogue.entries(Terrain).values():
        assert terrain.bold or found["terrains", terrain.id, "bold"].status != "stated", terrain.id
