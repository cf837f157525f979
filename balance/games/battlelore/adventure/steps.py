"""Small changes of an adventure that are no numbers: who begins, a unit more, a unit fewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.chance.rolls.board import COLUMN_CELLS
from balance.game.game import Step
from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.adventure import LONGEST_ROW, ROWS, Adventure, hexes
from balance.games.battlelore.adventure.map.files import adventure_of
from balance.games.battlelore.tables import Terrain


def steps(question: Any, ahead: str) -> Iterator[Step]:
    """Yield who might begin instead, then a unit fewer of each sort of the side ahead, and one more of the other's.

    A unit more stands in the free hex of its own rear row that is nearest to the middle.

    Parameters
    ----------
    question
        What is asked.
    ahead
        The side that wins more often.
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
    cells.sort(key=lambda cell: (rows.index(cell // COLUMN_CELLS), abs(_across(cell) - middle), cell))
    return cell_name(cells[0]) if cells else ""


def _across(cell: int) -> int:
    row, place = divmod(cell, COLUMN_CELLS)
    return 2 * place + row % 2
