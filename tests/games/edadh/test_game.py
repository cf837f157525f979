"""What the toolkit is told of War for Edadh: questions, columns, policies, armies, and the bounds of fields."""

from __future__ import annotations

import pkgutil
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, get_type_hints

import annotated_types
import pytest

import balance.games.edadh
from balance.catalogue import Record
from balance.game.loaded import load
from balance.games.edadh import GAME, ruleset
from balance.games.edadh.cards import command_cards, player_cards, records
from balance.games.edadh.cards.armies import Markers
from balance.games.edadh.cards.records import ArmyCard, Troop
from balance.games.edadh.setup import POLICIES, Situation

LOADED = load(GAME)
CATALOGUE = LOADED.catalogue
MODULES = [import_module(found.name) for found in pkgutil.walk_packages(
    balance.games.edadh.__path__, "balance.games.edadh.")]  # fmt: skip

DUEL = {
    "winner": ("winner", {1: "a", 2: "b", 0: "draw"}, "", ""),
    "periods": ("duration", {}, "", ""),
}
LOST = {0: "did not lose", 1: "damage above MP", 2: "rout", 3: "no MP left", 4: "no cards left"}
EACH = {"lost": LOST, "cards": {}, "mp": {}, "damage": {}, "discarded": {}}
MEANINGS = {
    "turn": [
        "0 tie, 1 side a, 2 side b",
        "change of side a's MP", "change of side b's MP",
        "damage side a takes", "damage side b takes",
        "1 if side a's troop is discarded at once", "1 if side b's troop is discarded at once",
    ],
    "duel": [
        "0 draw, 1 side a, 2 side b", "Periods begun", "how side a lost", "how side b lost",
        "troop cards side a has left", "troop cards side b has left",
    ],
}  # fmt: skip
MEANINGS["finish"] = [
    *MEANINGS["duel"],
    "mastery points of side a at the end", "mastery points of side b at the end",
    "damage on side a at the end", "damage on side b at the end",
]  # fmt: skip


def of_either(*names: str) -> dict[str, Any]:
    return {f"{side}_{name}": ("", EACH[name], side, name) for name in names for side in "ab"}


COLUMNS = {
    "turn": {"attacker": ("", {0: "tie", 1: "a", 2: "b"}, "", ""), **of_either("mp", "damage", "discarded")},
    "duel": {**DUEL, **of_either("lost", "cards")},
    "finish": {**DUEL, **of_either("lost", "cards", "mp", "damage")},
}


@pytest.mark.parametrize("name", COLUMNS)
def test_what_a_kind_of_question_reports(name: str) -> None:
    columns = GAME.kinds[name].columns
    told = {key: (column.role, column.names, column.side, column.of) for key, column in columns.items()}
    assert told == COLUMNS[name]
    assert list(told) == list(COLUMNS[name])
    assert [column.meaning for column in columns.values()] == MEANINGS[name]
    assert {column.per for column in columns.values()} == {""}


def test_the_kinds_of_question() -> None:
    facts = {
        name: (kind.sides, kind.asks, kind.has_distribution, kind.unbounded, kind.block_trials, kind.turn_orders)
        for name, kind in GAME.kinds.items()
    }
    sides = ("a", "b")
    assert facts == {
        "turn": (sides, "what the first turn of a duel does", True, False, 2**16, ()),
        "duel": (sides, "who wins a duel", False, False, 2**17, ()),
        "finish": (sides, "who wins a duel, and with what markers", False, False, 2**17, ()),
    }
    for name, kind in GAME.kinds.items():
        assert kind.name == name
        assert (kind.solve is not None, kind.conceal is not None) == (name == "duel", name != "turn")
        assert (kind.situation, kind.stances, kind.policies) == (Situation, (Markers, Markers), POLICIES)
        assert [entrant.name for entrant in kind.takes] == ["army", "army"]
        assert (kind.beside, kind.about) == ("", "" if name == "turn" else "winner")
    assert [len(kind.cannot_see) for kind in GAME.kinds.values()] == [3, 1, 1]
    assert GAME.kinds["duel"].played == GAME.kinds["finish"].played != GAME.kinds["turn"].played


