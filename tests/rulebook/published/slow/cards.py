"""The units of a game file, from sections or from a table that is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = {"cost": "cost_points"}


def cards_of(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return unit -> its card, of a game file as `tomllib` reads it.

    >>> cards_of({"units": "name | skill | keywords\\nRed ant | 4 | brave"})
    {'red_ant': {'name': 'Red ant', 'skill': 4, 'keywords': 'brave'}}
    """
    units = data["units"]
    if not isinstance(units, str):
        return {unit: dict(card) for unit, card in units.items()}
    rows = [[cell.strip() for cell in line.split("|")] for line in units.splitlines() if line.strip()]
    names = [NAMES.get(name, name) for name in rows[0]]
    cards = ({name: _value(cell) for name, cell in zip(names, row, strict=True)} for row in rows[1:])
    return {str(card["name"]).lower().replace(" ", "_"): card for card in cards}


def _value(cell: str) -> int | str:
    return int(cell) if cell.lstrip("-").isdigit() else cell
