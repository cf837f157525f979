"""What is told of broken tables of Runewars, in full, and how their cells are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from balance.catalogue.tables.cells import BadCell
from balance.catalogue.tables.schema import columns_of, leaf_columns
from balance.games.runewars.cells import (
    Amount,
    AmountText,
    DefenceText,
    DiceText,
    SurgeAbility,
    SurgesText,
    parse_amount,
    parse_surges,
    surge_faults,
)
from balance.games.runewars.tables import SPEC
from tests.games.refusals import changes_in, faults_of_change

DATA = Path(__file__).parents[3] / "data" / "runewars"

BROKEN = changes_in(r"""
faces.csv: red_8,red,hit+surge\n ->
    faces.csv, row 8, die: 'red' is a die with 7 faces; allowed: 8 faces
faces.csv: white_2,white,mortal_strike -> white_2,white,mortal_strik
    faces.csv, row 19, results: 'mortal_strik' shows 'mortal_strik', which is unknown; allowed: blank, or hit, surge,
        accuracy, mortal_strike, morale, joined by +; did you mean mortal_strike?
faces.csv: red_1,red -> red_1,blue
    faces.csv, row 9, die: 'red' is a die with 7 faces; allowed: 8 faces
    faces.csv, row 17, die: 'blue' is a die with 9 faces; allowed: 8 faces
faces.csv: blue_7,blue,hit+accuracy -> blue_7,blue,hit+blank
    faces.csv, row 16, results: 'hit+blank' shows 'blank', which is unknown; allowed: blank, or hit, surge, accuracy,
        mortal_strike, morale, joined by +
runes.csv: natural,stable -> natural,stabel
    runes.csv, row 4, other: 'stabel' shows 'stabel', which is unknown; allowed: blank, or stable, unstable, natural,
        joined by +; did you mean stable?
units.csv: siege,4,2,2,0,0,0,0,0,,,stable -> siege,4,2,2,0,0,0,0,0,,,stabel
    units.csv, row 4, brutal: 'stabel' names an unknown rune; allowed: a number from 0 to 99, stable, unstable, natural,
        or both, such as 1+stable; did you mean stable?
units.csv: 1+stable,3 -> stable,3
    units.csv, row 19, defence: 'stable' is out of range; allowed: a number from 1 to 99, to which stable, unstable,
        natural may be joined by +
units.csv: unstable,,,0 -> 10+unstable,,,0
    units.csv, row 15, ranged_white: '10+unstable' is out of range; allowed: a number from 0 to 9, to which stable,
        unstable, natural may be joined by +
units.csv: 1+stable,3 -> 1-stable,3
    units.csv, row 19, defence: '1-stable' is not an amount; allowed: a number from 0 to 99, stable, unstable, natural,
        or both, such as 1+stable
units.csv: 1+stable,3 -> 100,3
    units.csv, row 19, defence: '100' is not an amount; allowed: a number from 0 to 99, stable, unstable, natural, or
        both, such as 1+stable
units.csv: mortal_strikes@1?blight -> mortal_strikes@1?blihgt
    units.csv, row 10, melee_surges: 'mortal_strikes@1?blihgt' has an unknown condition, blihgt; allowed: blight,
        branded; did you mean blight?
units.csv: hits@2 -> hist@2
    units.csv, row 6, melee_surges: 'hist@2' has an unknown effect, hist; allowed: hits, mortal_strikes, damage,
        accuracy, morale, inspiration, blight, branded; did you mean hits?
units.csv: hits@2 -> hits
    units.csv, row 6, melee_surges: 'hits' holds 'hits', which is not a surge ability; allowed:
        EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+
units.csv: hits@2 -> hits@0
    units.csv, row 6, melee_surges: 'hits@0' holds 'hits@0', which costs or does nothing; allowed: numbers from 1 to 99
units.csv: hits@2 -> hits0@2
    units.csv, row 6, melee_surges: 'hits0@2' holds 'hits0@2', which costs or does nothing; allowed: numbers from 1 to
        99
units.csv: blight@2 -> blight2@2
    units.csv, row 8, ranged_surges: 'blight2@2' has a number for blight, which a unit has once; allowed: blight
units.csv: cavalry,3,1 -> cavlry,3,1
    units.csv, row 9, type: 'cavlry' is not a known choice; allowed: infantry, cavalry, siege, hero; did you mean
        cavalry?
units.csv: doubt;fear -> doubt;feer
    units.csv, row 14, steadfast: 'feer' is not a known choice; allowed: any of doubt, fear, rage; did you mean fear?
