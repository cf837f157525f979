"""Tug of war: a game whose fair costs are known, for proving what finds them.

A team is a body with a tool. Armies pull; an army wins with the chance S^g / (S^g + T^g), where S and T are the
strengths of all its teams, and of all those of the other, together. Where g is 1 or more, whoever gets most strength
for a point wins most often, so costs are fair exactly if they are proportional to strength.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from tests.tug.game import GAME

__all__ = ["GAME", "write_catalogue"]


def write_catalogue(
    folder: Path, bodies: Sequence[tuple[str, float, int]], tools: Sequence[tuple[str, float, int]]
) -> Path:
    """Write a catalogue: bodies and tools as (id, cost, strength); a team's strength is the product over 100."""
    folder.mkdir(parents=True, exist_ok=True)
    for table, rows in (("bodies", bodies), ("tools", tools)):
        with (folder / f"{table}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "name", "cost_points", "strength"])
            writer.writerows([one, one.replace("_", " ").title(), cost, strength] for one, cost, strength in rows)
    for name in ("rules.toml", "rule_ids.csv", "SOURCES.csv"):
        (folder / name).write_bytes((Path(__file__).parent / "data" / name).read_bytes())
    return folder
