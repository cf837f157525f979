"""Battles of three and four for the referee: random armies, maps, cards, alliances, readings and ways of playing."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from balance.base.answers import as_plain
from balance.game.loaded import LoadedGame, load
from balance.game.question.replay import replay
from tests.games.battlelore.referee.game import Suspicion
from tests.games.warforged.battle_twins import ABILITIES, EFFECTS, OPTIONS, shipped_loadouts
from tests.games.warforged.reference_board import Board
from tests.games.warforged.seats.referee import suspicions

SHIPPED = Path(__file__).parents[4] / "data" / "warforged"
POLICIES = ("greedy", "focus", "kite", "hold", "kite_hold", "random")
AIMS = ("nearest", "leader", "weakest")
ALLIANCES = {3: ("", "", "ab", "bc"), 4: ("", "", "ab", "ac.bd", "bcd")}
CONSTANTS = {"radius_cells = 2": "radius_cells = 3", "damage = 3": "damage = 2", "turns = 1": "turns = 2"}
"""What `rules.toml` says, and what a random catalogue may say instead."""


@dataclass(frozen=True)
class Played:
    """Which battle is refereed."""

    armies: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    trial: int = 0
    catalogue: Path = SHIPPED

    def replay(self) -> dict[str, Any]:
        """Return what is told of it, as JSON has it."""
        a, others = self.armies[0], " / ".join(self.armies[1:])
        question = opened(self.catalogue).ask("seats", a, others, dict(self.settings), **self.policies)
        document: dict[str, Any] = json.loads(json.dumps(as_plain(replay(question, self.trial, self.seed))))
        return document


def refereed(played: Played) -> list[Suspicion]:
    return suspicions(played.replay(), played.catalogue)


@cache
def opened(catalogue: Path) -> LoadedGame:
    return load("warforged", catalogue)


@cache
def maps(catalogue: Path, n: int) -> list[str]:
    """Return the maps for `n` players."""
    drawings = {path.stem: path.read_text("utf-8").partition("\n\n")[2] for path in (catalogue / "maps").glob("*.txt")}
    return [name for name, text in sorted(drawings.items()) if "".join(sorted({*text} & {*"ABCD"})) == "ABCD"[:n]]


def random_game(number: int, catalogue: Path = SHIPPED) -> Played:
    """Return the battle of a number with the cards and on the maps of a catalogue."""
    rng = Random(number)
    n = rng.choice((3, 4))
    units, weapons = (_rows(catalogue / f"{table}.csv") for table in ("units", "weapons"))
    loadouts = [f"{unit['id']}+{weapon['id']}" for unit in units for weapon in weapons]
    loadouts = [one.id for one in shipped_loadouts()] if catalogue == SHIPPED else loadouts
    board, option = rng.choice(maps(catalogue, n)), rng.choice(sorted(OPTIONS))
    has_objective = "*" in (catalogue / "maps" / f"{board}.txt").read_text("utf-8").partition("\n\n")[2]
    situation = {
        "map": board,
        "unit_limit": rng.randint(3, 6),
        "rounds": rng.choice((2, 3, 8)),
        "objective": rng.choice(("none", "hold")) if has_objective else "none",
        "objective_rounds": rng.randint(1, 3),
        "alliances": rng.choice(ALLIANCES[n]),
        "alliance_rounds": rng.choice((0, 0, 1, 2, 4)),
        "victory_per_unit": rng.choice((1, 1, 2, 0)),
        "victory_per_control": rng.choice((0, 1, 2)),
        "victory_per_objective": rng.choice((0, 3)),
    }
    settings = {f"situation.{name}": str(value) for name, value in situation.items() if value != ""}
    settings |= {f"rules.{option}": str(rng.choice(OPTIONS[option])).lower(), "a.lost_actions": str(rng.choice((0, 1)))}
    policies = {f"policy_{who}": rng.choice(POLICIES) for who in ("a", "others")}
    policies |= {f"aim_{who}": rng.choice(AIMS) for who in ("a", "others")}
    armies = tuple(",".join(rng.choices(loadouts, k=rng.randint(1, 5))) for _ in range(n))
    return Played(armies, settings, policies, number, rng.randint(0, 9), catalogue)


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def random_catalogue(number: int, folder: Path) -> Path:
    """Return a new folder with random cards and maps, and the shipped rules with other numbers."""
    rng = Random(number)
    (folder / "maps").mkdir(parents=True)
    for path in SHIPPED.glob("*.*"):
        (folder / path.name).write_text(path.read_text("utf-8"), "utf-8")
    rules = (SHIPPED / "rules.toml").read_text("utf-8")
    for old, new in CONSTANTS.items():
        rules = rules.replace(old, new) if rng.random() < 0.5 else rules
    (folder / "rules.toml").write_text(rules, "utf-8")
    for table, change in (("units", _unit), ("weapons", _weapon)):
        rows = [row | change(rng) for row in _rows(SHIPPED / f"{table}.csv")]
        lines = [",".join(row) for row in (list(rows[0]), *(list(row.values()) for row in rows))]
        (folder / f"{table}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    for i in range(12):
        (folder / "maps" / f"drawn_{i}.txt").write_text(random_map(rng, 3 + i % 2), "utf-8")
    return folder


def _unit(rng: Random) -> dict[str, str]:
    abilities = ";".join(name for name in ABILITIES if rng.random() < 0.35)
    numbers = {"speed_cells": (1, 2, 3, 4, 6), "health": (1, 2, 3, 5, 8), "armour": (0, 0, 1, 2, 4), "handling": (9,)}
    return {"abilities": abilities} | {name: str(rng.choice(values)) for name, values in numbers.items()}


def _weapon(rng: Random) -> dict[str, str]:
    effects = ";".join(name for name in EFFECTS if rng.random() < 0.35)
    numbers = {"range_cells": (2, 4, 7, 12), "precision": (4, 6, 8, 10), "damage": (0, 1, 2, 3, 5), "handling": (1,)}
    return {"class": "main", "effects": effects} | {name: str(rng.choice(values)) for name, values in numbers.items()}


def random_map(rng: Random, n: int) -> str:
    """Return the text of a map with `n` bases in its corners, on which everybody can reach everybody."""
    while True:
        columns, rows, dense = rng.randint(7, 15), rng.randint(6, 11), rng.choice((0.0, 0.1, 0.25))
        cells = [[rng.choice("++#~*") if rng.random() < dense else "." for _ in range(columns)] for _ in range(rows)]
        for row in cells[rows // 2 - 1 : rows // 2 + 2] if rng.random() < 0.5 else ():
            row[columns // 2 - 2 : columns // 2 + 3] = "*****"
        for letter, (right, low) in zip("ABCD"[:n], rng.sample([(0, 0), (0, 1), (1, 0), (1, 1)], n), strict=True):
            column = columns - 2 if right else 0
            for down in range(rng.randint(2, 3)):
                cells[~down if low else down][column : column + 2] = letter * 2
        lines, shape = ["".join(row) for row in cells], rng.choice(("hex", "square"))
        board = Board(shape, lines)
        start, *others = [cell for base in board.bases for cell in base] + board.objectives
        if {start, *board.reachable(start, 99, {}, True)} >= {*others}:
            return f"title: Drawn\ngrid: {shape}\n\n" + "\n".join(lines) + "\n"