def test_the_game_and_its_armies() -> None:
    assert (GAME.name, GAME.title) == ("edadh", "War for Edadh")
    nobody = "no army has it"
    assert GAME.unused == {
        "troops": nobody, "combat_masters": nobody, "standards": nobody, "battle_masters": nobody,
        "terrain": "no army stands in it",
    }  # fmt: skip
    (army,) = GAME.entrant_kinds
    assert list(army.ids(CATALOGUE)) == [
        "angueth_learning", "huaos_dzaa_learning", "angueth_terrain", "huaos_dzaa_terrain",
        "angueth_warband", "huaos_dzaa_warband",
    ]  # fmt: skip
    assert army.written == "an id, or ranks from the front: TROOP:3[+TROOP:2][/TROOP:3...]"
    assert army.fields == {"": ArmyCard, "TROOP": Troop}
    assert army.cards is not None
    assert list(army.cards(CATALOGUE, "angueth_warband")) == [
        *[("troops", "archers")] * 3, *[("troops", "clanmaidens")] * 3, ("armies", "angueth_warband"),
        ("terrain", "forest"), ("combat_masters", "champion"), ("standards", "banner"),
        ("battle_masters", "warleader"),
    ]  # fmt: skip
    assert list(army.cards(CATALOGUE, "spears:2/swords")) == [("troops", "spears")] * 2 + [("troops", "swords")]
    told = [(army.label(CATALOGUE, text), army.cost_points(CATALOGUE, text)) for text in ("spears:2/swords", "archers")]
    assert told == [("2 Spears / 1 Swords", 3), ("1 Archers", 1)]
    assert (army.label(CATALOGUE, "huaos_dzaa_terrain"), army.cost_points(CATALOGUE, "huaos_dzaa_terrain")) == (
        "Huaos-Dzaa, terrain game", 6,
    )  # fmt: skip


def test_the_policies_of_either_side() -> None:
    assert list(POLICIES) == ["policy_a", "policy_b"]
    quick = ("cautious", "random", "random-noretire", "low", "high", "mix", "aggressive", "adaptive")
    for side, policy in zip("ab", POLICIES.values(), strict=True):
        assert (policy.side, policy.of, policy.quick) == (side, "policy", quick)
        assert tuple(policy.options) == (*quick, "lookahead")
        assert policy.options["lookahead"] == "learns what positions of the duel are worth, and plays by that"
        assert policy.parameters == {"mix": ("mix",)}
        assert policy.plays == {}


STAT = (0, 98)
BLOCK = {"ml": STAT, "mp_bonus": (0, 99), "protection": (0, 99), "piercing": (0, 99), "att": STAT, "def": STAT,
         "od": (0, 99), "dd": (0, 99)}  # fmt: skip
WOOD = {f"{side}_{level}_{what}": bounds for side in "ab" for level in records.LEVELS
        for what, bounds in (("modifier", (-99, 99)), ("protection", (0, 99)))}  # fmt: skip
BOUNDS: dict[type[Record], dict[str, tuple[int, int]]] = {
    records.MasteryValue: {
        "other_end": (1, 12), "alternative": (1, 99), "alternative_against": (1, 12), "mp_cost": (0, 99),
        "mp_reduced": (0, 99), "mp_reduced_against": (1, 12), "protects_against": (1, 12), "extra_damage": (0, 99),
    },
    records.Troop: {
        "discard_value": (1, 99), "psyche": (0, 99),
        **{f"{level}_{name}": bounds for level in records.LEVELS for name, bounds in BLOCK.items()},
    },
    records.Terrain: WOOD,
    command_cards.CombatMaster: {
        **dict.fromkeys(("ml", "mp", "att", "defence", "damage"), (0, 99)), "discard_value": (1, 99),
    },
    command_cards.Standard: {"damage": (0, 99), "res": (0, 99)},
    command_cards.BattleMaster: {"land": (0, 99)},
    command_cards.Stratagem: {"cost": (0, 99), "amount": (0, 99)},
    player_cards.Mix: {f"cv{value}": (0, 1000) for value in range(1, 13)},
    player_cards.Player: {"retire_below": (0, 99)},
    ruleset.Score: {"mp_start": (1, 999), "mp_cap": (1, 999)},
    ruleset.Unit: {"max_columns": (1, 3), "max_ranks": (1, 4)},
    ruleset.Retirement: {"below_mp": (0, 999)},
    ruleset.NoAttack: {"mp_loss": (0, 99)},
    ruleset.Movement: {"ballistic_periods": (0, 99), "charge_periods": (0, 99), "swap_ranks": (1, 9)},
    ruleset.Length: {"max_periods": (1, 1000)},
    Markers: {"mp": (1, 999), "damage": (0, 999)},
    Situation: {"max_periods": (1, 1000)},
}  # fmt: skip


