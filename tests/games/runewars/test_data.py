"""The shipped cards of Runewars against vectors copied from the public sources, and what they add up to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.catalogue import Catalogue, load_catalogue, load_table, unsourced_values, write_folder
from balance.game.kit import RULE_IDS
from balance.games.runewars.cells import parse_surges
from balance.games.runewars.ruleset import Constants, Lengths, SlotsPerTray, Switches
from balance.games.runewars.tables import (
    SPEC,
    Condition,
    Dial,
    Face,
    Formation,
    MoraleCard,
    Rune,
    Unit,
    Upgrade,
    constants_of,
)

DATA = Path(__file__).parents[3] / "data" / "runewars"

UNITS = {
    "spearmen": ("daqan infantry", "1", 1, (1, 1, 0), ("0", "0", "0"), "2x1:18 2x2:30 3x2:40 3x3:59"),
    "oathsworn_cavalry": ("daqan cavalry", "2", 1, (2, 1, 0), ("0", "0", "0"), "2x1:20 2x2:34 2x3:46 3x3:68"),
    "rune_golems": ("daqan siege", "4", 2, (2, 0, 0), ("0", "0", "0"), "1x1:17 2x1:28 2x2:50 3x2:74"),
    "heavy_crossbowmen": ("daqan infantry", "1", 1, (0, 1, 0), ("1", "1", "0"), "2x1:19 3x1:27 3x2:48"),
    "outland_scouts": ("daqan infantry", "1", 1, (0, 2, 0), ("0", "0", "0"), "2x1:21 2x2:32 3x2:43"),
    "reanimates": ("waiqar infantry", "1", 1, (2, 0, 0), ("0", "0", "0"), "2x1:16 2x2:26 3x2:35 3x3:50 4x3:64"),
    "reanimate_archers": ("waiqar infantry", "1", 1, (1, 0, 0), ("1", "1", "0"), "2x1:18 2x2:32 3x2:45"),
    "death_knights": ("waiqar cavalry", "3", 1, (2, 1, 0), ("0", "0", "0"), "2x1:24 2x2:42 2x3:55"),
    "carrion_lancers": ("waiqar siege", "3", 3, (1, 2, 0), ("0", "0", "0"), "1x1:15 2x1:27 2x2:46 3x2:68"),
    "wraiths": ("waiqar cavalry", "1", 2, (1, 1, 0), ("0", "0", "0"), "2x1:17 3x1:24 2x2:30"),
    "kari_wraithstalker": ("daqan hero", "3", 4, (0, 1, 1), ("0", "1", "1"), "1x1:32"),
    "lord_hawthorne": ("daqan hero", "3", 4, (1, 0, 1), ("0", "0", "0"), "1x1:34"),
    "ardus_ixerebus": ("waiqar hero", "3", 4, (0, 0, 2), ("0", "0", "0"), "1x1:37"),
    "ankaur_maro": ("waiqar hero", "2", 5, (0, 0, 1), ("0", "0", "unstable"), "1x1:40"),
    "leonx_riders": ("latari cavalry", "2", 1, (1, 2, 0), ("0", "0", "0"), "2x1:18 1x3:24 2x2:30 2x3:40"),
    "deepwood_archers": ("latari infantry", "1", 1, (0, 1, 0), ("0", "2", "0"), "2x1:17 2x2:30 3x2:42"),
    "darnati_warriors": ("latari infantry", "1", 1, (0, 3, 0), ("0", "0", "0"), "2x1:19 2x2:31 2x3:43 3x3:60"),
    "aymhelin_scions": ("latari siege", "1+stable", 3, (1, 2, 0), ("1", "1", "0"), "1x1:14 2x1:25 2x2:42 3x2:62"),
    "berserkers": ("uthuk infantry", "1", 1, (1, 1, 0), ("0", "0", "0"), "2x1:16 2x2:27 3x2:37 3x3:50"),
    "flesh_rippers": ("uthuk cavalry", "1", 3, (1, 2, 0), ("0", "0", "0"), "2x1:22 2x2:38 3x2:63 3x3:75"),
    "spined_threshers": ("uthuk siege", "2", 5, (2, 0, 0), ("0", "0", "0"), "1x1:18 2x1:28 2x2:48 3x2:72"),
    "obscenes": ("uthuk siege", "2", 4, (2, 1, 0), ("0", "0", "0"), "1x1:17 2x1:27 2x2:47 2x3:70"),
    "viper_legion_archers": ("uthuk infantry", "1", 1, (1, 0, 0), ("0", "2", "0"), "2x1:18 2x2:33 3x2:46"),
    "ventala_skirmishers": ("latari cavalry", "1", 2, (1, 1, 0), ("1", "0", "0"), "2x1:18 1x3:24 2x2:30 2x3:40"),
}
"""Unit -> faction and type, defence, wounds, melee and ranged dice (red, blue, white), points by formation."""
KEYWORDS: dict[str, dict[str, object]] = {
    "spearmen": {"melee_surges": "inspiration@2"},
    "oathsworn_cavalry": {"melee_surges": "inspiration@2"},
    "rune_golems": {"brutal": "stable"},
    "heavy_crossbowmen": {"protected": 1, "ranged_surges": "mortal_strikes@2u"},
    "outland_scouts": {"melee_surges": "hits@2"},
    "reanimates": {"steadfast": ("doubt",), "regenerate": "natural"},
    "reanimate_archers": {"steadfast": ("doubt",), "ranged_surges": "blight@2"},
    "death_knights": {"steadfast": ("fear",), "mortal_ward": 1},
    "carrion_lancers": {"steadfast": ("doubt",), "melee_surges": "mortal_strikes@1?blight"},
    "wraiths": {"guard_rerolls": "stable"},
    "kari_wraithstalker": {"brutal": "1", "precise": 1},
    "lord_hawthorne": {"brutal": "1", "melee_surges": "inspiration@2", "attacks_all": True},
    "ardus_ixerebus": {"brutal": "1", "steadfast": ("doubt", "fear"), "borrows_surges": True},
}
"""Unit -> what its card prints beside numbers."""
PLAIN: dict[str, object] = {
    **dict.fromkeys(("melee_surges", "ranged_surges"), None),
    **dict.fromkeys(("brutal", "guard_rerolls", "regenerate"), "0"),
    **dict.fromkeys(("lethal", "precise", "protected", "mortal_ward"), 0),
    **dict.fromkeys(("attacks_all", "borrows_surges"), False),
    "steadfast": (),
}
DIALS = """\
spearmen_melee spearmen 7 true 0 0 0 0 0
spearmen_melee_hit spearmen 7 true 1 0 0 0 0
spearmen_early_melee spearmen 3 true 0 0 0 0 0
spearmen_defend spearmen 3 false 0 0 0 0 1
oathsworn_cavalry_melee oathsworn_cavalry 4 true 0 0 0 0 0
oathsworn_cavalry_melee_mortal_strike oathsworn_cavalry 4 true 0 1 0 0 0
rune_golems_melee rune_golems 5 true 0 0 0 0 0
rune_golems_melee_defend rune_golems 5 true 0 0 0 0 stable
reanimates_melee reanimates 4 true 0 0 0 0 0
reanimates_melee_morale reanimates 4 true 0 0 0 1 0
reanimates_defend reanimates 4 false 0 0 0 0 1
reanimate_archers_melee reanimate_archers 9 true 0 0 0 0 0
reanimate_archers_melee_surge reanimate_archers 9 true 0 0 1 0 0
carrion_lancers_melee carrion_lancers 5 true 0 0 0 0 0
carrion_lancers_melee_hit carrion_lancers 5 true 1 0 0 0 0
carrion_lancers_defend carrion_lancers 3 false 0 0 0 0 1
"""
"""Id, unit, initiative, whether it attacks, hits, mortal strikes, surges and morale added, defence."""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)


def test_units_are_those_of_the_sources(catalogue: Catalogue) -> None:
    points: dict[str, list[str]] = {unit: [] for unit in catalogue.entries(Unit)}
    for name, form in catalogue.entries(Formation).items():
        assert name == f"{form.unit}_{form.columns}x{form.ranks}"
        points[form.unit].append(f"{form.columns}x{form.ranks}:{form.cost_points}")
    found = {
        name: (
            f"{unit.faction} {unit.type}",
            unit.defence,
            unit.wound_threshold,
            (unit.melee_red, unit.melee_blue, unit.melee_white),
            (unit.ranged_red, unit.ranged_blue, unit.ranged_white),
            " ".join(points[name]),
        )
        for name, unit in catalogue.entries(Unit).items()
    }
    assert found == UNITS
    assert list(found) == list(UNITS)


def test_keywords_are_those_of_the_sources(catalogue: Catalogue) -> None:
    for name, unit in catalogue.entries(Unit).items():
        assert {field: getattr(unit, field) for field in PLAIN} == PLAIN | KEYWORDS.get(name, {}), name
    assert set(KEYWORDS) < set(UNITS)


def test_what_is_not_played_is_told(catalogue: Catalogue) -> None:
    told = {name: unit.not_played for name, unit in catalogue.entries(Unit).items()}
    whole = ["spearmen", "reanimates", "reanimate_archers", "wraiths", "lord_hawthorne", "ardus_ixerebus"]
    assert [name for name, text in told.items() if text is None] == whole
    unread = "keywords, surge and skill abilities: our sources do not tell them"
    assert {name for name, text in told.items() if text == unread} == {
        name for name, card in UNITS.items() if card[0].startswith(("latari", "uthuk"))
    }
    assert told["oathsworn_cavalry"] == "Impact 1"
    assert told["kari_wraithstalker"] == "melee, any surges: another enemy at range 1-5 suffers 2 damage for each"


@pytest.mark.parametrize(
    ("die", "sides", "means", "chances"),
    [
        ("red", 8, "3/4 1/8 0 0 1/4", "5/8 1/8 0 0 1/4"),
        ("blue", 8, "1/2 1/2 1/4 0 0", "1/2 3/8 1/4 0 0"),
        ("white", 12, "3/4 5/12 1/12 1/12 1/6", "2/3 1/3 1/12 1/12 1/6"),
    ],
)
def test_dice_show_what_the_sources_count(catalogue: Catalogue, die: str, sides: int, means: str, chances: str) -> None:
    faces = [face.results.split("+") for face in catalogue.entries(Face).values() if face.die == die]
    icons = ("hit", "surge", "accuracy", "mortal_strike", "morale")
    assert len(faces) == sides
    assert {word for face in faces for word in face} <= {*icons, "blank"}
    assert [Fraction(sum(face.count(icon) for face in faces), sides) for icon in icons] == list(
        map(Fraction, means.split())
    )
    assert [Fraction(sum(icon in face for face in faces), sides) for icon in icons] == list(
        map(Fraction, chances.split())
    )


def test_faces_are_the_dies(catalogue: Catalogue) -> None:
    shown = {
        die: " ".join(face.results for face in catalogue.entries(Face).values() if face.die == die)
        for die in ("red", "blue", "white")
    }
    assert shown == {
        "red": "blank blank hit hit morale hit+hit hit+morale hit+surge",
        "blue": "blank hit hit surge accuracy hit+surge hit+accuracy surge+surge",
        "white": (
            "blank mortal_strike hit hit hit hit+hit hit+surge hit+surge hit+accuracy hit+morale surge+surge "
            "surge+morale"
        ),
    }


@pytest.mark.parametrize(
    ("kind", "chances"),
    [
        ("stable", {1: "1/2", 2: "1/2"}),
        ("unstable", {0: "1/4", 2: "1/2", 4: "1/4"}),
        ("natural", {0: "1/8", 1: "3/8", 2: "3/8", 3: "1/8"}),
    ],
)
def test_runes_fall_as_the_sources_count(catalogue: Catalogue, kind: str, chances: dict[int, str]) -> None:
    tokens = [(rune.one.split("+"), rune.other.split("+")) for rune in catalogue.entries(Rune).values()]
    falls = Counter(sum(side.count(kind) for side in fall) for fall in product(*tokens))
    assert {number: Fraction(times, 32) for number, times in falls.items()} == {
        number: Fraction(chance) for number, chance in chances.items()
    }


@pytest.mark.parametrize(("unit", "chance"), [("spearmen", Fraction(10, 64)), ("oathsworn_cavalry", Fraction(99, 512))])
def test_two_surges_come_as_often_as_published(catalogue: Catalogue, unit: str, chance: Fraction) -> None:
    card, faces = catalogue.entries(Unit)[unit], catalogue.entries(Face).values()
    dice = [die for die in ("red", "blue") for _ in range(getattr(card, f"melee_{die}"))]
    rolls = list(product(*([face.results.count("surge") for face in faces if face.die == die] for die in dice)))
    assert Fraction(sum(sum(roll) >= 2 for roll in rolls), len(rolls)) == chance


def test_dials_are_those_of_the_source(catalogue: Catalogue) -> None:
    assert (
        "".join(
            f"{dial.id} {dial.unit} {dial.initiative} {str(dial.attacks).lower()} {dial.add_hits} "
            f"{dial.add_mortal_strikes} {dial.add_surges} {dial.add_morale} {dial.defend}\n"
            for dial in catalogue.entries(Dial).values()
            if dial.id in DIALS
        )
        == DIALS
    )


def test_every_unit_has_a_dial_for_the_walk(catalogue: Catalogue) -> None:
    """Marches and charges of the public source; every shooter shoots; whoever fights hand to hand has a melee."""
    dials = list(catalogue.entries(Dial).values())
    walks = {
        unit: " ".join(
            f"{dial.initiative}:{dial.distance_bands}{'*' * dial.charge}"
            for dial in dials
            if dial.unit == unit and dial.action == "march" and not dial.turn_degrees
        )
        for unit in catalogue.entries(Unit)
    }
    assert walks["spearmen"] == "4:2 4:2* 5:3 5:3* 8:4 8:4*"
    assert walks["oathsworn_cavalry"] == "3:1 3:2* 5:2 5:3* 7:3 7:4*"
    assert walks["reanimates"] == "5:2 5:1* 6:3 6:2*"
    assert walks["reanimate_archers"] == "6:2 7:3", "its public dial has no charge"
    assert all(walks.values())
    actions = {unit: {dial.action for dial in dials if dial.unit == unit} for unit in walks}
    assert {unit for unit, card in catalogue.entries(Unit).items() if card.range_bands} == {
        unit for unit in walks if "shoot" in actions[unit]
    }
    assert all({"melee", "march", "shift"} <= found for found in actions.values())


def test_settings_of_a_dial_fit_their_action(tmp_path: Path, catalogue: Catalogue) -> None:
    write_folder(catalogue, tmp_path)
    path = tmp_path / "dials.csv"
    path.write_text(
        path.read_text().replace(
            "0,false,march,3,false,0\nspearmen_charge_3", "0,false,melee,3,false,0\nspearmen_charge_3"
        )
    )
    with pytest.raises(CatalogueError) as refusal:
        load_catalogue(SPEC, tmp_path)
    assert [(fault.field, fault.message) for fault in refusal.value.faults] == [
        ("distance_bands", "does not fit the action melee"),
        ("attacks", "does not fit the action melee"),
    ]


def test_placeholders_show_each_mechanism_once(catalogue: Catalogue) -> None:
    shown = {
        name: {
            field: value
            for field, value in card.model_dump(exclude={"id", "name", "slot", "cost_points"}).items()
            if value
        }
        for name, card in catalogue.entries(Upgrade).items()
    }
    assert shown == {
        "honed_blades": {"lethal": 1},
        "crushing_weight": {"brutal": 1},
        "steady_drill": {"precise": 1},
        "broad_shields": {"protected": 1},
        "quick_wits": {"surge_discount": 1},
        "killing_blow": {"surge_abilities": "mortal_strikes@2u"},
        "rain_of_splinters": {"surge_abilities": "damage2@1+"},
        "rotten_edges": {"faction": "waiqar", "surge_abilities": "blight@2"},
        "shadow_brand": {"surge_abilities": "branded@2"},
        "war_cry": {"lethal": 2, "exhausts": True},
        "file_leader": {"surge_abilities": "hits@2", "figure_defence": 2, "figure_health": 1, "figure_slots": 1},
        "war_beast": {"brutal": 1, "figure_defence": 4, "figure_health": 2, "figure_slots": 4},
    }
    assert [card.cost_points for card in catalogue.entries(Upgrade).values()] == [4, 6, 5, 5, 4, 5, 6, 3, 5, 4, 6, 12]
    assert all(
        parse_surges(card.surge_abilities) or not card.surge_abilities for card in catalogue.entries(Upgrade).values()
    )
    conditions = {name: (card.unique, card.added_damage) for name, card in catalogue.entries(Condition).items()}
    assert conditions == {"blight": (False, 0), "branded": (True, 1)}


def test_the_morale_deck_has_thirty_cards_of_three_types(catalogue: Catalogue) -> None:
    cards = catalogue.entries(MoraleCard).values()
    assert Counter({card.type: 0 for card in cards}).keys() == {"doubt", "fear", "rage"}
    assert {kind: sum(card.copies for card in cards if card.type == kind) for kind in ("doubt", "fear", "rage")} == {
        "doubt": 11,
        "fear": 9,
        "rage": 10,
    }
    assert all(card.wounds or card.loses_attack or card.panic for card in cards)


def test_rules_and_constants_are_the_defaults(catalogue: Catalogue) -> None:
    assert catalogue.rules == Switches(
        lethal_without_damage="always",
        unique_surges="each_card",
        unique_conditions="both",
        partial_rank_threat="amended",
    )
    slots = SlotsPerTray(infantry=4, cavalry=2, siege=1, hero=1)
    assert constants_of(catalogue) == Constants(
        slots_per_tray=slots,
        most_ranks=4,
        army_points=200,
        lengths=Lengths(tray_mm=56, band_mm=76, edge_gap_mm=76),
    )


def test_every_value_has_a_source(catalogue: Catalogue) -> None:
    assert unsourced_values(catalogue) == []
    status = {(source.table, source.id, source.field): source.status for source in catalogue.sources}
    assumed = {table for (table, _, _), found in status.items() if found == "assumed"}
    placeholders = {"upgrades", "conditions", "morale_cards", "rules", "constants"}
    assert assumed == placeholders | {"runes", "units", "dials", "grounds", "terrain"}
    assert {found for (table, _, _), found in status.items() if table == "upgrades"} == {"assumed"}
    assert {found for (table, _, _), found in status.items() if table in ("faces", "formations")} == {"stated"}
    assert status["units", "spearmen", "defence"] == "stated"
    assert status["units", "berserkers", "defence"] == "stated"
    assert status["units", "berserkers", "brutal"] == "assumed"
    assert status["morale_cards", "betrayal", "name"] == "stated"
    assert status["morale_cards", "betrayal", "wounds"] == "assumed"
    assert status["rules", "partial_rank_threat", "value"] == "stated"
    assert status["constants", "slots_per_tray.infantry", "value"] == "inferred"


def test_the_rule_ids_are_the_ledgers() -> None:
    ids = load_table(RULE_IDS, DATA)
    groups = Counter(rule.partition(".")[0].removeprefix("RW-") for rule in ids)
    assert " ".join(f"{group}:{times}" for group, times in groups.items()) == (
        "THR:5 DMG:7 SURGE:3 TRAY:6 COND:3 MOR:1 GEN:2 REF:1 LOS:6 TER:7 MOV:3 FIG:4 CARD:4 OBJ:1 INFO:1"
    )
    levels = Counter(rule.level for rule in ids.values())  # type: ignore[attr-defined]
    assert levels == {"A": 19, "B": 13, "C": 16, "D": 6}


def test_the_catalogue_is_written_as_it_was_read(catalogue: Catalogue, tmp_path: Path) -> None:
    write_folder(catalogue, tmp_path)
    assert load_catalogue(SPEC, tmp_path) == catalogue
    for path in tmp_path.iterdir():
        assert path.read_text("utf-8") == (DATA / path.name).read_text("utf-8"), path.name
