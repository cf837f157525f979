"""What a change does at equal points, in sentences and tables: scores, typical match-ups, fair costs and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from balance.analysis.prices.verdicts import NOT_KNOWN
from balance.answers.blocks.tables import Cell, Table, interval_cell, number_cell
from balance.answers.blocks.text import literal
from balance.answers.form import Terms
from balance.answers.words.changes.sentences import Name, before_after, change_text, containing_text, moves_most_text
from balance.answers.words.changes.tables import Columns, cost_cell, left_out, right, table_of
from balance.answers.words.lists import list_words
from balance.base.numbers import show_fixed, show_interval, show_probability, show_probability_change
from balance.study.compare.answer import ArmyScore, Comparison, EqualPoints, PriceChange, TypicalChange

TYPICAL = (
    "How two armies of equal points typically stand, the better one first: one half and the root mean square distance "
    "from it, over all match-ups of armies of one member each."
)
MOST_NAMED = 3
"""Changed cards that the first sentence names; of more, only the one that moves most."""


class ArmyRow(NamedTuple):
    """What armies of a card or entrant score in a setting, and what it should cost, if that was asked."""

    score: ArmyScore
    price: PriceChange | None

    @property
    def moves(self) -> bool:
        """Whether the score certainly changes."""
        low, high = self.score.low, self.score.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def turns(self) -> bool:
        """Whether the verdict turns from one that is known into another."""
        verdicts = {self.price.verdict_before, self.price.verdict_after} if self.price else set()
        return len(verdicts) > 1 and NOT_KNOWN not in verdicts


def army_lead(comparison: Comparison, armies: EqualPoints, terms: Terms, name: Name) -> str:
    """Return in plain sentences what a change does at equal points, then what is changed and whom that concerns."""
    typical, affected = armies.typical_match_ups[0], comparison.affected
    setting = f" ({typical.title})" if len(armies.typical_match_ups) > 1 else ""
    before, after = match_up_text(typical.off_before), match_up_text(typical.off_after)
    stands = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    moves = f"At equal points{setting}, {_moves_text(comparison, armies, name)}."
    whom = "That concerns everybody" if affected.everybody else containing_text(affected, terms)
    return f"{moves} A typical match-up {stands}. {change_text(affected)} {whom}."


def match_up_text(off: float) -> str:
    """Return a score `off` from one half as a ratio of per cents.

    >>> match_up_text(0.153)
    '65:35'
    """
    best = round(50 + 100 * min(off, 0.5))
    return f"{best}:{100 - best}"


def _moves_text(comparison: Comparison, armies: EqualPoints, name: Name) -> str:
    """Return the scores of armies of the changed cards before and after, or of whoever's score moves most.

    The latter where more than `MOST_NAMED` cards change, or none is listed.
    """
    listed = listed_rows(comparison, armies)[armies.typical_match_ups[0].setting]
    changed_ids = {card.card for card in comparison.affected.cards}
    rows = [row for row in listed if row.score.entrant in changed_ids]
    if 0 < len(rows) <= MOST_NAMED:
        return list_words([_score_text(comparison, row, name) for row in rows])
    moved = [row for row in listed if row.moves]
    if not moved:
        exact = all(row.score.low is None for row in listed)
        return "no mean score moves" if exact else "no mean score is known to move"
    moves = [
        (f"armies of {name(row.score.entrant)}", row.score.before, row.score.after, _verdict_note(row.price))
        for row in moved
    ]
    return moves_most_text(moves)


def _score_text(comparison: Comparison, row: ArmyRow, name: Name) -> str:
    """Return the scores of armies of an entrant, or with a card, before and after, and the verdict on its price."""
    score, note = row.score, _verdict_note(row.price)
    is_entrant = any(score.entrant == standing.entrant for standing in comparison.affected.standing)
    whose = f"armies {'of' if is_entrant else 'with'} {name(score.entrant)}"
    after, before = show_probability(score.after), show_probability(score.before)
    if score.low is None:
        return f"{whose} score {after} as before{note}"
    if not row.moves:
        return f"{whose} score {after}, about as before{note}"
    return f"{whose} score {after} instead of {before}{note}"


def _verdict_note(price: PriceChange | None) -> str:
    """Return the verdict on a price after the change, with the one before, in brackets."""
    if price is None:
        return ""
    before, after = price.verdict_before, price.verdict_after
    return f" ({after}, as before)" if before == after else f" ({before} → {after})"


def army_tables(
    comparison: Comparison, armies: EqualPoints, terms: Terms, name: Name, max_rows: int = 18, brief: bool = False
) -> Iterator[Table]:
    """Yield the tables of scores in each setting, of typical match-ups if there are several, and of fair costs.

    Each has at most `max_rows` cards and entrants, `compare.json` holds all; `brief` ones fit a screen.
    """
    settings, listed = armies.typical_match_ups, listed_rows(comparison, armies)
    for place, setting in enumerate(settings):
        if rows := listed[setting.setting]:
            where = setting.title if len(settings) > 1 else ""
            yield _score_table(rows, terms, where, name, max_rows, brief, with_verdict=place == 0)
    if len(settings) > 1:
        yield _typical_table(settings, brief)
    first = listed[settings[0].setting]
    if any(row.price for row in first):
        yield _cost_table(first, terms, name, max_rows, brief)


def listed_rows(comparison: Comparison, armies: EqualPoints) -> dict[str, list[ArmyRow]]:
    """Return by setting the changed cards, the entrants that contain one, and others that surely change.

    Others are those whose score certainly moves by more than the smallest imbalance, or whose verdict turns.
    """
    prices = {price.entrant: price for price in armies.prices}
    rows = [ArmyRow(score, prices.get(score.entrant)) for score in armies.scores]
    by_size = sorted(rows, key=lambda row: -abs(row.score.difference))
    affected, imbalance = comparison.affected, comparison.summary.imbalance
    containing = {row.entrant for row in affected.standing if row.cards}
    own = [row.score.entrant for row in by_size if row.score.entrant in containing]
    others = [row.score.entrant for row in by_size if row.turns or _least(row.score) > imbalance]
    order = {name: n for n, name in enumerate(dict.fromkeys([*(c.card for c in affected.cards), *own, *others]))}
    listed = sorted((row for row in rows if row.score.entrant in order), key=lambda row: order[row.score.entrant])
    settings = [typical.setting for typical in armies.typical_match_ups]
    return {setting: [row for row in listed if row.score.setting == setting] for setting in settings}


def _least(score: ArmyScore) -> float:
    """Return by how much a score moves at least."""
    return max(score.low or 0.0, 0.0) - min(score.high or 0.0, 0.0)


def _score_table(
    rows: Sequence[ArmyRow], terms: Terms, title: str, name: Name, max_rows: int, brief: bool, with_verdict: bool
) -> Table:
    """Return the table of scores of armies in a setting; `with_verdict` adds the verdict."""
    has_verdict = with_verdict and any(row.price for row in rows)
    verdict: Columns[ArmyRow] = [("Verdict", lambda row: verdict_text(row.price))] if has_verdict else []
    columns = _first_columns(rows, terms, name)
    columns += [
        (right("Before"), lambda row: number_cell(row.score.before, show_probability)),
        (right("After"), lambda row: number_cell(row.score.after, show_probability)),
    ]
    caption = f"Armies of equal points{', ' if title else ''}{literal(title)}:"
    if brief:
        columns += [(right("Change, pp"), lambda row: _change(row.score)), *verdict]
    else:
        show, entrants = show_probability_change, literal(terms.entrants)
        columns += [
            (right("Change"), lambda row: number_cell(row.score.difference, show)),
            (right("Interval"), lambda row: interval_cell(row.score.low, row.score.high, show, "exact")),
        ]
        columns[1:1] = verdict  # on a phone the first columns are in view, on a screen the last may wrap
        caption += f" what armies of one {literal(terms.entrant)} score on average against those of each other, and a "
        caption += f"card's {entrants} on average. Intervals hold all together."
    return table_of(rows[:max_rows], columns, caption, left_out(len(rows) - max_rows))


def _first_columns(rows: Sequence[ArmyRow], terms: Terms, name: Name) -> Columns[ArmyRow]:
    """Return the column of names, and that of costs where there are any."""
    names: Columns[ArmyRow] = [(f"Card or {terms.entrant}", lambda row: name(row.score.entrant))]
    return names + ([(right("Cost"), _cost)] if any(row.price for row in rows) else [])


def _cost(row: ArmyRow) -> Cell:
    return Cell("–") if row.price is None else cost_cell(row.price.cost_before, row.price.cost_after)


def _change(score: ArmyScore) -> Cell:
    """Return a change with half the width of its interval, in percentage points."""
    change = show_probability_change(score.difference, unit="")
    if score.low is not None and score.high is not None:
        change += f" ± {show_fixed(50 * (score.high - score.low), 1)}"
    return Cell(change, score.difference, score.low, score.high)


def verdict_text(price: PriceChange | None) -> str:
    """Return the verdict on a price, with the one before if it differs; a dash where there is none."""
    return "–" if price is None else before_after(price.verdict_before, price.verdict_after)


def _typical_table(settings: Sequence[TypicalChange], brief: bool) -> Table:
    columns: Columns[TypicalChange] = [
        ("Setting", lambda row: row.title),
        (right("Before"), lambda row: number_cell(row.off_before, match_up_text)),
        (right("After"), lambda row: number_cell(row.off_after, match_up_text)),
    ]
    return table_of(settings, columns, "A typical match-up:" if brief else TYPICAL)


def _cost_table(rows: Sequence[ArmyRow], terms: Terms, name: Name, max_rows: int, brief: bool) -> Table:
    """Return the table of costs and fair costs, before and after."""
    columns = _first_columns(rows, terms, name)
    columns += [(right(f"Fair {side}"), partial(_fair, side, brief)) for side in ("before", "after")]
    points = literal(terms.points)
    whole = (
        f"What these cards and {literal(terms.entrants)} should cost, in {points}; in brackets how far settings and "
    )
    caption = f"Fair costs, in {points}:" if brief else f"{whole}dice leave that open."
    return table_of(rows[:max_rows], columns, caption, left_out(len(rows) - max_rows))


def _fair(side: str, brief: bool, row: ArmyRow) -> Cell:
    """Return a fair cost with its range, before or after; with `brief` the range alone."""
    if row.price is None:
        return Cell("–")
    fair, low, high = (getattr(row.price, f"{name}_{side}") for name in ("fair", "fair_low", "fair_high"))
    range_text = show_interval(low, high, lambda cost: show_fixed(cost, 0 if brief else 1))
    return Cell(range_text if brief else f"{show_fixed(fair, 1)} ({range_text})", fair, low, high)


METHOD = (
    "Armies are of one {entrant} each, as many as their points buy, at budgets other than those by which fair costs "
    "are found. Both sides of the change were played with the same draws and dice, either army going first as often; "
    "a match-up that the change does not touch was played once. Intervals of changes hold for all cards, {entrants} "
    "and settings together with {confidence} (Bonferroni). A verdict is that of `balance price`: in the game as its "
    "rulebook prints it, by every way of playing that counts."
)


def method_text(comparison: Comparison, terms: Terms) -> str:
    """Return a paragraph on how armies of equal points were played and intervals made, as marked text."""
    confidence = show_probability(comparison.summary.confidence, 0)
    return METHOD.format(entrant=literal(terms.entrant), entrants=literal(terms.entrants), confidence=confidence)


def duel_text(comparison: Comparison) -> str:
    """Return the sentence that introduces duels, in which no cost counts; it says so if they do not change."""
    if comparison.touches_duels:
        return "What follows is one against one: no cost touches a duel."
    if comparison.summary.costs:
        return "One against one nothing changes: no cost touches a duel."
    return "One against one nothing changes: no duel shows what is changed."
