"""Tips of the shipped games: their cards, sides, maps and adventures."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from balance.base.paths import data_folder
from balance.catalogue import check_folder, patch_catalogue
from balance.game.loaded import LoadedGame, load
from balance.game.registry import find_game
from balance.games.runewars.table.solve import solve_approach
from balance.games.warforged.battle.armies.drawing import SUCH_AS, WORD
from tests.tips.following import Case

game = cache(load)


def ask(name: str, kind: str, one: str, other: str, changes: dict[str, Any] | None = None) -> Callable[[], object]:
    """Return the deed of asking a question of a shipped game."""

    def question() -> object:
        told = changes or {}
        choices = {key: value for key, value in told.items() if "." not in key}
        game(name).ask(kind, one, other, {key: value for key, value in told.items() if "." in key}, **choices)
        return None

    return question


def folder(name: str, file: str, old: str, new: str) -> Callable[[], object]:
    """Return the deed of checking the catalogue of a shipped game with one text changed, without its sources."""

    def check() -> object:
        copy = Path(shutil.copytree(data_folder() / name, name))
        (copy / "SOURCES.csv").unlink()
        text = (copy / file).read_text("utf-8")
        assert old in text, (file, old)
        (copy / file).write_text(text.replace(old, new), "utf-8")
        return check_folder(find_game(name).spec, copy)

    return check


def mend(name: str, file: str, old: str, wrong: str, tip: str, right: str | None = None) -> Case:
    """Return the case of a text in a table; what is right is what was there, or another text."""
    return Case(folder(name, file, old, wrong), tip, folder(name, file, old, old if right is None else right))


def clumsy(*units: str, kind: str, one: str) -> Callable[[], object]:
    """Return the deed of asking who wins of two alike, where some units may carry nothing."""

    def question() -> None:
        loaded = game("warforged")
        catalogue = patch_catalogue(loaded.catalogue, {f"units.{unit}.handling": "0" for unit in units})
        LoadedGame(loaded.definition, catalogue).ask(kind, one, one)

    return question


def line_up(*members: str) -> Callable[[], object]:
    """Return the deed of letting armies of some members meet."""
    return lambda: game("warforged").arena("lineup", members) and None


def hexes(text: str) -> Callable[[], object]:
    """Return the deed of asking about an adventure with a hex set."""
    return ask("battlelore", "battle", "mirror:south", "mirror:north", {"situation.hexes": text})


ATTACK, FOOT, GUN = "attack", "blue_foot", "nexus+shotgun"
FORMATION = "ankaur_maro_1x1,ankaur_maro,1,1,40\n"

WARFORGED = [
    Case(
        ask("warforged", ATTACK, "nexus", "whisper"),
        "such as nexus+smg_pistol",
        ask("warforged", ATTACK, "nexus+smg_pistol", "whisper"),
    ),
    Case(
        ask("warforged", "duel", "nexus", GUN),
        "such as nexus+smg_pistol",
        ask("warforged", "duel", "nexus+smg_pistol", GUN),
    ),
    Case(
        ask("warforged", "lineup", "nexus", GUN),
        "such as nexus+smg_pistol",
        ask("warforged", "lineup", "nexus+smg_pistol", GUN),
    ),
    Case(
        clumsy("nexus", kind="duel", one="nexus"),
        "name a unit that may carry a weapon",
        clumsy("nexus", kind="duel", one="trooper+sidearm"),
    ),
    Case(line_up("whisper"), "such as whisper+smg_pistol", line_up("whisper+smg_pistol")),
    Case(
        ask("warforged", ATTACK, "trooper+rail_lance", "whisper"),
        "leave a weapon out, or choose one with a lower handling cost",
        ask("warforged", ATTACK, "trooper+shotgun", "whisper"),
    ),
    Case(
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.precison": 5}),
        "did you mean precision?",
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.precision": 5}),
    ),
    Case(
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.handling": 1}),
        "write unit.handling or weapon.handling",
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.weapon.handling": 1}),
    ),
    Case(
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.wepon.damage": 1}),
        "did you mean weapon?",
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.weapon.damage": 1}),
    ),
    Case(
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.weapon.damge": 1}),
        "did you mean weapon.damage?",
        ask("warforged", ATTACK, GUN, "whisper", {"attacker.weapon.damage": 1}),
    ),
    Case(
        ask("warforged", ATTACK, GUN, "whisper", {"defender.helth": 1}),
        "did you mean health?",
        ask("warforged", ATTACK, GUN, "whisper", {"defender.health": 1}),
    ),
    Case(
        ask("warforged", "battle", GUN, GUN, {"situation.map": "objectiv"}),
        "did you mean objective?",
        ask("warforged", "battle", GUN, GUN, {"situation.map": "objective"}),
    ),
    Case(
        ask("warforged", "battle", GUN, GUN, {"situation.map": "random:x"}),
        "such as random:1",
        ask("warforged", "battle", GUN, GUN, {"situation.map": "random:1"}),
    ),
    Case(
        ask("warforged", "lineup", f"{GUN}:2", f"{GUN}:2", {"a.1.lost_actions": 1}),
        "say a.lost_actions=1",
        ask("warforged", "lineup", f"{GUN}:2", f"{GUN}:2", {"a.lost_actions": 1}),
    ),
]

DRAWN = [
    Case(
        clumsy(*game("warforged").catalogue.tables["units"], kind="battle", one=f"{WORD}:150"),
        "no unit of this catalogue may carry a weapon",
        clumsy("nexus", kind="battle", one=f"{WORD}:150"),
    ),
    Case(
        ask("warforged", "battle", "trooper+sidearm:4", f"{WORD}:15", {"situation.legal": True}),
        "the other army has taken the cards that they would buy",
        ask("warforged", "battle", "trooper+sidearm:3", f"{WORD}:15", {"situation.legal": True}),
    ),
    Case(
        ask("warforged", "battle", f"{WORD}:150,{GUN}", f"{WORD}:150"),
        f"such as {WORD}:150 alone",
        ask("warforged", "battle", f"{WORD}:150", f"{WORD}:150"),
    ),
    Case(
        ask("warforged", "battle", f"{WORD}:1:2:3", f"{WORD}:150"),
        SUCH_AS,
        ask("warforged", "battle", f"{WORD}:150", f"{WORD}:150"),
    ),
    Case(
        ask("warforged", "battle", f"{WORD}:x", f"{WORD}:150"),
        SUCH_AS,
        ask("warforged", "battle", f"{WORD}:150", f"{WORD}:150"),
    ),
    Case(
        ask("warforged", "battle", f"{WORD}:150", f"{WORD}:150", {"a.health": 3}),
        "change the cards in a catalogue of your own: catalogue=DIR",
        ask("warforged", "battle", f"{WORD}:150", f"{WORD}:150"),
    ),
    Case(
        ask("warforged", "battle", GUN, GUN, {"situation.objective": "hold"}),
        "take a map that has them, such as situation.map=objective",
        ask("warforged", "battle", GUN, GUN, {"situation.objective": "hold", "situation.map": "objective"}),
    ),
]

BATTLELORE = [
    Case(
        ask("battlelore", ATTACK, FOOT, FOOT, {"situation.adjacent": False}),
        "say situation.adjacent=true",
        ask("battlelore", ATTACK, FOOT, FOOT, {"situation.adjacent": True}),
    ),
    Case(
        ask("battlelore", ATTACK, FOOT, FOOT, {"attacker.webbed": True}),
        "say attacker.freed=true",
        ask("battlelore", ATTACK, FOOT, FOOT, {"attacker.webbed": True, "attacker.freed": True}),
    ),
    Case(
        ask("battlelore", ATTACK, FOOT, FOOT, {"attacker.moved": True, "situation.attacker_terrain": "rampart"}),
        "say situation.entered_from=rampart",
        ask(
            "battlelore",
            ATTACK,
            FOOT,
            FOOT,
            {"attacker.moved": True, "situation.attacker_terrain": "rampart", "situation.entered_from": "rampart"},
        ),
    ),
    Case(ask("battlelore", ATTACK, "blue_fot", FOOT), "did you mean blue_foot?", ask("battlelore", ATTACK, FOOT, FOOT)),
    Case(
        ask("battlelore", ATTACK, "xyzzy", FOOT),
        "a race may stand before it: human, dwarf, goblin",
        ask("battlelore", ATTACK, "dwarf:blue_foot", FOOT),
        "did you mean",
    ),
    Case(
        ask("battlelore", "battle", "miror:south", "mirror:north"),
        "did you mean mirror?",
        ask("battlelore", "battle", "mirror:south", "mirror:north"),
    ),
    Case(
        ask("battlelore", "battle", "mirror:sout", "mirror:north"),
        "did you mean south?",
        ask("battlelore", "battle", "mirror:south", "mirror:north"),
    ),
    Case(
        ask("battlelore", "battle", "mirror", "mirror"),
        "write mirror:south or mirror:north",
        ask("battlelore", "battle", "mirror:south", "mirror:north"),
    ),
    Case(
        ask("battlelore", "battle", "mirror:south", "mirror:south"),
        "name both, such as mirror:south and mirror:north",
        ask("battlelore", "battle", "mirror:south", "mirror:north"),
    ),
    Case(
        ask("battlelore", "battle", "mirror:south", "mirror:north", {"a.more": "blue_foot"}),
        "such as blue_foot@C4",
        ask("battlelore", "battle", "mirror:south", "mirror:north", {"a.more": "blue_foot@C4"}),
    ),
    Case(hexes("forest"), "such as forest@E5", hexes("forest@E5")),
    Case(hexes("forst@E5"), "did you mean forest?", hexes("forest@E5")),
]

RUNEWARS = [
    mend("runewars", "units.csv", "inspiration@2", "inspiraton@2", "did you mean inspiration?"),
    mend("runewars", "formations.csv", FORMATION, "", "add a row for it to formations"),
    mend("runewars", "faces.csv", "red_1,red,blank", "red_1,red,blnk", "did you mean blank?"),
    mend("runewars", "formations.csv", "spearmen_2x1,spearmen", "spearmen_2x1,spearman", "did you mean spearmen?"),
    Case(
        ask("runewars", ATTACK, "spearmen+2x9", "spearmen+2x1"),
        "did you mean 2x",
        ask("runewars", ATTACK, "spearmen+2x2", "spearmen+2x1"),
    ),
    Case(
        ask("runewars", ATTACK, "spearmen+2x1", "spearmen+2x1", {"attacker.conditions": "bligt"}),
        "did you mean blight?",
        ask("runewars", ATTACK, "spearmen+2x1", "spearmen+2x1", {"attacker.conditions": "blight"}),
    ),
    Case(
        ask("runewars", ATTACK, "spearmen+2x1", "spearmen+2x1", {"attacker.partial": 2}),
        "a rank as wide as the front is a full one: set ranks",
        ask("runewars", ATTACK, "spearmen+2x1", "spearmen+2x1", {"attacker.ranks": 2}),
    ),
]


def seats(first: str = "random", **situation: str) -> Callable[[], object]:
    """Return the deed of asking who wins of three alike."""
    army, settings = "trooper+shotgun", {f"situation.{name}": value for name, value in situation.items()}
    return lambda: game("warforged").ask("seats", army, f"{army} / {army}", settings, first=first) and None


def approach(of: str, overrides: dict[str, Any], *without: str) -> Callable[[], object]:
    """Return the deed of asking about, or solving, an approach, some tables of the catalogue empty."""

    def question() -> None:
        loaded = game("runewars")
        catalogue = replace(loaded.catalogue, tables={**loaded.catalogue.tables, **{name: {} for name in without}})
        asked = LoadedGame(loaded.definition, catalogue).ask("approach", "spearmen+2x1", "spearmen+2x1", overrides)
        if of == "solve":
            solve_approach(asked.setup, "exact", 0)

    return question


SEATS = [
    Case(seats(alliances="ax"), "such as ab", seats(alliances="ab")),
    Case(seats(alliances="abc"), "leave out a side", seats(alliances="ab")),
    Case(seats("a", order="bac"), "leave one of the two out", seats("a")),
    Case(seats(map="ledger"), "take a map that has them, such as situation.map=trefoil", seats(map="trefoil")),
]
APPROACHES = [
    Case(approach("ask", {}, "dials"), "add rows for it to dials", approach("ask", {})),
    Case(
        approach("solve", {"situation.offset_mm": 40}),
        "solved are units face to face in the open",
        approach("solve", {"situation.offset_mm": 0, "situation.round_limit": 1}),
    ),
]

CASES = [*SEATS, *APPROACHES, *WARFORGED, *DRAWN, *BATTLELORE, *RUNEWARS]
