"""Small changes of an adventure: those that `handicap` tries beside numbers, and every single smallest one there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from balance.chance.rolls.board import COLUMN_CELLS
from balance.game.game import Step
from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.adventure import (
    COUNTRYSIDE,
    LONGEST_ROW,
    ROWS,
    Adventure,
    Council,
    hexes,
    split_place,
)
from balance.games.battlelore.adventure.map.files import adventure_of
from balance.games.battlelore.adventure.map.set_hexes import terrain_with
from balance.games.battlelore.adventure.map.sight import across_of
from balance.games.battlelore.tables import Terrain


def steps(question: Any, ahead: str) -> Iterator[Step]:
    """Yield the other side beginning, then a unit fewer of each sort for the side ahead, and one more for the other.

    An extra unit is placed in the free hex of its own rear row that is nearest to the middle.
    """
    sides = question.kind.sides
    first = question.setup.play.first
    yield Step("", "first", sides[first], sides[1 - first])
    behind = sides[1 - sides.index(ahead)]
    for _, name in _sorts(question.inputs[ahead]):
        yield _step(question.inputs[ahead], ahead, "without", name)
    adventure = adventure_of(question.game.catalogue, question.inputs[behind]["id"].partition(":")[0])
    place = _free_hex(question, adventure, question.inputs[behind])
    for unit, _ in _sorts(question.inputs[behind]) if place else ():
        yield _step(question.inputs[behind], behind, "more", f"{unit}@{place}")


def single_changes(question: Any) -> Iterator[Step]:
    """Yield every single smallest change of an adventure; the rules may refuse some, such as a banner too many.

    For each side each of its units removed, a banner more and fewer to win, a command card more and fewer in hand, or
    with Lore a level fewer of each of its council; each hex with other terrain cleared; and the other side beginning.
    """
    sides, first = question.kind.sides, question.setup.play.first
    has_lore = question.setup.play.battle.lore
    for side in sides:
        inputs = question.inputs[side]
        yield from _units_fewer(inputs, side)
        yield from _by_one(inputs, side, "banners", (1, -1))
        if not has_lore:
            yield from _by_one(inputs, side, "cards", (1, -1))
        for member in fields(Council) if has_lore else ():
            yield from _by_one(inputs, side, member.name, (-1,), least=0)
    yield from _hexes_cleared(question)
    yield Step("", "first", sides[first], sides[1 - first])


def _units_fewer(inputs: Mapping[str, Any], side: str) -> Iterator[Step]:
    """Yield a force without each of its units, those of its file first, then those set by `more`."""
    more = inputs["more"]
    for text in inputs["units"][: len(inputs["units"]) - len(more)]:
        yield replace(_step(inputs, side, "without", text.partition("@")[2]), label=f"{side} without {text}")
    for number, text in enumerate(more):
        new = ";".join([*more[:number], *more[number + 1 :]])
        yield Step(side, "more", ";".join(more), new, f"{side} without {text}")


def _by_one(inputs: Mapping[str, Any], side: str, field: str, changes: Sequence[int], least: int = 1) -> Iterator[Step]:
    """Yield the steps of a number of a force by each of `changes` that leave it at `least` or more."""
    number = inputs[field]
    yield from (Step(side, field, str(number), str(number + change)) for change in changes if number + change >= least)


def _hexes_cleared(question: Any) -> Iterator[Step]:
    """Yield each hex with other terrain as countryside, beside the hexes that are set already."""
    catalogue, texts = question.game.catalogue, question.inputs["situation"]["hexes"]
    adventure = adventure_of(catalogue, question.inputs["a"]["id"].partition(":")[0])
    terrain, _ = terrain_with(adventure, texts, catalogue)
    names = [(cell_name(cell), terrain[cell]) for cell in hexes() if terrain[cell] != (COUNTRYSIDE,)]
    for name, ids in names:
        texts_left = [text for text in texts if (split_place(text) or ("", ""))[1].upper() != name]
        old, new = f"{'+'.join(ids)}@{name}", ";".join([*texts_left, f"{COUNTRYSIDE}@{name}"])
        yield Step("situation", "hexes", old, new, f"no {old}")


def _sorts(inputs: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return each sort of units of a force once, with the hex of the first of them."""
    units = [text.partition("@")[::2] for text in inputs["units"]]
    return list({unit: (unit, name) for unit, name in reversed(units)}.values())[::-1]


def _step(inputs: Mapping[str, Any], side: str, field: str, text: str) -> Step:
    """Return the step that adds one text to a list."""
    return Step(side, field, ";".join(inputs[field]) or "none", ";".join([*inputs[field], text]))


def _free_hex(question: Any, adventure: Adventure, inputs: Mapping[str, Any]) -> str:
    """Return the name of a free hex at the edge of a force; empty where its two rear rows are full."""
    side = [force.name for force in adventure.forces].index(inputs["id"].partition(":")[2])
    names = {text.partition("@")[2] for name in question.kind.sides for text in question.inputs[name]["units"]}
    terrains = question.game.catalogue.entries(Terrain)
    rows = (0, 1) if side == 0 else (ROWS - 1, ROWS - 2)
    cells = [
        cell
        for cell in hexes()
        if cell // COLUMN_CELLS in rows
        and cell_name(cell) not in names
        and all(terrains[name].passable for name in adventure.terrain[cell])
    ]
    middle = LONGEST_ROW - 1
    cells.sort(key=lambda cell: (rows.index(cell // COLUMN_CELLS), abs(across_of(cell) - middle), cell))
    return cell_name(cells[0]) if cells else ""
