"""What the tables of the catalogue say of units, weapons, races, terrains and cards."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).parents[4] / "data" / "battlelore"
COLOURS = {"green": "G", "blue": "B", "red": "R"}


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain or landmark."""

    name: str
    passable: bool
    stops: bool
    battle_on_entry: bool
    cap_out: int | None
    cap_in: int | None
    cap_in_level: bool
    free_along: bool
    blocks_sight: bool
    bold: int
    bold_beside: int
    owners_only: bool


@dataclass(frozen=True)
class Kind:
    """A kind of unit: its colour, whether it is foot, mounted or a creature, and its numbers."""

    name: str
    title: str
    colour: str
    kind: str
    figures: int
    dice: int
    battle_move: int
    move: int
    hexes_per_flag: int
    weapon: str
    powers: tuple[str, ...]
    race: str = "human"


@dataclass(frozen=True)
class Weapon:
    """A weapon: how far it reaches and which bonus strikes count."""

    name: str
    range_hexes: int
    swords_vs_foot: str
    swords_vs_mounted: str
    swords_point_blank: bool
    after_moving: str


@dataclass(frozen=True)
class Race:
    """A race: its morale and its charge."""

    name: str
    foot_bold: int
    mounted_bold: int
    hexes_per_flag: int
    panics: bool
    charge_hexes: int


@dataclass(frozen=True)
class CommandCard:
    """A command card: what it does and how many units it orders where; -1 is as many as one has cards."""

    id: str
    name: str
    effect: str
    left: int
    centre: int
    right: int
    anywhere: int
    count: int


@dataclass(frozen=True)
class LoreCard:
    """A Lore card."""

    id: str
    master: str
    name: str
    cost: int
    cost_per_level: int
    phase: str
    target: str
    mechanism: str
    base: int
    per_level: int
    count: int


@dataclass(frozen=True)
class Tables:
    """All tables of a catalogue that a game is refereed by."""

    terrains: dict[str, Terrain]
    kinds: dict[str, Kind]
    weapons: dict[str, Weapon]
    races: dict[str, Race]
    command_cards: dict[str, CommandCard]
    lore_cards: dict[str, LoreCard]


def read_tables(folder: Path = SHIPPED) -> Tables:
    """Return the tables of the catalogue in a folder; `kinds` holds colours with kinds, and troops by their ids."""
    terrains = {row["id"]: _terrain(row) for row in _rows(folder, "terrains")}
    kinds = {row["id"]: _kind(row) for row in _rows(folder, "units")}
    for row in _rows(folder, "troops"):
        base = kinds[row["unit"]]
        kinds[row["id"]] = Kind(**{**base.__dict__, "title": row["name"], "weapon": row["weapon"], "race": row["race"]})
    weapons = {
        row["id"]: Weapon(
            row["id"],
            int(row["range_hexes"]),
            row["swords_vs_foot"],
            row["swords_vs_mounted"],
            _truth(row["swords_point_blank"]),
            row["after_moving"],
        )
        for row in _rows(folder, "weapons")
    }
    races = {
        row["id"]: Race(
            row["id"],
            int(row["foot_bold"]),
            int(row["mounted_bold"]),
            int(row["hexes_per_flag"]),
            _truth(row["panics"]),
            int(row["charge_hexes"]),
        )
        for row in _rows(folder, "races")
    }
    commands = {
        row["id"]: CommandCard(
            row["id"],
            row["name"],
            row["effect"],
            *(int(row[place]) for place in ("left", "centre", "right", "anywhere", "count")),
        )
        for row in _rows(folder, "command_cards")
    }
    lore = {row["id"]: _lore_card(row) for row in _rows(folder, "lore_cards")}
    return Tables(terrains, kinds, weapons, races, commands, lore)


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _truth(text: str) -> bool:
    return text.lower() in ("true", "1", "yes")


def _limit(text: str) -> int | None:
    return int(text) if text else None


def _terrain(row: dict[str, str]) -> Terrain:
    truths = {
        name: _truth(row[name])
        for name in ("passable", "stops", "battle_on_entry", "cap_in_level", "free_along", "blocks_sight")
    }
    return Terrain(
        row["id"],
        cap_out=_limit(row["cap_out"]),
        cap_in=_limit(row["cap_in"]),
        bold=int(row["bold"]),
        bold_beside=int(row["bold_beside"]),
        owners_only=_truth(row["owners_only"]),
        **truths,
    )


def _kind(row: dict[str, str]) -> Kind:
    figures, dice, battle_move, move, hexes_per_flag = (
        int(row[name]) for name in ("figures", "dice", "battle_move", "move", "hexes_per_flag")
    )
    powers = tuple(filter(None, row["powers"].split(";")))
    name, title, colour, kind = (row[key] for key in ("id", "name", "colour", "kind"))
    return Kind(name, title, colour, kind, figures, dice, battle_move, move, hexes_per_flag, row["weapon"], powers)


def _lore_card(row: dict[str, str]) -> LoreCard:
    return LoreCard(
        row["id"],
        row["master"],
        row["name"],
        int(row["cost"]),
        int(row["cost_per_level"]),
        row["phase"],
        row["target"],
        row["mechanism"],
        *(int(row[name]) for name in ("base", "per_level", "count")),
    )