formations.csv: spearmen,3,2,40 -> spearmen,0,2,40
    formations.csv, row 4, columns: '0' is out of range; allowed: a whole number from 1 to 9
formations.csv: spearmen,3,2,40 -> spearmen,3,9,40
    formations.csv, row 4, ranks: '9' is out of range; allowed: a whole number from 1 to 4
formations.csv: spearmen,3,2,40 -> spaermen,3,2,40
    formations.csv, row 4, unit: 'spaermen' is not in units; did you mean spearmen?
formations.csv: spearmen,3,2,40 -> spearmen,2,2,40
    formations.csv, row 4: '2x2' is a formation that spearmen has already, spearmen_2x2
formations.csv: kari_wraithstalker_1x1,kari_wraithstalker,1,1,32\n ->
    units.csv, row 12, id: 'kari_wraithstalker' has no formation; add a row for it to formations
upgrades.csv: false,2,1,1 -> false,2,1,0
    upgrades.csv, row 12: has half a figure; allowed: figure_defence, figure_health and figure_slots, or none
upgrades.csv: branded@2 -> brandde@2
    upgrades.csv, row 10, surge_abilities: 'brandde@2' has an unknown effect, brandde; allowed: hits, mortal_strikes,
        damage, accuracy, morale, inspiration, blight, branded; did you mean branded?
upgrades.csv: rotten_edges,Rotten Edges,equipment,waiqar -> rotten_edges,Rotten Edges,equipment,weiqar
    upgrades.csv, row 9, faction: 'weiqar' is not a known choice; allowed: daqan, waiqar, latari, uthuk; did you mean
        waiqar?
conditions.csv: blight,Blight -> hits,Blight
    units.csv, row 10, melee_surges: 'mortal_strikes@1?blight' has an unknown condition, blight; allowed: hits, branded
    units.csv, row 8, ranged_surges: 'blight@2' has an unknown effect, blight; allowed: hits, mortal_strikes, damage,
        accuracy, morale, inspiration, hits, branded
    upgrades.csv, row 9, surge_abilities: 'blight@2' has an unknown effect, blight; allowed: hits, mortal_strikes,
        damage, accuracy, morale, inspiration, hits, branded
    conditions.csv, row 2, id: 'hits' is the name of an effect
dials.csv: 4,true,0,1 -> 0,true,0,1
    dials.csv, row 7, initiative: '0' is out of range; allowed: a whole number from 1 to 20
dials.csv: rune_golems,Melee and -> rune_golem,Melee and
    dials.csv, row 9, unit: 'rune_golem' is not in units; did you mean rune_golems?
morale_cards.csv: doubt,1,4 -> dout,1,4
    morale_cards.csv, row 2, type: 'dout' is not a known choice; allowed: doubt, fear, rage; did you mean doubt?
rules.toml: value = "amended" -> value = "amend"
    rules.toml, row 37, switches.partial_rank_threat.value: 'amend' is not a known choice; allowed: amended, original;
        did you mean amended?
rules.toml: siege = 1 -> siege = 0
    rules.toml, row 53, constants.slots_per_tray.siege: '0' is out of range; allowed: a whole number from 1 to 9
units.csv: hits@2 -> "hits@2,oops"
    units.csv, row 6, melee_surges: 'hits@2,oops' holds 'oops', which is not a surge ability; allowed:
        EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+
faces.csv: red_3,red,hit -> red_3,red,blnak
    faces.csv, row 4, results: 'blnak' shows 'blnak', which is unknown; allowed: blank, or hit, surge, accuracy,
        mortal_strike, morale, joined by +; did you mean blank?
units.csv: hits@2 -> mortal_strikes@2u?brandet
    units.csv, row 6, melee_surges: 'mortal_strikes@2u?brandet' has an unknown condition, brandet; allowed: blight,
        branded; did you mean branded?
upgrades.csv: false,4,2,4 -> false,4,2,10
    upgrades.csv, row 13, figure_slots: '10' is out of range; allowed: a whole number from 0 to 9
upgrades.csv: false,4,2,4 -> false,0,2,4
    upgrades.csv, row 13: has half a figure; allowed: figure_defence, figure_health and figure_slots, or none
formations.csv: spearmen,3,2,40 -> spearmen,10,2,40
    formations.csv, row 4, columns: '10' is out of range; allowed: a whole number from 1 to 9
conditions.csv: true,1 -> true,-1
    conditions.csv, row 3, added_damage: '-1' is out of range; allowed: a whole number from 0 to 99