def bounds_in(note: Any) -> list[int]:
    """Return the least and the most that an annotation allows, wherever in it they stand."""
    found: list[int] = []
    for part in (*getattr(note, "__metadata__", ()), *getattr(note, "metadata", ())):
        found += bounds_in(part) if not isinstance(part, (annotated_types.Ge, annotated_types.Le)) else [
            part.ge if isinstance(part, annotated_types.Ge) else part.le  # type: ignore[list-item]
        ]  # fmt: skip
    for part in getattr(note, "__args__", ()):
        found += bounds_in(part)
    return found


@pytest.mark.parametrize("record", BOUNDS, ids=lambda record: record.__name__)
def test_the_least_and_the_most_of_every_number(record: type[Record]) -> None:
    hints = get_type_hints(record, include_extras=True)
    told = {name: tuple(found) for name, note in hints.items() if (found := bounds_in(note))}
    assert told == BOUNDS[record]


def test_no_record_was_left_out() -> None:
    kept = {kind for module in MODULES for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, Record) and kind.__module__ == module.__name__}  # fmt: skip
    assert kept - set(BOUNDS) == {ArmyCard, ruleset.Constants, ruleset.EdadhRules}, "which hold no numbers"


def test_nothing_is_said_that_is_not_typed() -> None:
    assert Markers().model_dump() == {"mp": None, "damage": 0, "shaken": False, "mix": None}
    assert Situation().model_dump() == {"level": None, "terrain": None, "max_periods": None}
    assert (records.STAR, records.LEVELS) == (99, ("ballistic", "charge", "melee"))


def test_what_holds_arrays_is_equal_to_nothing_but_itself() -> None:
    """Two of them cannot be compared: arrays have no one answer; so each is known by what it is, in caches too."""
    found = {kind.__name__: kind for module in MODULES for kind in vars(module).values()
             if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__}  # fmt: skip
    by_identity = {name for name, kind in found.items() if kind.__eq__ is object.__eq__}
    assert by_identity == {
        "Arena", "Block", "Command", "Duel", "DuelStates", "Endings", "Ends", "Estimate", "EvenStarts", "Force",
        "KnownWorth", "LearntWorth", "LookAhead", "Mastery", "Moves", "Options", "Position", "Swaps", "TurnTable",
        "Turns", "UnitTables", "View", "_OptionTable",
    }  # fmt: skip


def test_what_each_field_beside_the_cards_means() -> None:
    told = {name: field.description for record in (Situation, Markers) for name, field in record.model_fields.items()}
    assert told == {
        "level": "One combat level throughout; standard movement or Melee if nothing is said.",
        "terrain": "The terrain card; the armies' own if nothing is said, none for none.",
        "max_periods": "Periods after which a duel is a draw; the rules' if unsaid.",
        "mp": "Mastery points; 50 if nothing is said.",
        "damage": "Damage already taken.",
        "shaken": "Whether it begins Shaken (WE-SHAKE.2).",
        "mix": "The mix of cards that the policy mix plays.",
    }
    assert list(told) == ["level", "terrain", "max_periods", "mp", "damage", "shaken", "mix"]
