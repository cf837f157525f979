"""What a game file answers, told as what an attack leaves and as who wins, to be held against a reference."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

import balance
from balance.rulebook.opening import open_file
from tests.rulebook.published.references.chances import Law
from tests.rulebook.published.slow.cards import cards_of


def law_left(path: Path, me: str, foe: str, columns: Sequence[str]) -> Law[tuple[int, ...]]:
    """Return the law of what one attack of fresh units leaves of names such as `foe.wounds`, by a game file."""
    data = tomllib.loads(path.read_text("utf-8"))
    cards = cards_of(data)
    distribution = balance.load(open_file(path)).attack(me, foe).distribution
    place = {column: at for at, column in enumerate(distribution.columns)}
    weights = [Fraction(weight.item() if isinstance(weight, np.generic) else weight) for weight in distribution.weights]
    law: Law[tuple[int, ...]] = {}
    for row, weight in zip(distribution.outcomes.tolist(), weights, strict=True):
        values = []
        for column in columns:
            owner, _, field = column.partition(".")
            change = f"{owner}_{field}" if f"{owner}_{field}" in place else "damage" if owner == "foe" else "loss"
            start = {**cards[me if owner == "me" else foe], **data.get("tokens", {})}[field]
            is_lost = field == data.get("health") and change in ("damage", "loss")
            values.append(start - row[place[change]] if is_lost else start + row[place[change]])
        law[tuple(values)] = law.get(tuple(values), Fraction(0)) + weight / sum(weights)
    return law


def results(path: Path, first: str, second: str) -> dict[str, float]:
    """Return who wins a duel by a game file, where the first begins if the file lets sides take turns."""
    order = tomllib.loads(path.read_text("utf-8")).get("turns", {}).get("order", "alternate")
    game = balance.load(open_file(path))
    duel = game.duel(first, second, first="a") if order == "alternate" else game.duel(first, second)
    distribution = duel.distribution
    place, total = distribution.columns.index("winner"), float(sum(distribution.weights))
    chances = {"draw": 0.0, "first": 0.0, "second": 0.0}
    for row, weight in zip(distribution.outcomes.tolist(), distribution.weights, strict=True):
        chances[("draw", "first", "second")[row[place]]] += float(weight) / total
    return chances
