"""The shipped games told a second time: what fits of their attacks, as a game file, has the same law, cell by cell.

The rules are in `steps.toml` of a game's data, the numbers those of its cards.
"""

from __future__ import annotations

import base64
import csv
import gzip
import json
import random
import re
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import balance
from balance.chance.pmf import Pmf
from balance.game.loaded import LoadedGame
from tests.answers.live import asked

DATA = Path(__file__).parents[2] / "data"
Card: TypeAlias = dict[str, str]


@cache
def cards(game: str, table: str) -> dict[str, Card]:
    """Return the cards of a shipped game's table, by id."""
    with (DATA / game / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def told_again(folder: Path, game: str, units: Sequence[dict[str, object]]) -> LoadedGame:
    """Return the game of the file that tells a shipped game again, of these units."""
    steps = DATA / game / "steps.toml"
    (folder / "game.toml").write_text(f'units = "units.csv"\n{steps.read_text("utf-8")}', "utf-8")
    names = list(dict.fromkeys(name for unit in units for name in unit))
    with (folder / "units.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval=0)
        writer.writeheader()
        writer.writerows(units)
    return balance.load(str(folder / "game.toml"))


def law(distribution: Pmf, columns: Sequence[str]) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each way in which some columns turn out, as a fraction where weights are whole numbers."""
    marginal = distribution.marginal(*columns)
    weights = [Fraction(weight.item() if isinstance(weight, np.generic) else weight) for weight in marginal.weights]
    rows = [tuple(row) for row in marginal.outcomes.tolist()]
    return {row: weight / sum(weights) for row, weight in zip(rows, weights, strict=True)}


def same(shipped: Pmf, columns: Sequence[str], own: Pmf, own_columns: Sequence[str]) -> bool:
    """Whether columns of two games have the same law: as fractions where both are whole numbers, else to 1e-12."""
    expected, told = law(shipped, columns), law(own, own_columns)
    if shipped.weights.dtype.kind != "f" and own.weights.dtype.kind != "f":
        return expected == told
    return {*expected} == {*told} and all(abs(told[row] - chance) <= 1e-12 for row, chance in expected.items())


# -- Warforged --------------------------------------------------------------------------------------------------------


def test_warforged(tmp_path: Path) -> None:
    """Every weapon but those of Rapid Fire on every unit: precision, criticals, armour, Piercing, Slim and shields."""
    weapons = {
        name: card for name, card in cards("warforged", "weapons").items() if "rapid_fire" not in card["effects"]
    }
    rows: list[dict[str, object]] = [
        {"id": name, "precision": card["precision"], "damage": card["damage"], "keywords": card["effects"]}
        for name, card in weapons.items()
    ]
    units = cards("warforged", "units")
    rows += [{"id": name, "armour": card["armour"], "keywords": card["abilities"]} for name, card in units.items()]
    own, shipped = told_again(tmp_path, "warforged", rows), balance.load("warforged")
    for weapon, target in product(weapons, units):
        carrier = "bulwark" if weapons[weapon]["class"] == "heavy" else "nexus"
        expected = shipped.attack(f"{carrier}+{weapon}", target).distribution
        assert same(expected, ["damage"], own.attack(weapon, target).distribution, ["damage"]), (weapon, target)


# -- BattleLore -------------------------------------------------------------------------------------------------------


def test_battlelore(tmp_path: Path) -> None:
    """Every troop in melee on every troop: hits, flags and lore together."""
    troops, units = cards("battlelore", "troops"), cards("battlelore", "units")
    melee = {name: card for name, card in troops.items() if "bow" not in card["weapon"]}
    rows = list[dict[str, object]]()
    for name, card in melee.items():
        unit = units[card["unit"]]
        keywords = f"{unit['colour']};{unit['kind']};{card['weapon']}"
        rows.append({"id": name, "dice": unit["dice"], "keywords": keywords})
    own, shipped = told_again(tmp_path, "battlelore", rows), balance.load("battlelore")
    for attacker, target in product(melee, melee):
        expected = shipped.attack(attacker, target).distribution
        told = own.attack(attacker, target).distribution
        columns = ["damage", "foe_flags", "me_lore"]
        assert same(expected, ["hits", "flags", "lore"], told, columns), (attacker, target)


# -- Runewars ---------------------------------------------------------------------------------------------------------

ON_RUNES = ("stable", "unstable", "natural")
"""Amounts that hang on runes, which a game file cannot throw once for both sides."""


def single_ranks() -> Iterator[tuple[str, dict[str, object]]]:
    """Yield units of one rank whose attack and defence hang on no rune: name in the shipped game, and unit."""
    slots = {"infantry": 4, "cavalry": 2, "siege": 1, "hero": 1}
    for card in cards("runewars", "formations").values():
        unit = cards("runewars", "units")[card["unit"]]
        runes = any(kind in unit[name] for kind in ON_RUNES for name in ("brutal", "defence", "melee_white"))
        if card["ranks"] != "1" or runes or unit["precise"] != "0" or unit["guard_rerolls"] != "0":
            continue
        figures = int(card["columns"]) * slots[unit["type"]]
        numbers = {name: unit[name] for name in ("lethal", "protected", "mortal_ward", "defence")}
        dice = {colour: unit[f"melee_{colour}"] for colour in ("red", "blue", "white")}
        yield (
            f"{card['unit']}+{card['columns']}x1",
            {
                "id": card["id"],
                **numbers,
                **dice,
                "threat": int(card["columns"]) + int(unit["brutal"]),
                "wounds": figures * int(unit["wound_threshold"]),
                "keywords": "buys_hits" if unit["melee_surges"].startswith("hits@2") else "",
            },
        )


@pytest.mark.slow("test_battlelore")
def test_runewars(tmp_path: Path) -> None:
    """Units of one rank on each other: dice of three colours, threat, mortal strikes, hits bought with surges."""
    ranks = dict(single_ranks())
    own, shipped = told_again(tmp_path, "runewars", [*ranks.values()]), balance.load("runewars")
    assert len(ranks) >= 20
    for attacker, target in product(ranks, ranks):
        expected = shipped.attack(attacker, target).distribution
        told = own.attack(str(ranks[attacker]["id"]), str(ranks[target]["id"])).distribution
        assert same(expected, ["wounds"], told, ["damage"]), (attacker, target)


# -- Immortal Souls ---------------------------------------------------------------------------------------------------

TYPES = ("slashing", "piercing", "blunt", "arcane")


def enemies_of_souls() -> Iterator[dict[str, object]]:
    """Yield the enemies of Immortal Souls: what defends them, and how many hits more each type of damage makes."""
    for name, card in cards("immortal_souls", "enemies").items():
        changes = dict(text.split(":") for text in card["modifiers"].split(";") if text)
        but_arcane = int(changes.get("all_but_arcane", 0))
        numbers = {number: card[number] for number in ("armour", "shields", "defence_dice")}
        of_types = {f"vs_{kind}": int(changes.get(kind, but_arcane * (kind != "arcane"))) for kind in TYPES}
        yield {"id": name, **numbers, **of_types}


@pytest.mark.slow("test_battlelore")
def test_immortal_souls(tmp_path: Path) -> None:
    """Every weapon of enemies on each of them, nothing bought: weakness, resistance, armour, shields, then dice."""
    enemies, weapons = list(enemies_of_souls()), list[dict[str, object]]()
    for name, card in cards("immortal_souls", "weapons").items():
        if card["hand"] == "enemy":
            dice = {number: card[number] for number in ("sure", "red", "blue")}
            weapons.append({"id": name, **dice, "keywords": card["damage_type"]})
    own, shipped = told_again(tmp_path, "immortal_souls", [*weapons, *enemies]), balance.load("immortal_souls")
    nothing = {"attacker.effects": (), "defender.defence_effects": ()}
    for weapon, target in product([str(row["id"]) for row in weapons], [str(row["id"]) for row in enemies]):
        expected = shipped.attack(f"red_bandit+{weapon}", target, nothing).distribution
        told = own.attack(weapon, target).distribution
        assert same(expected, ["wounds"], told, ["damage"]), (weapon, target)


# -- pages ------------------------------------------------------------------------------------------------------------


def held_by_the_page(game: str, folder: Path) -> dict[str, Any]:
    """Write the page of a shipped game, and return what it holds."""
    balance.page(game, out=folder / "page.html", quiet=True)
    text = (folder / "page.html").read_text("utf-8")
    (packed,) = re.findall(r'id="held">([^<]*)<', text)
    held: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return held


def as_commanded(command: str) -> dict[str, Any]:
    """Return the answer to a command about one attack, in this process."""
    _, kind, game, one, other, *words = shlex.split(command)
    exact: dict[str, Any] = balance.ask(game, kind, one, other, set=words[1::2], quiet=True).to_dict()["exact"]
    return exact


PAGES = {"warforged": "damage", "battlelore": "hits", "runewars": "wounds", "immortal_souls": "wounds"}
"""Game with a page -> what its attacks are for."""


@pytest.mark.parametrize(("game", "column"), PAGES.items(), ids=PAGES)
def test_a_page_says_what_its_command_says(tmp_path: Path, game: str, column: str) -> None:
    """Numbers and keywords of two units are changed at random; what no command can set is left to a saved game."""
    held, luck, n_same = held_by_the_page(game, tmp_path), random.Random(48), 0
    header, *rows = held["table"]
    settable = [header.index(name) for fields in held["shipped"]["fields"].values() for name in fields]
    for _ in range(20):
        one, other = luck.sample(range(len(rows)), 2)
        edited = [list(row) for row in rows]
        for row in (edited[one], edited[other]):
            for place in luck.sample(settable, luck.randint(0, len(settable))):
                row[place] = str(max(1, int(row[place]) + luck.choice((-2, -1, 1, 2))))
            if luck.random() < 0.5:
                row[-1] = luck.choice(rows)[-1]
        now, before = ({"rules": held["rules"], "table": [header, *table]} for table in (edited, rows))
        sides = {"a": rows[one][0], "b": rows[other][0]}
        *_, shown = asked(**{**held, **sides}, now=now, before=before)
        assert "kill" not in shown and "duel" not in shown
        try:
            expected = as_commanded(shown["attack"]["command"])["pmf"][column]
        except balance.BalanceError:  # a card that the game forbids, such as one of another kind of unit
            continue
        told = shown["attack"]["pmf"]["damage"]
        assert told.keys() == expected.keys(), shown["attack"]["command"]
        assert all(abs(chance - expected[value]) <= 1e-12 for value, chance in told.items()), shown["attack"]["command"]
        n_same += 1
    assert n_same >= 10
