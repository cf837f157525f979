"""From what is asked to a duel ready to be played: every field of it, and what was asked in full."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.games.edadh.cards.command_cards import CombatMaster, Standard, Stratagem
from balance.games.edadh.cards.records import Troop
from balance.games.edadh.policies.players import PLAYERS, USUAL, player
from balance.games.edadh.rules import look_up
from balance.games.edadh.rules.commands import Command
from balance.games.edadh.rules.look_up import TurnTable
from balance.games.edadh.rules.strike import RuleOptions
from balance.games.edadh.setup import duel_processes, finish_processes, turn_processes
from balance.games.edadh.solving.look_ahead import LookAhead

GAME = balance.load("edadh")
DATA = Path(__file__).parents[3] / "data" / "edadh"
LEARNING = ("angueth_learning", "huaos_dzaa_learning")
TERRAIN = ("angueth_terrain", "huaos_dzaa_terrain")
WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
KINDS = (duel_processes, finish_processes, turn_processes)


def duel_of(a: str, b: str, changes: Any = None, **choices: str) -> Any:
    return GAME.ask("duel", a, b, changes, **choices).setup.duel


@pytest.mark.parametrize(
    ("sides", "changes", "levels"),
    [
        (LEARNING, {}, [2]),
        (("spears", "archers"), {}, [2]),
        (TERRAIN, {}, [0, 0, 1, 2]),
        ((LEARNING[0], TERRAIN[1]), {}, [0, 0, 1, 2]),
        ((TERRAIN[0], LEARNING[1]), {}, [0, 0, 1, 2]),
        (TERRAIN, {"situation.level": "melee"}, [2]),
        (LEARNING, {"situation.level": "ballistic"}, [0]),
        (TERRAIN, {"situation.level": "charge"}, [1]),
    ],
)
def test_the_combat_levels(sides: tuple[str, str], changes: dict[str, Any], levels: list[int]) -> None:
    duel = duel_of(*sides, changes)
    assert duel.levels.tolist() == levels
    most = max(int(force.unit.swaps.n.max()) for force in duel.arena.forces)
    assert (most > 1) == (levels != [2]), "cards change places only where some Period is not at Melee"


def test_numbers_of_the_rules_come_from_the_catalogue(tmp_path: Path) -> None:
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    rules = folder / "rules.toml"
    text = rules.read_text("utf-8")
    for old, new in {
        "mp_start = 50": "mp_start = 41", "mp_cap = 60": "mp_cap = 58", "below_mp = 30": "below_mp = 27",
        "mp_loss = 5": "mp_loss = 4", "ballistic_periods = 2": "ballistic_periods = 1",
        "charge_periods = 1": "charge_periods = 2", "swap_ranks = 2": "swap_ranks = 1",
        "max_periods = 60": "max_periods = 9",
    }.items():  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    rules.write_text(text, "utf-8")
    duel = balance.load("edadh", folder).ask("duel", "archers/clanmaidens/shieldsmen", TERRAIN[1]).setup.duel
    assert (duel.mp, duel.max_periods, duel.levels.tolist()) == ((41, 41), 9, [0, 1, 1, 2])
    assert duel.arena.read == RuleOptions(noatt_loss=4, mp_cap=58)
    assert duel.arena.forces[0].unit.swaps.n.max() == 3, "with the neighbour in front, with the one behind, or not"
    assert duel.constants.retirement.below_mp == 27
    plain = duel_of("archers/clanmaidens/shieldsmen", TERRAIN[1])
    assert (plain.mp, plain.max_periods) == ((50, 50), 60)
    assert plain.arena.forces[0].unit.swaps.n.max() == 4


def test_markers_and_periods() -> None:
    changes = {"a.mp": 7, "b.damage": 4, "a.shaken": True, "situation.max_periods": 3}
    duel = duel_of(*LEARNING, changes)
    assert (duel.mp, duel.damage, duel.is_shaken, duel.max_periods) == ((7, 50), (0, 4), (True, False), 3)
    other = duel_of(*LEARNING, {"b.mp": 8, "a.damage": 5, "b.shaken": True})
    assert (other.mp, other.damage, other.is_shaken) == ((50, 8), (5, 0), (False, True))
    assert [force.troops for force in duel.arena.forces] == [
        tuple(GAME.catalogue.entries(Troop)[name] for name in names)
        for names in (("shieldsmen", "shieldmaidens"), ("spears", "swords"))
    ]
    assert [force.unit.arrangements[0] for force in duel.arena.forces] == [((0, 1),) * 3] * 2


FOREST = [[-1, -1, 0], [3, 0, 0]]
LEVEL = [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("sides", "changes", "told"),
    [
        (LEARNING, {}, LEVEL),
        (TERRAIN, {}, FOREST),
        ((LEARNING[0], TERRAIN[1]), {}, FOREST),
        ((TERRAIN[0], LEARNING[1]), {}, FOREST),
        (LEARNING, {"situation.terrain": "forest"}, FOREST),
        (TERRAIN, {"situation.terrain": "none"}, LEVEL),
    ],
)
def test_the_ground(sides: tuple[str, str], changes: dict[str, Any], told: list[list[int]]) -> None:
    grounds = duel_of(*sides, changes).arena.grounds
    assert [[column.tolist() for column in half] for half in grounds] == [told, told]


def test_the_two_halves_of_a_terrain(tmp_path: Path) -> None:
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    table = folder / "terrain.csv"
    lines = table.read_text("utf-8").splitlines()
    cells = lines[1].split(",")
    numbers = ["1", "2", "3", "4", "5", "6", "-1", "8", "-3", "10", "-5", "12"]
    table.write_text("\n".join([lines[0], ",".join([*cells[:3], *numbers])]) + "\n", "utf-8")
    grounds = balance.load("edadh", folder).ask("duel", *TERRAIN).setup.duel.arena.grounds
    assert [[column.tolist() for column in half] for half in grounds] == [
        [[1, 3, 5], [2, 4, 6]],
        [[-1, -3, -5], [8, 10, 12]],
    ]


READ: dict[str, tuple[str, dict[str, Any]]] = {
    "dd_from": ("defender", {"dd_from_defender": True}),
    "star_vs_star": ("protected", {"star_protects_from_star": True}),
    "instant_on": ("each_move", {"discard_on_each_move": True}),
    "noatt_protect": ("false", {"noatt_protect": False}),
    "terrain_on": ("total", {"terrain_on_total": True}),
    "star_vs_terrain": ("protected", {"terrain_stops_star": True}),
}


@pytest.mark.parametrize("name", READ)
def test_each_option_of_a_turn(name: str) -> None:
    value, told = READ[name]
    assert duel_of(*LEARNING, {f"rules.{name}": value}).arena.read == RuleOptions(**told)


def test_the_other_options() -> None:
    for value in ("ends_turn", "never"):
        assert duel_of(*LEARNING, {"rules.tie_protect": value}).arena.read == RuleOptions(tie_protect=value)


def test_a_card_that_protects_from_one_that_turns(tmp_path: Path) -> None:
    """No printed card does: here 8 protects from 1, which turns into 13 against it."""
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    table = folder / "mastery.csv"
    text = table.read_text("utf-8")
    table.write_text(text.replace("\n8,2,,,6,1,1,9;10,", "\n8,2,,,6,1,1,1;9;10,"), "utf-8")
    game = balance.load("edadh", folder)
    for value, told in (("placed", True), ("alternative", False)):
        mastery = game.ask("duel", *LEARNING, {"rules.protection_list": value}).setup.duel.arena.mastery
        assert (mastery.may_protect[8, 1], mastery.may_protect[8, 9]) == (told, True)


def test_the_cards_behind_either_unit() -> None:
    catalogue = GAME.catalogue
    duel = duel_of(*WARBANDS, {"b.standard": "", "a.combat_master": ""})
    deck = tuple(catalogue.entries(Stratagem).values())
    one, other = ({name: getattr(command, name) for name in ("champion", "standard", "tactical_ml", "deck")}
                  for command in duel.commands)  # fmt: skip
    assert one == {
        "champion": None, "standard": catalogue.entries(Standard)["banner"], "tactical_ml": 3, "deck": deck,
    }  # fmt: skip
    assert other == {
        "champion": catalogue.entries(CombatMaster)["champion"], "standard": None, "tactical_ml": 3, "deck": deck,
    }  # fmt: skip
    bare = duel_of(*LEARNING).commands
    assert all(command.is_empty and (command.tactical_ml, command.deck) == (0, ()) for command in bare)
    assert Command().hands == ((),), "without a deck there is one hand, the empty one"


def test_who_plays() -> None:
    changes = {"a.mix": "bold", "b.mix": "middle"}
    duel = duel_of(*LEARNING, changes, policy_a="mix", policy_b="mix")
    assert duel.policies == (player(GAME.catalogue, "mix", "bold"), player(GAME.catalogue, "mix", "middle"))
    setup = GAME.ask("duel", *LEARNING, policy_a="low", policy_b="high").setup
    assert setup.duel.policies == (player(GAME.catalogue, "low"), player(GAME.catalogue, "high"))
    assert setup.players == {name: player(GAME.catalogue, name) for name in PLAYERS}
    looking = duel_of("archers", "gunners", policy_b="lookahead").policies
    assert looking[0] == player(GAME.catalogue, USUAL)
    assert isinstance(looking[1], LookAhead)
    assert (looking[1].strays, looking[1].against) == (0.0, None)
    first, second = duel_of("archers", "gunners", policy_a="lookahead", policy_b="lookahead").policies
    assert first is second, "it learns once"
    third, low = duel_of("archers", "gunners", policy_a="lookahead", policy_b="low").policies
    assert isinstance(third, LookAhead) and low == player(GAME.catalogue, "low")


def test_how_turns_are_resolved_in_either_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table where it is small enough, of those levels that are fought at; else each afresh."""
    setup = GAME.ask("duel", *TERRAIN, {"situation.level": "charge"}).setup

    def resolvers(lane: str) -> list[Any]:
        processes = [each(setup, lane)[0] for each in KINDS]
        return [process.steps[0].args[1] for process in processes]  # type: ignore[attr-defined]

    tables = resolvers("compiled")
    assert all(isinstance(table, TurnTable) for table in tables)
    n_a, n_b = tables[0].n_fighters
    assert max(column.size for column in tables[0].columns) == 169 * n_a * n_b, "one level"
    assert not any(isinstance(resolve, TurnTable) for resolve in resolvers("literal"))
    begun: list[Any] = [each(setup)[0].steps[0] for each in KINDS]
    assert not any(isinstance(step.args[1], TurnTable) for step in begun), "afresh, if nothing is said"
    monkeypatch.setattr(look_up, "MOST_CELLS", 169 * n_a * n_b - 1)
    assert not any(isinstance(resolve, TurnTable) for resolve in resolvers("compiled"))
    reports = [each(setup, "literal")[0].outcome.args[1] for each in KINDS[:2]]  # type: ignore[attr-defined]
    assert reports == [False, True]


