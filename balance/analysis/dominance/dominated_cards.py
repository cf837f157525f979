"""Cards dominated one against one: in every loadout, or by another of the same table wherever that may replace them.

A card is *dominated by a card* of its table if it can be replaced by that in every loadout of the field, and the result
costs no more and does no worse against anyone, and is cheaper or does better once. A card is dominated *in every
loadout* if each of those that hold it has a witness against it, be it another with the same card or without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from balance.analysis.dominance.witnesses import Bounds, Witness, score_bounds, witnesses
from balance.analysis.scores.cards import find_card
from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.scores import Scores
from balance.game.loaded import LoadedGame


@dataclass(frozen=True)
class DominatedCard:
    """A card that is dominated one against one whatever it is held with, and why.

    `by`: cards of the table that dominate it, those with the largest mean gain first; none if only loadouts do.
    `margin` and `mean_gain`: the least and the mean gain of the first of them, over loadouts and opponents; None
    without one. `loadouts`: who in the field holds the card. `witnesses`: the witness against each of them that is
    dominated.
    """

    card: str
    table: str
    by: tuple[str, ...]
    margin: float | None
    mean_gain: float | None
    loadouts: tuple[str, ...]
    witnesses: Mapping[str, Witness]

    @property
    def is_everywhere(self) -> bool:
        """Whether every loadout that holds the card is dominated."""
        return len(self.witnesses) == len(self.loadouts)

    @property
    def ids(self) -> tuple[str, ...]:
        """The dominating card, else all parts of the witnesses against its loadouts, by id."""
        return self.by[:1] or tuple(sorted({name for witness in self.witnesses.values() for name in witness.ids}))


def dominated_cards(
    game: LoadedGame, scores: Scores, costs: Sequence[float], imbalance: float = 0.0
) -> dict[str, DominatedCard]:
    """Return the cards that are dominated, by a card or in every loadout, in the order of the field.

    Scores, costs (in points) and imbalance of n entrants are as for `witnesses`.
    """
    against, field = witnesses(scores, costs, imbalance), _Loadouts.of(game, scores, costs)
    cards = {}
    for card, holders in field.holders.items():
        table = find_card(game, card)[0]
        rivals = [rival for rival in field.holders if rival != card and table == find_card(game, rival)[0] != ""]
        all_gains = {rival: field.gain(card, rival, 0.0) or field.gain(card, rival, imbalance) for rival in rivals}
        gains = {rival: gain for rival, gain in all_gains.items() if gain is not None}
        by = tuple(sorted(gains, key=lambda rival: (-gains[rival][1], rival)))
        holder_witnesses = {name: against[name] for name in holders if name in against}
        if by or len(holder_witnesses) == len(holders):
            margin, mean = gains[by[0]] if by else (None, None)
            cards[card] = DominatedCard(card, table, by, margin, mean, tuple(holders), holder_witnesses)
    return cards


def dominated_card_table(
    game: LoadedGame, scores: Scores, costs: Sequence[float], withheld: Collection[str] = ()
) -> pl.DataFrame:
    """Return one row per card that is dominated outright, those first that another card dominates.

    Cards of `withheld` entrants are reported only if somebody else holds them too (see `twins`); costs are in points.
    The columns are `card`, `label`, `table`, `cost_points`, `n_entrants` (that hold it), `everywhere` (whether each of
    them is dominated), `by` (cards that dominate it, the largest gain first; none if only loadouts do), `margin` and
    `mean_gain` of the first of them, whose name is `by_label`. Empty unless some id has several parts.

    >>> from balance.analysis.scores.scores import read_scores
    >>> from balance.game.loaded import load
    >>> names = ["trooper+shotgun", "trooper+sidearm", "nexus+shotgun", "nexus+sidearm"]
    >>> game = load("warforged")
    >>> dominated_card_table(game, read_scores(game, names), [20, 25, 30, 35]).select("card", "by").rows()
    [('sidearm', ['shotgun'])]
    """
    made_of_several = any(len(game.parts(name)) > 1 for name in scores.names)
    rows = []
    hidden = {part for name in withheld for part in game.parts(name)}
    hidden -= {part for name in scores.names if name not in withheld for part in game.parts(name)}
    for card, dominated_card in dominated_cards(game, scores, costs).items() if made_of_several else ():
        if hidden & {card, *dominated_card.by[:1]}:
            continue
        _, label, cost = find_card(game, card)
        rows.append(
            {
                "card": card,
                "label": label,
                "table": dominated_card.table,
                "cost_points": cost,
                "n_entrants": len(dominated_card.loadouts),
                "everywhere": dominated_card.is_everywhere,
                "by": [by for by in dominated_card.by if by not in hidden],
                "by_label": find_card(game, dominated_card.by[0])[1] if dominated_card.by else None,
                "margin": dominated_card.margin,
                "mean_gain": dominated_card.mean_gain,
            }
        )
    return pl.DataFrame(rows, schema=_SCHEMA).sort("mean_gain", descending=True, nulls_last=True, maintain_order=True)


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("card", "label", "table"), pl.String),
    "cost_points": pl.Float64,
    "n_entrants": pl.Int64,
    "everywhere": pl.Boolean,
    "by": pl.List(pl.String),
    "by_label": pl.String,
    **dict.fromkeys(("margin", "mean_gain"), pl.Float64),
}


@dataclass(frozen=True)
class _Loadouts:
    """Loadouts indexed by card and by their parts in alphabetical order, with costs and scores."""

    holders: dict[str, list[str]]
    places: dict[tuple[str, ...], int]
    parts: dict[str, tuple[str, ...]]
    costs: Sequence[float]
    scores: Bounds

    @classmethod
    def of(cls, game: LoadedGame, scores: Scores, costs: Sequence[float]) -> _Loadouts:
        parts = {name: tuple(sorted(game.parts(name))) for name in scores.names}
        holders: dict[str, list[str]] = {}
        for name in scores.names:
            for part in dict.fromkeys(game.parts(name)):
                holders.setdefault(part, []).append(name)
        places = {parts[name]: at for at, name in enumerate(scores.names)}
        return cls(holders, places, parts, costs, Bounds(*(grid[0] for grid in score_bounds(scores))))

    def gain(self, card: str, substitute: str, imbalance: float) -> tuple[float, float] | None:
        """Return the least and the mean gain if a card is replaced by another everywhere; None unless that dominates.

        With loadouts that hold both, replacing one leaves two of the other, which the field may not have.
        """
        old = [self.parts[name] for name in self.holders[card]]
        new = [tuple(sorted(substitute if part == card else part for part in parts)) for parts in old]
        if any(parts not in self.places for parts in new):
            return None
        old_places, new_places = ([self.places[parts] for parts in side] for side in (old, new))
        savings = np.asarray(self.costs, np.float64)[old_places] - np.asarray(self.costs, np.float64)[new_places]
        gains, min_gains = (
            self.scores.value[new_places] - self.scores.value[old_places],
            self.scores.low[new_places] - self.scores.high[old_places],
        )
        no_worse = savings.min() >= 0 and np.nanmin(min_gains) >= -(imbalance + TIE)
        if not no_worse or not (savings.max() > 0 or np.nanmax(min_gains) > imbalance + TIE):
            return None
        return round(float(np.nanmin(gains)), 9), round(float(np.nanmean(gains)), 9)
