"""The shipped games told a second time: what fits of their attacks, as a game file, has the same law, cell by cell.

The files beside this one hold the rules; the numbers are those of the cards in `data`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

import balance
from balance.chance.pmf import Pmf
from balance.game.loaded import LoadedGame

HERE, DATA = Path(__file__).parent / "shipped", Path(__file__).parents[2] / "data"
HEALTH = 99
"""More than an attack can take."""
Card: TypeAlias = dict[str, str]


@cache
def cards(game: str, table: str) -> dict[str, Card]:
    """Return the cards of a shipped game's table, by id."""
    with (DATA / game / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def told_again(folder: Path, game: str, units: Sequence[dict[str, object]]) -> LoadedGame:
    """Return the game of the file that tells a shipped game again, of these units."""
    (folder / "game.toml").write_text((HERE / f"{game}.toml").read_text("utf-8"), "utf-8")
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
        {"id": name, "health": 1, **{number: card[number] for number in ("precision", "damage")}}
        | {"keywords": card["effects"]}
        for name, card in weapons.items()
    ]
    units = cards("warforged", "units")
    rows += [
        {"id": name, "health": HEALTH, "armour": card["armour"], "keywords": card["abilities"]}
        for name, card in units.items()
    ]
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
    rows = []
    for name, card in melee.items():
        unit = units[card["unit"]]
        keywords = f"{unit['colour']};{unit['kind']};{card['weapon']}"
        rows.append({"id": name, "dice": unit["dice"], "wounds": HEALTH, "keywords": keywords})
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
        yield {"id": name, "health": HEALTH, **numbers, **of_types}


@pytest.mark.slow("test_battlelore")
def test_immortal_souls(tmp_path: Path) -> None:
    """Every weapon of enemies on each of them, nothing bought: weakness, resistance, armour, shields, then dice."""
    enemies, weapons = list(enemies_of_souls()), list[dict[str, object]]()
    for name, card in cards("immortal_souls", "weapons").items():
        if card["hand"] == "enemy":
            dice = {number: card[number] for number in ("sure", "red", "blue")}
            weapons.append({"id": name, "health": 1, **dice, "keywords": card["damage_type"]})
    own, shipped = told_again(tmp_path, "immortal_souls", [*weapons, *enemies]), balance.load("immortal_souls")
    nothing = {"attacker.effects": (), "defender.defence_effects": ()}
    for weapon, target in product([str(row["id"]) for row in weapons], [str(row["id"]) for row in enemies]):
        expected = shipped.attack(f"red_bandit+{weapon}", target, nothing).distribution
        told = own.attack(weapon, target).distribution
        assert same(expected, ["wounds"], told, ["damage"]), (weapon, target)
