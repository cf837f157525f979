"""What an ability or an effect is worth: the same entrant with it and without.

An *item* is one entry of a list of choices on a card, such as the ability Supershield or the effect Piercing. For each
entrant that has it, the item is taken from its list and the entrant plays the panel again (see `rule_options`),
exactly; the difference is due to the item.

Two cases are no measurement, and have no number. An item that the rules require for the entrant to exist, such as the
ability to carry a heavy weapon, cannot be taken away there: it is *not legal*. Where every distribution is the same
with and without, the setting cannot show what the item does: it is *not measurable*, which says nothing of what it is
worth. A gain of 0 is one that was measured: the duels differ, but the score does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import polars as pl

from balance.analysis.claims.rule_options import Panel
from balance.analysis.scores.cards import find_card
from balance.analysis.scores.equivalence import MARK_TOLERANCE, distribution_mark
from balance.analysis.scores.tables import measure_duel, measure_means, round_floats
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

Uses: TypeAlias = Mapping[str, Mapping[str, str]]

ITEM_STATUSES = ("measured", "not measurable", "not legal")
"""What became of an item on one entrant, the most telling first."""


@dataclass(frozen=True)
class Item:
    """One entry of a list on one entrant's card.

    `rest`: the other entries of the list. `of_first`: whether the card is the entrant's first part, so that it matters
    as a target too.
    """

    entrant: str
    table: str
    column: str
    item: str
    rest: tuple[str, ...]
    of_first: bool

    def without(self, root: str) -> str:
        """Return the assignment that takes the item away from side "a" or "b"."""
        return f"{root}.{self.column}={','.join(self.rest)}"

    def use_choices(self, root: str, kind: QuestionKind, uses: Uses) -> tuple[tuple[str, str], ...]:
        """Return the choices by which side "a" or "b" puts the item to use, of those that this kind of question has.

        `uses` is item -> choices of its owner, without the side.
        """
        choices, policies = uses.get(self.item, {}), kind.policies.items()
        return tuple((name, choices[kind.of]) for name, kind in policies if kind.side == root and kind.of in choices)


def find_items(game: LoadedGame, entrants: Sequence[str]) -> list[Item]:
    """Return every item of every entrant; entrants that carry several cards of one table are left out."""
    from balance.catalogue import columns_of

    lists = {
        table.name: [column.name for column in columns_of(table.record) if column.is_list and column.kind == "choice"]
        for table in game.catalogue.spec.tables
    }
    items = []
    for entrant in entrants:
        parts = game.parts(entrant)
        homes = [find_card(game, part)[0] for part in parts]
        for place, (part, table) in enumerate(zip(parts, homes, strict=True)):
            if not table or homes.count(table) > 1:
                continue
            for column in lists[table]:
                values = tuple(map(str, getattr(game.catalogue.tables[table][part], column)))
                items += [
                    Item(entrant, table, column, item, tuple(v for v in values if v != item), place == 0)
                    for item in values
                ]
    return items


def item_table(
    runner: Runner,
    items: Sequence[Item],
    panel: Panel,
    attackers: Sequence[str] = (),
    changes: Sequence[str] = (),
    attack_changes: Sequence[str] = (),
    gain: str = "damage",
    uses: Uses = MappingProxyType({}),
) -> pl.DataFrame:
    """Return one row per entrant and item: what the item adds, found by taking it away.

    Duels are against the panel, with `changes`; attacks, with `attack_changes`, are on all targets and by `attackers`
    on the entrant, and `gain` is the column that says what they achieved. `uses` is item -> choices of its owner,
    without the side; the defaults for all others.

    The columns are `entrant`, `table`, `column`, `item`, `legal`, `status` (one of `ITEM_STATUSES`, for duels);
    `score_gain` (mean score against the panel, weighted like the field), `damage_gain` (mean damage of one action over
    all targets) and `damage_taken_gain` (mean damage of one action of each attacker on it; below 0 protects). Gains are
    null where they are not measurable, taking it away is not legal or the game has no such number.
    """
    duels = _duel_gains(runner, items, panel, changes, uses)
    own_attacks = [_Pairs(0, item, [(item.entrant, target) for target in runner.game.targets]) for item in items]
    incoming_attacks = [_Pairs(1, item, _attacks_on(runner, item, attackers)) for item in items]
    attacks = [_attack_gains(runner, pairs, attack_changes, gain, uses) for pairs in (own_attacks, incoming_attacks)]
    gains = zip(duels, *attacks, strict=True)
    rows = [
        {"entrant": item.entrant, "table": item.table, "column": item.column, "item": item.item}
        | {"legal": status != "not legal", "status": status, "score_gain": score}
        | {"damage_gain": gives, "damage_taken_gain": takes}
        for item, ((status, score), gives, takes) in zip(items, gains, strict=True)
    ]
    words = dict.fromkeys(("entrant", "table", "column", "item"), pl.String)
    numbers = dict.fromkeys(("score_gain", "damage_gain", "damage_taken_gain"), pl.Float64)
    return round_floats(pl.DataFrame(rows, schema={**words, "legal": pl.Boolean, "status": pl.String, **numbers}))


_Gain = tuple[str, float | None]
"""Status, score gained."""


def _duel_gains(runner: Runner, items: Sequence[Item], panel: Panel, changes: Sequence[str], uses: Uses) -> list[_Gain]:
    """Return for each item a status and the weighted mean score with it less that without, over both seats."""
    asks, kind = [], runner.game.definition.kind_about("winner")
    if kind is None:
        return [("not measurable", None)] * len(items)
    for item in items:
        first_choices, second_choices = (item.use_choices(root, kind, uses) for root in kind.sides)
        for opponent in panel.names:
            for is_removed in (False, True):
                extra = [item.without(root) if is_removed else "" for root in kind.sides]
                asks.append(Query(kind.name, item.entrant, opponent, _join(changes, extra[0]), "a", first_choices))
                asks.append(Query(kind.name, opponent, item.entrant, _join(changes, extra[1]), "a", second_choices))
    rows = runner(asks, measure_duel, "abilities and effects", skip_illegal=True)
    per_item = 4 * len(panel.names)
    return [_one_gain(rows[start : start + per_item], panel) for start in range(0, len(rows), per_item)]


def _join(changes: Sequence[str], extra: str) -> tuple[str, ...]:
    return (*changes, extra) if extra else tuple(changes)


def _one_gain(rows: Sequence[dict[str, float] | None], panel: Panel) -> _Gain:
    legal_rows = [row for row in rows if row is not None]
    if len(legal_rows) < len(rows):
        return "not legal", None
    scores, marks = (
        np.array(values).reshape(len(panel.names), 2, 2)
        for values in ([row["p_a"] + row["p_draw"] / 2 for row in legal_rows], [row["mark"] for row in legal_rows])
    )
    if np.abs(marks[:, 0] - marks[:, 1]).max() <= MARK_TOLERANCE:
        return "not measurable", None
    first, second = scores[:, :, 0].T, 1.0 - scores[:, :, 1].T
    mean = ((first + second) / 2) @ panel.weights
    return "measured", float(mean[0] - mean[1])


@dataclass(frozen=True)
class _Pairs:
    """Attacks, (attacker, target) each, in which an item may matter; its owner is the attacker if `side` is 0."""

    side: int
    item: Item
    pairs: list[tuple[str, str]]


def _attacks_on(runner: Runner, item: Item, attackers: Sequence[str]) -> list[tuple[str, str]]:
    target = runner.game.parts(item.entrant)[0]
    is_target = item.of_first and target in runner.game.targets
    return [(attacker, target) for attacker in attackers] if is_target else []


def _attack_gains(
    runner: Runner, groups: Sequence[_Pairs], changes: Sequence[str], gain: str, uses: Uses
) -> list[float | None]:
    """Return the mean gain with each item less that without; None where no distribution of an attack differs."""
    kind = runner.game.definition.kind_about("effect")
    if kind is None:
        return [None] * len(groups)
    asks = [
        Query(
            kind.name, *pair, _join(changes, extra), choices=group.item.use_choices(kind.sides[group.side], kind, uses)
        )
        for group in groups
        for pair in group.pairs
        for extra in ("", group.item.without(kind.sides[group.side]))
    ]
    rows = iter(runner(asks, _measure_marked, "abilities and effects", skip_illegal=True))
    gains: list[float | None] = []
    for group in groups:
        pairs = [(next(rows), next(rows)) for _ in group.pairs]
        legal_pairs = [
            (with_item, without_item)
            for with_item, without_item in pairs
            if with_item and without_item and gain in with_item
        ]
        whole = len(legal_pairs) == len(pairs)
        is_measurable = whole and any(
            abs(with_item["mark"] - without_item["mark"]) > MARK_TOLERANCE for with_item, without_item in legal_pairs
        )
        gains.append(
            float(np.mean([with_item[gain] - without_item[gain] for with_item, without_item in legal_pairs]))
            if is_measurable
            else None
        )
    return gains


def _measure_marked(question: Question) -> dict[str, float]:
    return measure_means(question) | {"mark": distribution_mark(question.distribution)}


def item_summary(table: pl.DataFrame) -> pl.DataFrame:
    """Return one row per item over all entrants that have it, the largest gain of score first.

    The columns are `table`, `column`, `item`, `status` (the most telling of its entrants'), `n_entrants`, `n_measured`,
    `n_not_legal`, then means of the gains over those measured.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> with_and_without(Runner(load("warforged")), ["spectre+shotgun", "nexus+shotgun"])["item"].to_list()
    ['slim', 'jump']
    """
    gains = ("score_gain", "damage_gain", "damage_taken_gain")
    status = pl.col("status").cast(pl.Enum(ITEM_STATUSES))
    return (
        table.group_by("table", "column", "item", maintain_order=True)
        .agg(
            status.min().cast(pl.String),
            pl.len().alias("n_entrants"),
            (status == "measured").sum().alias("n_measured"),
            (status == "not legal").sum().alias("n_not_legal"),
            *[pl.col(name).mean() for name in gains],
        )
        .sort("score_gain", descending=True, nulls_last=True, maintain_order=True)
    )


def with_and_without(runner: Runner, entrants: Sequence[str] | None = None) -> pl.DataFrame:
    """Return what each ability and effect of the entrants, by default all, is worth; columns as in `item_summary`."""
    from balance.analysis.claims.rule_options import panel_of

    names, panel = panel_of(runner, entrants)
    return item_summary(item_table(runner, find_items(runner.game, names), panel, names[:1]))
