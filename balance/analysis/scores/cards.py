"""From loadouts back to cards: names and costs of the parts of an id.

The id of a loadout joins its parts by `+`: first what it is, then what it carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from balance.game.loaded import LoadedGame

if TYPE_CHECKING:
    import polars as pl


def find_card(game: LoadedGame, part: str) -> tuple[str, str, float | None]:
    """Return (table, name, cost) of a part: from the catalogue's tables, else "", the part itself and None."""
    for table, entries in game.catalogue.tables.items():
        if part in entries:
            entry = entries[part]
            cost = getattr(entry, "cost_points", None)
            return table, str(getattr(entry, "name", part)), None if cost is None else float(cost)
    return "", part, None


def priced_parts(game: LoadedGame, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cards of which each cost is made: the entrant's parts, or the entrant itself if any part has no cost.

    >>> from balance.game.loaded import load
    >>> priced_parts(load("warforged"), ["trooper+shotgun"]), priced_parts(load("runewars"), ["wraiths+2x1"])
    ([('trooper', 'shotgun')], [('wraiths+2x1',)])
    """
    parts = [game.parts(name) for name in names]
    unknown = [
        part for part in {part for entrant_parts in parts for part in entrant_parts} if find_card(game, part)[2] is None
    ]
    return [(name,) for name in names] if unknown else parts


def cards_of(game: LoadedGame, entrant: str) -> set[tuple[str, str]]:
    """Return the cards that an entrant or target is made of, as (table, id)."""
    kind = game.kind_of(entrant)
    if kind.cards is not None:
        return set(kind.cards(game.catalogue, entrant))
    return {(find_card(game, part)[0], part) for part in kind.parts(entrant)}


def entrant_table(game: LoadedGame, entrants: Sequence[str]) -> pl.DataFrame:
    """Return what is known of each entrant beside its strength.

    The columns are `entrant`, `label`, `cost_points`, `group` and `group_label` (its first part, such as the unit),
    `arm` and `arm_label` (the other parts; the entrant itself if there are none) and `arm_cost`.
    """
    import polars as pl  # only here: it takes long to load

    rows = []
    for entrant in entrants:
        first, *rest = game.parts(entrant)
        cards = [find_card(game, part) for part in rest]
        label, cost = game.label(entrant), float(game.cost_points(entrant))
        costs = [card[2] for card in cards if card[2] is not None]
        rows.append(
            {
                "entrant": entrant,
                "label": label,
                "cost_points": cost,
                "group": first,
                "group_label": find_card(game, first)[1] if rest else label,
                "arm": game.kind_of(entrant).joined_by.join(rest) or entrant,
                "arm_label": " + ".join(card[1] for card in cards) or label,
                "arm_cost": float(sum(costs)) if rest and len(costs) == len(rest) else cost,
            }
        )
    floats = {"cost_points": pl.Float64, "arm_cost": pl.Float64}
    names = ("entrant", "label", "cost_points", "group", "group_label", "arm", "arm_label", "arm_cost")
    return pl.DataFrame(rows, schema={name: floats.get(name, pl.String) for name in names})
