"""The odds of dice in one sentence, as text: it needs no terminal, so that the page in a browser tells the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from balance.base.errors import comma_list
from balance.base.numbers import show_count, show_probability
from balance.verbs.render.dice.number_text import known_mean, share_text, shown_mean

if TYPE_CHECKING:
    from balance.chance.dice import Odds

LONGEST_FRACTION = 9
"""Characters of a fraction that is told beside a chance."""
RESULT_NAMES = {"win": "the first wins", "tie": "tie", "lose": "the second wins"}
"""What the results of a contest are called."""


def sentence_of(rows: Sequence[Odds]) -> str:
    """Return the sentence that answers."""
    return _answer(rows[0]) if len(rows) == 1 else _range(rows)


def chance_text(odds: Odds) -> str:
    """Return the chance that a comparison holds, with its fraction where that is short."""
    exact = short_fraction(odds, 1)
    return f"Chance {share_text(odds, odds.column().get(1, 0))}{f', {exact}' if exact else ''}."


def results_text(odds: Odds) -> str:
    """Return the chances of a contest in a sentence: the first wins, the second wins, a tie."""
    win, tie, lose = (share_text(odds, round(share * odds.weight)) for share in odds.result_fractions.values())
    return f"The first wins {win}, the second {lose}; {tie} tie."


def short_fraction(odds: Odds, value: int, name: str | None = None) -> str:
    """Return a chance as a fraction; empty where it is simulated, cut off or longer than nine characters."""
    if not odds.is_exact or odds.tail:
        return ""
    return odds.short_fraction(value, name, LONGEST_FRACTION)


def _answer(odds: Odds) -> str:
    """Return the chance of a comparison, the results of a contest, or means with the range of 90% of totals."""
    if odds.kind == "chance":
        return chance_text(odds)
    if odds.kind == "contest":
        return results_text(odds)
    if odds.kind == "symbols":
        mean = known_mean if odds.n_trials else shown_mean
        return f"On average {comma_list(f'{mean(odds, name)} {name}' for name in odds.columns)}."
    if len(odds.law) == 1:
        return f"Always {show_count(next(iter(odds.law)))}."
    low, middle, high = odds.quantiles_of((5, 50, 95))
    often = show_probability(sum(w for value, w in odds.law.items() if low <= value <= high) / odds.weight, 0)
    half = show_probability(odds.at_least(middle), 0)
    begin = f"On average {shown_mean(odds) if odds.is_exact else known_mean(odds, 'total')}"
    if low == high:
        return f"{begin}; {show_count(low)} in {often} of rolls."
    span = f"{show_count(low)} to {show_count(high)}"
    return f"{begin}; {span} in {often} of rolls, {show_count(middle)} or more in {half}."


def _range(rows: Sequence[Odds]) -> str:
    """Return the least and the greatest chance or mean, with their expressions."""
    if {odds.kind for odds in rows} == {"contest"}:
        low, high = (edge(rows, key=lambda odds: odds.results["win"]) for edge in (min, max))
        ends = [f"{show_probability(odds.results['win'], 2)} ({odds.expression})" for odds in (low, high)]
        return f"The first wins {ends[0]} to {ends[1]}."
    if {odds.kind for odds in rows} == {"chance"}:
        low, high = (edge(rows, key=lambda odds: odds.mean) for edge in (min, max))
        ends = [f"{show_probability(odds.mean, 2)} ({odds.expression})" for odds in (low, high)]
        return f"Chances from {ends[0]} to {ends[1]}."
    low, high = (edge(rows, key=lambda odds: odds.mean) for edge in (min, max))
    return f"Means from {shown_mean(low)} ({low.expression}) to {shown_mean(high)} ({high.expression})."
