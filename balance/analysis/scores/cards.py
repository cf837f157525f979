"""From loadouts back to cards: names and costs of the parts of an id, and which part carries an excess.

The id of a loadout joins its parts by `+`: first what it is, then what it carries. The cost of a loadout is the sum of
its parts' costs, so its excess is split the same way: the least-squares sum of one number per part. Points can be moved
from every unit to every weapon without changing any loadout's sum; of all such splits the one with the smallest sum of
squares is taken, which shares a common excess between the kinds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores.field import simultaneous
from balance.analysis.scores.usual_prices import PriceFit, Tolerance, judge
from balance.game.loaded import LoadedGame

FloatArray = npt.NDArray[np.float64]
CARD_PRICES: dict[str, pl.DataType | type[pl.DataType]] = {
    "card": pl.String,
    "label": pl.String,
    "table": pl.String,
    "cost_points": pl.Float64,
    "n_entrants": pl.Int64,
    "excess": pl.Float64,
    "excess_low": pl.Float64,
    "excess_high": pl.Float64,
    "verdict_as_read": pl.String,
    "flips": pl.List(pl.Int64),
    "verdict": pl.String,
    "explained": pl.Float64,
}
"""The columns of the prices of cards."""


def find_card(game: LoadedGame, part: str) -> tuple[str, str, float | None]:
    """Return (table, name, cost) of a part: from the catalogue's tables, else the part itself at no known cost.

    Parameters
    ----------
    game
        The game with its catalogue.
    part
        Id of a part of an entrant.
    """
    for table, entries in game.catalogue.tables.items():
        if part in entries:
            entry = entries[part]
            cost = getattr(entry, "cost_points", None)
            return table, str(getattr(entry, "name", part)), None if cost is None else float(cost)
    return "", part, None


def priced_parts(game: LoadedGame, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cards that each entrant's cost is made of: its parts, or itself where some part has no cost.

    Parameters
    ----------
    game
        The game with its catalogue.
    names
        Ids of entrants.

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
    """Return the cards that an entrant or target is made of, as (table, id).

    Parameters
    ----------
    game
        The game with its catalogue.
    entrant
        Id of an entrant or target.

    >>> from balance.game.loaded import load
    >>> sorted(cards_of(load("battlelore"), "goblin_blue_foot"))
    [('races', 'goblin'), ('troops', 'goblin_swordsmen'), ('units', 'blue_foot'), ('weapons', 'short_sword')]
    """
    kind = game.kind_of(entrant)
    if kind.cards is not None:
        return set(kind.cards(game.catalogue, entrant))
    return {(find_card(game, part)[0], part) for part in kind.parts(entrant)}


def entrant_table(game: LoadedGame, entrants: Sequence[str]) -> pl.DataFrame:
    """Return what is known of each entrant beside its strength.

    Parameters
    ----------
    game
        The game with its catalogue.
    entrants
        Their ids.

    Returns
    -------
    polars.DataFrame
        `entrant`, `label`, `cost_points`, `group` and `group_label` (its first part, such as the unit), `arm` and
        `arm_label` (the other parts; the entrant itself if there are none) and `arm_cost`.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> entrant_table(load("warforged"), ["nexus+shotgun"])["arm_label"].item()
    'Shotgun'
    """
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


def split_excess(entrants: Sequence[Sequence[str]], excess: FloatArray) -> tuple[list[str], FloatArray, float]:
    """Split excesses `[k, n]` of n entrants, each given as its parts, over those parts.

    Parameters
    ----------
    entrants
        The parts of each of n entrants.
    excess
        `float64[k, n]`: points by which each costs too much, in each of k rows.

    Returns
    -------
    parts, `float64[k, parts]`, float
        The parts in order of appearance, the split, and the share of the variance of the first row that it explains.

    Examples
    --------
    >>> parts, split, explained = split_excess(["ax", "ay", "bx", "by"], np.array([[3.0, 1.0, 2.0, 0.0]]))
    >>> parts, round(float(split[0, 0] - split[0, 3]), 6), round(explained, 6)
    (['a', 'x', 'y', 'b'], 1.0, 1.0)
    """
    parts = list(dict.fromkeys(part for entrant_parts in entrants for part in entrant_parts))
    design = np.array([[float(entrant_parts.count(part)) for part in parts] for entrant_parts in entrants])
    split = excess @ np.linalg.pinv(design).T
    rest = excess[0] - split[0] @ design.T
    spread = float(np.sum((excess[0] - excess[0].mean()) ** 2))
    return parts, split, 1.0 - float(rest @ rest) / spread if spread > 1e-20 else 1.0


def card_prices(
    game: LoadedGame, fit: PriceFit, shifts: FloatArray | None = None, tolerance: Tolerance | None = None
) -> pl.DataFrame:
    """Return one row per card that some entrant is made of: by how many points it seems over its worth.

    Parameters
    ----------
    fit
        The prices of the entrants.
    shifts
        `float64[r, n]`: what each of r other readings of the rules adds to log(cost / fair cost) of each entrant.

    Returns
    -------
    polars.DataFrame
        `card`, `label`, `table`, `cost_points`, `n_entrants` (that contain it), `excess`, `excess_low`, `excess_high`
        (simultaneous over cards), `verdict_as_read` (under the rules as they stand), `flips` (readings, by place, under
        which it would differ), `verdict` ("not yet known" where there is any) and `explained` (share of the variance of
        excesses that cards explain, the same in each row). Empty unless ids have several parts.
    """
    limit = Tolerance() if tolerance is None else tolerance
    if len(fit.draws) < 2 or not fit.trend.rises or all(len(game.parts(name)) == 1 for name in fit.names):
        return pl.DataFrame(schema=CARD_PRICES)
    other_fair = fit.fair * np.exp(-shifts) if shifts is not None else np.empty((0, len(fit.names)))
    made_of = [game.parts(name) for name in fit.names]
    parts, split, explained_share = split_excess(
        made_of, fit.costs - np.concatenate([fit.fair[None, :], fit.draws, other_fair])
    )
    n_draws = len(fit.draws)
    best, draws, read = split[0], split[1 : n_draws + 1], split[n_draws + 1 :]
    low, high = simultaneous(best, draws)
    rows = []
    for place, part in enumerate(parts):
        table, label, cost = find_card(game, part)
        margin = limit.of(cost or 0.0)
        ends = float(low[place]), float(high[place])
        offsets = (read[:, place] - best[place]).tolist()
        verdict = judge(*ends, margin)
        flips = [number for number, by in enumerate(offsets) if judge(ends[0] + by, ends[1] + by, margin) != verdict]
        rows.append(
            {
                "card": part,
                "label": label,
                "table": table,
                "cost_points": cost,
                "n_entrants": sum(part in entrant_parts for entrant_parts in made_of),
                "excess": float(best[place]),
                "excess_low": ends[0],
                "excess_high": ends[1],
                "verdict_as_read": verdict,
                "flips": flips,
                "verdict": "not yet known" if flips else verdict,
                "explained": explained_share,
            }
        )
    return pl.DataFrame(rows, schema=CARD_PRICES).with_columns(pl.col(pl.Float64).round(9))
