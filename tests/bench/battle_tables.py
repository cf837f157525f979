"""What `battle.c` is handed: the tables of a battle and the luck of names, as the C structure has them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.chance.rolls.keyed_rolls import salt_of
from balance.games.warforged.attack import RuleOptions
from balance.games.warforged.battle.map.battle_map import OPEN
from balance.games.warforged.battle.turns.terms import Battle
from balance.games.warforged.turn import MOST_EMP_TOKENS

SOURCE = Path(__file__).with_name("battle.c")
TYPES: Mapping[str, Any] = {"uint64_t": np.uint64, "uint8_t": np.uint8, "int32_t": np.int32}
NAMES = (
    *("precision", "slim", "shield", "burn", "armour", "choice"),
    *("units first", "units second", "base first", "base second"),
)
"""Names whose luck is asked for, in the order in which the C program numbers them."""


def _fields() -> Iterator[tuple[str, str, bool]]:
    """Yield name, type and whether it is an array of each field of `Tables`, as the C source has them."""
    _, _, rest = SOURCE.read_text().partition("typedef struct {")
    body, _, _ = rest.partition("} Tables;")
    for kind, names in re.findall(r"(\w+_t) ([^;]*);", body):
        for name in names.split(","):
            yield name.strip(" *\n"), kind, "*" in name


NUMBERS = [name for name, _, array in _fields() if not array]
ARRAYS = {name: TYPES[kind] for name, kind, array in _fields() if array}


class Tables(ctypes.Structure):
    """`Tables` of `battle.c`."""

    _fields_ = [(name, ctypes.c_int32) for name in NUMBERS] + [(name, ctypes.c_void_p) for name in ARRAYS]
    arrays: dict[str, npt.NDArray[Any]]
    """What the pointers point at, so that it stays."""


def handed_over(battle: Battle, n_units: int, limit: int) -> Tables:
    """Return the tables of a battle between armies of so many units.

    Raises
    ------
    ValueError
        The C program does not know a rule option that is in force.
    """
    terms, read = battle.terms, battle.terms.read
    other = (terms.slim_dodges, terms.shield_stops, terms.units_block, terms.jump_exact, terms.emp_adds_up)
    known = (terms.laser_heavy, terms.overload_chain == "hostile", read.blocking_faces)
    if any(other) or not all(known) or terms.objective_rounds or read != _by_default(read):
        raise ValueError("the C loop knows the default rule options alone")
    found = Tables()
    numbers = {**_numbers(battle), "n_units": n_units, "limit": limit}
    for name in NUMBERS:
        setattr(found, name, int(numbers[name]))
    arrays = {**_of_the_map(battle), **_of_the_cards(battle), "salts": [salt_of(name) for name in NAMES]}
    found.arrays = {name: np.ascontiguousarray(arrays[name], dtype) for name, dtype in ARRAYS.items()}
    for name, values in found.arrays.items():
        setattr(found, name, values.ctypes.data)
    return found


def _by_default(read: RuleOptions) -> RuleOptions:
    """Return readings with the same constants and every rule option as by default."""
    options: dict[str, Any] = {field.name: field.default for field in fields(RuleOptions)}
    named = {name: value for name, value in options.items() if isinstance(value, bool) or name == "lowest_d10"}
    return replace(read, **named)


def _numbers(battle: Battle) -> dict[str, int]:
    grid, terms, read = battle.ground.grid, battle.terms, battle.terms.read
    _, n_bodies, n_armours, n_covers, n_healths = battle.mean_losses.shape
    faces = {"dodge_faces": read.dodge_faces, "keep_faces": read.keep_faces, "burn_faces": read.burn_faces}
    return {
        "n_bodies": n_bodies,
        "n_armours": n_armours,
        "n_covers": n_covers,
        "n_healths": n_healths,
        "n_cells": grid.n_cells,
        "n_neighbours": grid.n_directions,
        "ray_length": grid.rays.shape[2],
        "n_slots": battle.muster.n_slots,
        "n_base": max(map(len, battle.ground.map.bases)),
        **{name: _mask(shown) for name, shown in faces.items()},
        "blocking_faces": _mask(read.blocking_faces or ()),
        "round_limit": terms.round_limit,
        "max_moves": terms.max_moves,
        "rapid_attacks": read.rapid_attacks,
        "special_faces": read.special_faces,
        "precision_faces": read.precision_faces,
        "burn_attacks": read.burn_attacks,
        "smallest_damage": read.smallest_damage,
        "emp_turns": terms.emp_turns,
        "splash_damage": read.splash_damage,
        "most_emp": MOST_EMP_TOKENS,
        "overload": terms.overload,
        "friendly_fire": terms.friendly_fire,
        "health_decides": terms.health_decides,
    }


def _mask(faces: Iterable[int]) -> int:
    return sum(1 << face for face in faces)


def _of_the_map(battle: Battle) -> dict[str, Any]:
    ground, grid = battle.ground, battle.ground.grid
    steps = range(grid.n_directions)
    next_to = [[grid.step(cell, way) if cell in grid.cells else -1 for way in steps] for cell in range(grid.n_cells)]
    widest = max(map(len, ground.map.bases))
    return {
        "seen": ground.sight_distances,
        "through": ground.through,
        "covers": ground.covers,
        "dice": battle.cover_table,
        "walks": ground.walks[1:],
        "splash_near": ground.near(battle.terms.splash_radius),
        "overload_near": ground.near(battle.terms.overload_radius),
        "open": ground.map.terrain == OPEN,
        "enterable": ground.map.terrain <= 1,
        "neighbours": next_to,
        "rays": grid.rays,
        "relative": [seat.relative for seat in ground.seats],
        "bases": [[*cells, *[-1] * (widest - len(cells))] for cells in ground.map.bases],
    }


def _of_the_cards(battle: Battle) -> dict[str, Any]:
    muster = battle.muster
    return {
        "body": muster.body,
        "speed": battle.speed,
        "health": battle.health,
        "armour": battle.armour,
        "slim": battle.slim,
        "jump": battle.jump,
        "exploding": battle.overload,
        "raises": muster.raises,
        "first_shield": muster.first_shield,
        "slots": muster.slots,
        "range": battle.ranges,
        "laser": battle.laser,
        "precision": muster.of_weapon("precision"),
        "damage": muster.of_weapon("damage"),
        "piercing": muster.with_effect("piercing"),
        "bursting": muster.with_effect("high_explosive"),
        "disabling": muster.with_effect("emp"),
        "n_attacks": battle.n_attacks,
        "taken": battle.mean_losses,
    }
