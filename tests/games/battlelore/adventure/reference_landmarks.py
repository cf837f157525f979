"""Landmarks told a second time: who places them, camps, pools and dens (BL-LMK)."""

from __future__ import annotations

from balance.games.battlelore.tables import Terrain
from tests.games.battlelore.adventure.reference_board import CELLS, relative
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_terms import Unit

LANDMARKS = {"wizard": "magic_pentacle", "rogue": "rogues_den", "cleric": "healing_pool", "warrior": "training_camp"}
HIGHEST = 3
"""The level at which masters and commanders bring their landmarks."""
SHUT = 10**6
"""The place of opening no passage."""


def is_own(game: Game, side: int, cell: int) -> bool:
    """Whether a landmark serves a side: its own, or one that nobody owns (BL-LMK-04)."""
    return game.board.owners.get(cell, side) == side


def terrain_named(game: Game, name: str) -> Terrain:
    return next(terrain for terrain in game.terms.terrains if terrain.id == name)


def place_landmarks(game: Game) -> None:
    """Have both sides place the landmarks that their masters and commanders bring (BL-LMK-02, BL-LMK-03)."""
    for side in (game.terms.first, 1 - game.terms.first):
        mine, theirs = game.terms.councils[side], game.terms.councils[1 - side]
        for master, name in LANDMARKS.items():
            brings = game.terms.masters_landmarks and getattr(mine, master) == HIGHEST
            if brings and getattr(theirs, master) < HIGHEST:
                _place(game, side, name, [c for c in _meadows(game) if _is_deep(side, c) and c not in game.standing])
        for keep in game.keeps:
            if keep.side == side and keep.cell < 0:
                own = {unit.at for unit in game.army(side)}
                keep.cell = _place(game, side, "stronghold", [c for c in _meadows(game) if c in own])


def _meadows(game: Game) -> list[int]:
    return [cell for cell in CELLS if [terrain.id for terrain in game.board.terrain[cell]] == ["countryside"]]


def _is_deep(side: int, cell: int) -> bool:
    """Whether a hex is in the third or fourth row of a side."""
    return relative(side, cell) // 16 in (2, 3)


def _place(game: Game, side: int, name: str, cells: list[int]) -> int:
    if not cells:
        return -1
    cell = game.decide("landmark", side, {relative(side, cell): cell for cell in cells})
    game.board.terrain[cell] = [terrain_named(game, name)]
    game.board.owners[cell] = side
    game.happened[f"{name} placed"] += 1
    return cell


def take_off(game: Game, cell: int, name: str) -> None:
    """Take a landmark that is used up off the board."""
    rest = [terrain for terrain in game.board.terrain[cell] if terrain.id != name]
    game.board.terrain[cell] = rest or [terrain_named(game, "countryside")]


def trains(game: Game, unit: Unit) -> bool:
    """Let a troop train that begins its move in a camp: its banner rises by one colour, and it does nothing else."""
    higher = game.terms.promotions.get(unit.fighter)
    if not game.terms.lore or higher is None or not _uses(game, unit, "training_camp"):
        return False
    if not game.decide("train", unit.side, {0: False, 1: True}):
        return False
    game.happened["trained"] += 1
    unit.fighter = higher
    unit.done, unit.may_battle = True, False
    take_off(game, unit.at, "training_camp")
    return True


def _uses(game: Game, unit: Unit, name: str) -> bool:
    return game.board.has(unit.at, name) and is_own(game, unit.side, unit.at)


def heal_in_pool(game: Game, unit: Unit) -> None:
    """Heal a weakened unit that has moved into a healing pool, which is gone then (BL-LMK-10)."""
    if game.terms.lore and _uses(game, unit, "healing_pool") and unit.figures < unit.fighter.unit.figures:
        game.happened["healed in a pool"] += 1
        unit.figures, unit.may_battle = unit.fighter.unit.figures, False
        take_off(game, unit.at, "healing_pool")


def open_passage(game: Game, unit: Unit) -> None:
    """Let a unit that begins its move in a den open the secret passage of its side (BL-LMK-06)."""
    if not game.terms.lore or game.den_exits[unit.side] >= 0 or not _uses(game, unit, "rogues_den"):
        return
    options = {SHUT: -1} | {
        relative(unit.side, cell): cell
        for cell in CELLS
        if cell not in game.standing
        and (game.board.has(cell, "forest") or game.board.has(cell, "hill"))
        and not game.board.has(cell, "secret_passage")
    }
    cell = game.decide("open", unit.side, options)
    if cell >= 0:
        game.happened["passage opened"] += 1
        game.board.terrain[cell] = [*game.board.terrain[cell], terrain_named(game, "secret_passage")]
        game.den_exits[unit.side] = cell


def way_out(game: Game, unit: Unit) -> int | None:
    """Return the exit that a unit in a den may go to for Lore, if it may (BL-LMK-07)."""
    if not game.terms.lore or not _uses(game, unit, "rogues_den"):
        return None
    cell, toll = game.den_exits[unit.side], game.terms.constants.lore.passage
    return cell if cell >= 0 and game.free(cell) and game.tokens[unit.side] >= toll else None
