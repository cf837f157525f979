"""What may be wrong with an adventure whose lines are sound: where units stand, what can be reached and won."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from balance.base.arrays import BoolArray
from balance.base.errors import Fault, comma_list, first_of
from balance.catalogue import Catalogue
from balance.chance.rolls.board import FAR
from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.adventure import GRID, Adventure, hexes
from balance.games.battlelore.adventure.map.also_lines import Extras
from balance.games.battlelore.adventure.map.force_lines import MOST_UNITS, Draft, Place
from balance.games.battlelore.tables import Terrain, constants_of

LORE_TERRAINS = ("rogues_den", "training_camp", "magic_pentacle", "healing_pool")
"""Landmarks of Lore Masters, whose powers need the Lore system (BL-LMK-02)."""
STRONGHOLD = "stronghold"
MOST_NAMED = 8
"""Hexes that a fault names."""


def faults_of(
    adventure: Adventure,
    drafts: Sequence[Draft],
    extras: Extras,
    location: str,
    catalogue: Catalogue,
    sound: Mapping[str, bool],
) -> Iterator[Fault]:
    """Yield what is wrong with an adventure as a whole, where the parts that a check rests on are sound.

    `drafts` and `extras` have the lines, for the places of faults; `sound` says whether `header`, `forces`, `units` and
    `also` are each without fault.
    """
    passable = passable_cells(adventure, catalogue)
    yield from _unit_faults([place for draft in drafts for place in draft.places], passable, location)
    for draft in drafts:
        if len(draft.units) > MOST_UNITS:
            message = f"has {len(draft.units)} units"
            yield Fault(message, location, draft.row, draft.name, allowed=f"at most {MOST_UNITS}")
    if sound["forces"] and sound["units"] and sound["also"]:
        yield from _banner_faults(adventure, drafts, location)
    yield from _blazon_faults(adventure, extras, passable, location)
    if sound["header"]:
        yield from _lore_faults(adventure, drafts, location, constants_of(catalogue).war_council.most_levels)
    if sound["units"]:
        yield from _unreachable(adventure, passable, location)
    if sound["header"] and sound["also"]:
        yield from _landmark_faults(adventure, location)


def passable_cells(adventure: Adventure, catalogue: Catalogue) -> set[int]:
    """Return the cells of an adventure whose ground a unit may stand on (BL-TER-04)."""
    terrains = catalogue.entries(Terrain)
    return {cell for cell in hexes() if all(terrains[name].passable for name in adventure.terrain[cell])}


def board_faults(adventure: Adventure, location: str, catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the ground of an adventure, by the names of hexes.

    `location` is the file, or the option that sets its hexes.
    """
    yield from _unreachable(adventure, passable_cells(adventure, catalogue), location)
    yield from _landmark_faults(adventure, location)


def _landmark_faults(adventure: Adventure, location: str) -> Iterator[Fault]:
    """Yield a fault for each stronghold without owner, and for landmarks that need the Lore system."""
    owners = dict(adventure.owners)
    for cell in hexes():
        ids, name = adventure.terrain[cell], cell_name(cell)
        if STRONGHOLD in ids and cell not in owners:
            tip = f"write `{name} belongs to {adventure.forces[0].name}` below `also:`"
            yield Fault("has a stronghold of nobody (BL-LMK-11)", location, found=name, tip=tip)
        for terrain in sorted(set(ids) & set(LORE_TERRAINS)) if not adventure.lore else ():
            message = f"has a {terrain.replace('_', ' ')}, which needs the Lore system (lore: yes)"
            yield Fault(message, location, found=name)


def _unit_faults(places: Sequence[Place], passable: Collection[int], location: str) -> Iterator[Fault]:
    taken_cells = set[int]()
    for place in places:
        spot = location, place.row, f"column {place.column}", place.text
        if place.cell in taken_cells:
            yield Fault("holds a unit already (BL-MOV-04)", *spot)
        elif place.cell not in passable:
            yield Fault("is no ground that a unit may stand on (BL-TER-04)", *spot)
        taken_cells.add(place.cell)


def _unreachable(adventure: Adventure, passable: set[int], location: str) -> Iterator[Fault]:
    """Yield one fault for all passable hexes that no unit can reach."""
    walks = GRID.walks(_flags(passable))
    begin = sorted({unit.cell for force in adventure.forces for unit in force.units} & passable)
    away = [cell for cell in sorted(passable) if not begin or walks[begin, cell].min() == FAR]
    if away and begin:
        names = comma_list(first_of([cell_name(cell) for cell in away], MOST_NAMED))
        yield Fault("can be reached by nobody", location, found=names, tip="write a ford f or a bridge B in the water")


def _flags(cells: Collection[int]) -> BoolArray:
    flags = np.zeros(GRID.n_cells, bool)
    flags[list(cells)] = True
    return flags


def _banner_faults(adventure: Adventure, drafts: Sequence[Draft], location: str) -> Iterator[Fault]:
    """Yield a fault for each side that can never win: the enemy's units and the hexes are worth too few banners."""
    for side, draft in enumerate(drafts):
        most_banners = len(drafts[1 - side].units)
        most_banners += sum(blazon.banners for blazon in adventure.blazons if blazon.side == side)
        if draft.amounts["banners"] > most_banners:
            message = f"needs {draft.amounts['banners']} banners"
            yield Fault(
                message, location, draft.row, draft.name, allowed=f"at most {most_banners}, for there are no more"
            )


def _blazon_faults(adventure: Adventure, extras: Extras, passable: Collection[int], location: str) -> Iterator[Fault]:
    for blazon in adventure.blazons:
        place = extras.places[blazon.cell]
        if blazon.cell not in passable:
            spot = location, place.row, f"column {place.column}", place.text
            yield Fault("is worth banners, but no unit may stand on it (BL-TER-04)", *spot)


def _lore_faults(adventure: Adventure, drafts: Sequence[Draft], location: str, most_levels: int) -> Iterator[Fault]:
    for draft in drafts:
        if (levels := sum(draft.council.values())) > most_levels:
            message = f"has a council of {levels} levels (BL-WC-07)"
            yield Fault(message, location, draft.row, draft.name, allowed=f"at most {most_levels}")
    if adventure.masters_landmarks and not adventure.lore:
        yield Fault("need the Lore system (lore: yes)", location, found="masters' landmarks")


def digest_of(adventure: Adventure) -> str:
    """Return the sha256 of what is played, 64 hexadecimal digits: all but id, title, note and the names of forces."""
    content = asdict(adventure)
    for name in ("id", "title", "note", "digest"):
        del content[name]
    for force in content["forces"]:
        del force["name"]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