def test_what_was_asked_in_full() -> None:
    changes = {
        "b.mp": 20,
        "a.spears.melee.att": 9,
        "b.mix": "bold",
        "situation.level": "charge",
        "a.standard": "banner",
    }
    inputs = GAME.ask("duel", "spears:2/swords", TERRAIN[0], changes, policy_b="mix").setup.inputs
    troops = {name: card.model_dump(mode="json") for name, card in GAME.catalogue.entries(Troop).items()}
    assert list(inputs) == ["a", "b", "situation", "rules", "choices"]
    assert inputs["a"] == {
        "id": "written", "name": "2 Spears / 1 Swords", "faction": "huaos_dzaa",
        "front": ["spears", "spears"], "second": ["swords"], "third": [], "fourth": [], "movement": "melee",
        "terrain": None, "combat_master": None, "standard": "banner", "battle_master": None,
        "mp": None, "damage": 0, "shaken": False, "mix": None,
        "troops": {"spears": {**troops["spears"], "melee_att": 9}, "swords": troops["swords"]},
    }  # fmt: skip
    assert inputs["b"] == {
        "id": "angueth_terrain", "name": "Angueth, terrain game", "faction": "angueth",
        "front": ["archers"] * 3, "second": ["clanmaidens"] * 3, "third": [], "fourth": [], "movement": "standard",
        "terrain": "forest", "combat_master": None, "standard": None, "battle_master": None,
        "mp": 20, "damage": 0, "shaken": False, "mix": "bold",
        "troops": {name: troops[name] for name in ("archers", "clanmaidens")},
    }  # fmt: skip
    assert inputs["situation"] == {"level": "charge", "terrain": None, "max_periods": None}
    assert inputs["choices"] == {"policy_a": "cautious", "policy_b": "mix"}
    assert inputs["rules"] == GAME.catalogue.rules.model_dump(mode="json")
    assert list(inputs["rules"]) == list(GAME.catalogue.rule_options)
