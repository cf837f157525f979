"""How many lines each room of the package may have: a feature that comes pays for its lines with lines that go.

`budgets.toml` says it, in lines of the files, room by room; every game is a room. Whoever needs more than there is
raises the budget of one room and lowers another by as much, in the same commit, and says why in its message.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.figures.trees import Module

FILE = Path(__file__).with_name("budgets.toml")


def budgets() -> Mapping[str, int]:
    """Return the lines that each room may have, by name such as "playtests" or "games/edadh"."""
    lines: Mapping[str, int] = tomllib.loads(FILE.read_text("utf-8"))["lines"]
    return lines


def room_lines(modules: Sequence[Module]) -> Mapping[str, int]:
    """Return the lines of each room.

    >>> from types import SimpleNamespace
    >>> paths = ("balance/games/edadh/setup.py", "balance/base/text.py", "balance/__init__.py")
    >>> dict(room_lines([SimpleNamespace(path=Path(path), length=7) for path in paths]))
    {'games/edadh': 7, 'base': 7, 'balance': 7}
    """
    lines = Counter[str]()
    for module in modules:
        *folders, _ = module.path.parts
        lines["/".join(folders[1 : 3 if folders[1:2] == ["games"] else 2]) or folders[0]] += module.length
    return lines


def over_budget(lines: Mapping[str, int], limits: Mapping[str, int]) -> list[str]:
    """Return a sentence on each room that has more lines than it may, or has no budget.

    >>> over_budget({"base": 12, "cli": 3, "toy": 1}, {"base": 10, "cli": 5})
    ['base has 12 lines, and may have 10', 'toy has no budget']
    """
    return [
        f"{room} has {count:,} lines, and may have {limits[room]:,}" if room in limits else f"{room} has no budget"
        for room, count in sorted(lines.items())
        if count > limits.get(room, -1)
    ]