units.csv: hits@2 -> hits@100
    units.csv, row 6, melee_surges: 'hits@100' holds 'hits@100', which is not a surge ability; allowed:
        EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+
""")

RANGES = """\
units wound_threshold: 1-20 wounds
units melee_red: 0-9 dice
units melee_blue: 0-9 dice
units melee_white: 0-9 dice
units lethal: 0-99 damage
units precise: 0-9 ranks
units protected: 0-99 damage
units mortal_ward: 0-99
units range_bands: 0-5 bands
units initiative: -9-9
units speed_bands: -9-9 bands
formations columns: 1-9 trays
formations ranks: 1-4 ranks
formations cost_points: 0-999 points
upgrades cost_points: 0-999 points
upgrades lethal: 0-99 damage
upgrades brutal: 0-99
upgrades precise: 0-9 ranks
upgrades protected: 0-99 damage
upgrades surge_discount: 0-99 surges
upgrades figure_defence: 0-99 damage
upgrades figure_health: 0-99 wounds
upgrades figure_slots: 0-9
conditions added_damage: 0-99 damage
morale_cards icons: 1-20
morale_cards copies: 0-99 cards
morale_cards wounds: 0-99 wounds
morale_cards panic: 0-99
dials initiative: 1-20
dials add_hits: 0-20
dials add_mortal_strikes: 0-20
dials add_surges: 0-20
dials add_morale: 0-20
dials distance_bands: 0-9 bands
dials turn_degrees: 0-180 degrees
grounds width_mm: 300-9999 mm
grounds depth_mm: 300-9999 mm
terrain x_mm: -9999-9999 mm
terrain y_mm: -9999-9999 mm
terrain width_mm: 1-9999 mm
terrain depth_mm: 1-9999 mm
terrain heading_degrees: 0-359 degrees
constants slots_per_tray.infantry: 1-9 figures
constants slots_per_tray.cavalry: 1-9 figures
constants slots_per_tray.siege: 1-9 figures
constants slots_per_tray.hero: 1-9 figures
constants most_ranks: 1-9 ranks
constants army_points: 0-9999 points
constants lengths.tray_mm: 10-200 mm
constants lengths.band_mm: 10-500 mm
constants lengths.edge_gap_mm: 0-999 mm
"""
"""What numbers may be, and their units."""


def test_numbers_have_ranges_and_every_column_a_description() -> None:
    tables = {table.name: leaf_columns(table.record) for table in SPEC.tables} | {
        "constants": leaf_columns(SPEC.constants)
    }
    columns = [(table, name, column) for table, own in tables.items() for name, column in own.items()]
    assert [(table, name) for table, name, column in columns if not column.description] == []
    told = [
        f"{table} {name}: {column.low:g}-{column.high:g} {column.unit}".strip()
        for table, name, column in columns
        if column.kind == "integer" and column.low is not None and column.high is not None
    ]
    assert told == RANGES.splitlines()
    assert len(told) == sum(column.kind == "integer" for _, _, column in columns)


def test_words_of_cells_are_those_of_the_rules() -> None:
    choices = {
        f"{table.name} {column.name}": " ".join(column.choices)
        for table in SPEC.tables
        for column in columns_of(table.record)
        if column.choices
    }
    factions, morale = "daqan waiqar latari uthuk", "doubt fear rage"
    assert choices == {
        "faces die": "red blue white",
        "units faction": factions,
        "units type": "infantry cavalry siege hero",
        "units steadfast": morale,
        "upgrades slot": "artifact champion equipment heavy heraldry music training unique",
        "upgrades faction": factions,
        "morale_cards type": morale,
        "dials action": "melee shoot march shift reform rally",
        "terrain kind": "obstacle blocking opening elevated agony unit_a unit_b",
    }


@pytest.mark.parametrize(("file", "old", "new", "told"), BROKEN)
def test_what_is_wrong_is_told_by_file_row_and_field(
    tmp_path: Path, file: str, old: str, new: str, told: list[str]
) -> None:
    assert faults_of_change(SPEC, DATA, tmp_path / "runewars", file, old, new) == told


@pytest.mark.parametrize(
    ("text", "number", "rune", "written"),
    [
        ("0", 0, "", "0"),
        ("99", 99, "", "99"),
        (" 07 ", 7, "", "7"),
        ("stable", 0, "stable", "stable"),
        ("0+natural", 0, "natural", "natural"),
        ("1 +  Stable ", 1, "stable", "1+stable"),
        ("12+unstable", 12, "unstable", "12+unstable"),
    ],
)
def test_amounts_are_read_and_written_in_one_way(text: str, number: int, rune: str, written: str) -> None:
    assert parse_amount(text) == Amount(number, rune)
    assert str(parse_amount(text)) == written
    assert parse_amount(written) == Amount(number, rune)


@pytest.mark.parametrize(
    ("text", "message", "tip"),
    [
        ("", "is not an amount", ""),
        ("-1", "is not an amount", ""),
        ("100", "is not an amount", ""),
        ("100+stable", "is not an amount", ""),
        ("1.5", "is not an amount", ""),
        ("1+2", "is not an amount", ""),
        ("stable+1", "is not an amount", ""),
        ("1+stable+natural", "is not an amount", ""),
        ("_", "names an unknown rune", ""),
        ("1+unstabel", "names an unknown rune", "did you mean unstable?"),
        ("fire", "names an unknown rune", ""),
    ],
)
def test_what_is_no_amount_is_refused(text: str, message: str, tip: str) -> None:
    with pytest.raises(BadCell) as caught:
        parse_amount(text)
    allowed = "a number from 0 to 99, stable, unstable, natural, or both, such as 1+stable"
    assert (caught.value.message, caught.value.tip, caught.value.allowed) == (message, tip, allowed)


def test_surge_abilities_are_read_in_the_order_listed() -> None:
    text = "hits@2, Mortal Strikes 3 @ 12U; damage2@1+|inspiration@1u+,branded@3?Blight,none_such@1"
    assert parse_surges(text) == (
        SurgeAbility("hits", 1, 2),
        SurgeAbility("mortal_strikes", 3, 12, unique=True),
        SurgeAbility("damage", 2, 1, unique=True, plus=True),
        SurgeAbility("inspiration", 1, 1, unique=True, plus=True),
        SurgeAbility("branded", 1, 3, condition="blight"),
        SurgeAbility("none_such", 1, 1),
    )
    written = ["hits@2", "mortal_strikes3@12u", "damage2@1+", "inspiration@1+", "branded@3?blight", "none_such@1"]
    assert [str(one) for one in parse_surges(text)] == written
    assert parse_surges(",".join(written)) == parse_surges(text)
    assert [parse_surges(nothing) for nothing in (None, "", "none", " None ", ",")] == [()] * 5


def test_what_a_discount_leaves() -> None:
    (unique,) = parse_surges("hits@3u")
    assert [str(unique.cheaper(off)) for off in range(5)] == ["hits@3u", "hits@2u", "hits@1u", "hits@1u", "hits@1u"]


@pytest.mark.parametrize(
    "text", ["hits", "hits@", "@2", "2@2", "hits@2x", "hits@2?", "hits@2?-", "hits@2u2", "hits@-1"]
)
def test_what_is_no_surge_ability_is_refused(text: str) -> None:
    with pytest.raises(BadCell) as caught:
        parse_surges(f"accuracy@1,{text}")
    assert caught.value.message == f"holds {text!r}, which is not a surge ability"
    form = "EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+"
    assert caught.value.allowed == form


@pytest.mark.parametrize(
    ("cell", "text", "written"),
    [
        (AmountText, "99 + stable", "99+stable"),
        (AmountText, "00", "0"),
        (DefenceText, "01", "1"),
        (DefenceText, "99", "99"),
        (DiceText, "9+unstable", "9+unstable"),
        (SurgesText, "Hits @2; damage2@1u+", "hits@2,damage2@1+"),
        (SurgesText, "None", "none"),
    ],
)
def test_cells_are_kept_in_the_one_way_to_write_them(cell: type[str], text: str, written: str) -> None:
    assert TypeAdapter(cell).validate_python(text) == written


def test_a_cell_holds_two_hundred_characters_of_abilities_at_most() -> None:
    column = leaf_columns(next(table.record for table in SPEC.tables if table.name == "units"))["melee_surges"]
    assert (column.max_length, column.nullable) == (200, True)


def test_what_abilities_name_is_looked_up() -> None:
    assert list(surge_faults("hits@2,blight@1?branded", ("blight", "branded"), "surge_abilities")) == []
    assert list(surge_faults(None, (), "surge_abilities")) == []
    assert [str(fault) for fault in surge_faults("hits@2,bligth@1?brand", ["blight"], "surge_abilities")] == [
        "surge_abilities: 'hits@2,bligth@1?brand' has an unknown effect, bligth; allowed: hits, mortal_strikes, "
        "damage, accuracy, morale, inspiration, blight; did you mean blight?",
        "surge_abilities: 'hits@2,bligth@1?brand' has an unknown condition, brand; allowed: blight",
    ]
