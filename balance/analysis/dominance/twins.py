"""Cards that make the same fighter, whatever else is printed on them.

Where such *twins* differ in something that the duels do not show, nobody can tell what it is worth: whoever holds one
of them is neither reported as dominated nor a witness against anybody, but is an opponent like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.scores.cards import find_card
from balance.analysis.scores.equivalence import MARK_TOLERANCE
from balance.base.arrays import FloatArray
from balance.game.loaded import LoadedGame


def fighter_twins(game: LoadedGame, duels: pl.DataFrame) -> pl.DataFrame:
    """Return pairs of cards of one table that are the same fighter in the duels played.

    Two entrants are the same if their distributions are, against every opponent of the field and from either seat. Two
    cards are if that holds for every two entrants that differ in nothing else, and there are such. `duels` is a
    `duel_table` with marks.

    The columns are `table`, `card`, `twin` (the dearer one), `label`, `twin_label`, `cost_points`, `twin_cost`,
    `n_pairs` (of entrants that differ in nothing else), `n_only` and `n_twin_only` (entrants that only one of them can
    be part of), and `differ`: the fields in which the cards are not alike, so that the duels do not show them.
    """
    names = tuple(duels["a"].unique(maintain_order=True))
    marks = duels["mark"].to_numpy().reshape(len(names), len(names))
    homes: dict[tuple[str, ...], dict[str, int]] = {}
    for place, name in enumerate(names):
        parts = game.parts(name)
        for at, part in enumerate(parts):
            homes.setdefault((*parts[:at], "", *parts[at + 1 :]), {})[part] = place
    rests: dict[str, dict[tuple[str, ...], int]] = {}
    for rest, members in homes.items():
        for part, place in members.items():
            rests.setdefault(part, {})[rest] = place
    rows = []
    for card, twin in combinations(rests, 2):
        pairs = [(rests[card][rest], rests[twin][rest]) for rest in rests[card].keys() & rests[twin].keys()]
        if pairs and all(_is_same_fighter(marks, first, second) for first, second in pairs):
            rows += _twin_row(game, card, twin, len(pairs), len(rests[card]), len(rests[twin]))
    return pl.DataFrame(rows, schema=_TWINS)


def unmeasured_entrants(game: LoadedGame, twins: pl.DataFrame, entrants: Sequence[str]) -> set[str]:
    """Return the entrants that hold a card which the duels do not tell from another with other abilities.

    A copy that differs in name and cost alone is measured like any other card.
    """
    pairs = twins.filter(pl.col("differ").list.len() > 0)
    hidden = {*pairs["card"], *pairs["twin"]}
    return {name for name in entrants if hidden & set(game.parts(name))}


def _is_same_fighter(marks: FloatArray, first: int, second: int) -> bool:
    """Return whether two entrants have the same distributions against everybody, from either seat."""
    return bool(
        np.abs(marks[first] - marks[second]).max() <= MARK_TOLERANCE
        and np.abs(marks[:, first] - marks[:, second]).max() <= MARK_TOLERANCE
    )


def _twin_row(game: LoadedGame, card: str, twin: str, n_pairs: int, n_card: int, n_twin: int) -> list[dict[str, Any]]:
    """Return one row of two cards, the cheaper one first; none if they are not of one table."""
    cards = [(find_card(game, part), part, n) for part, n in ((card, n_card), (twin, n_twin))]
    cards.sort(key=lambda item: item[0][2] or 0.0)
    (table, label, cost), (twin_table, twin_label, twin_cost) = cards[0][0], cards[1][0]
    if not table or table != twin_table:
        return []
    entries = game.catalogue.tables[table]
    fields, twin_fields = (entries[part].model_dump(mode="json") for _, part, _ in cards)
    row: dict[str, Any] = {"table": table, "card": cards[0][1], "twin": cards[1][1]}
    row |= {"label": label, "twin_label": twin_label, "cost_points": cost, "twin_cost": twin_cost, "n_pairs": n_pairs}
    row |= {"n_only": cards[0][2] - n_pairs, "n_twin_only": cards[1][2] - n_pairs}
    return [row | {"differ": [name for name in fields if fields[name] != twin_fields[name] and name not in _NAMES]}]


_NAMES = ("id", "name", "cost_points")
_TWINS: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("table", "card", "twin", "label", "twin_label"), pl.String),
    **dict.fromkeys(("cost_points", "twin_cost"), pl.Float64),
    **dict.fromkeys(("n_pairs", "n_only", "n_twin_only"), pl.Int64),
    "differ": pl.List(pl.String),
}
