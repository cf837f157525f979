"""The odds of dice in one sentence, and their numbers as texts, with how well they are known where simulated."""

from __future__ import annotations

from collections.abc import Sequence

from balance.answers.form import Terms
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_fixed, show_interval, show_probability
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.columns import ColumnNumbers
from balance.chance.dice.odds import Odds

LARGE = 10_000
"""Numbers from which decimals are left out."""
LONGEST_FRACTION = 9
"""Characters of a fraction that is told beside a chance."""
RESULT_NAMES = {"win": "the first wins", "tie": "tie", "lose": "the second wins"}
"""What the results of a contest are called."""


def sentence(dice: DiceOdds, terms: Terms) -> str:
    """Return the odds of one expression, or the least and the greatest of several."""
    return _answer(dice.rows[0]) if len(dice.rows) == 1 else _range(dice.rows)


def _answer(odds: Odds) -> str:
    """Return the chance of a comparison, the results of a contest, or means with the range of 90% of totals."""
    if odds.kind == "chance":
        return chance_text(odds)
    if odds.kind == "contest":
        win, tie, lose = (share_text(odds, round(share * odds.total)) for share in odds.result_fractions.values())
        return f"The first wins {win}, the second {lose}; {tie} tie."
    if odds.kind == "symbols":
        means = (f"{known_mean(odds, name)} {name}" for name in odds.columns)
        return f"On average {comma_list(means)}."
    if len(odds.weights) == 1:
        return f"Always {show_count(next(iter(odds.weights)))}."
    low, middle, high = (odds.quantile(q) for q in (0.05, 0.5, 0.95))
    often = show_probability(sum(w for value, w in odds.weights.items() if low <= value <= high) / odds.total, 0)
    begin = f"On average {known_mean(odds, 'total')}"
    if low == high:
        return f"{begin}; {show_count(low)} in {often} of rolls."
    half = show_probability(odds.at_least(middle), 0)
    return (
        f"{begin}; {show_count(low)} to {show_count(high)} in {often} of rolls, {show_count(middle)} or more in {half}."
    )


def _range(rows: Sequence[Odds]) -> str:
    """Return the least and the greatest chance or mean, with their expressions."""
    kinds = {odds.kind for odds in rows}
    if kinds == {"contest"}:
        begin, shares = "The first wins", [odds.results["win"] for odds in rows]
    else:
        begin, shares = "Chances from" if kinds == {"chance"} else "Means from", [odds.mean() for odds in rows]
    places = [edge(range(len(rows)), key=shares.__getitem__) for edge in (min, max)]
    show = number_text if begin == "Means from" else lambda share: show_probability(share, 2)
    low, high = (f"{show(shares[place])} ({rows[place].expression})" for place in places)
    return f"{begin} {low} to {high}."


def chance_text(odds: Odds) -> str:
    """Return the chance that a comparison holds, with its fraction where that is short."""
    exact = short_fraction(odds, 1)
    return f"Chance {share_text(odds, odds.weights.get(1, 0))}{f', {exact}' if exact else ''}."


def short_fraction(odds: Odds, value: int, name: str | None = None) -> str:
    """Return a chance as a fraction; empty where it is simulated, cut off or longer than nine characters."""
    return "" if odds.n_trials or odds.tail else odds.short_fraction(value, name, LONGEST_FRACTION)


def share_text(odds: Odds, weight: int) -> str:
    """Return the chance of a weight out of all of `odds.total`, with its 95 % interval where it is simulated."""
    text = show_probability(weight / odds.total, 2)
    return text if odds.is_exact else f"{text} ({interval_text(odds, weight)})"


def interval_text(odds: Odds, weight: int) -> str:
    """Return the 95 % interval (Wilson) of a simulated chance, of which `weight` trials had it."""
    return show_interval(*odds.interval_of(weight), show=lambda p: show_probability(p, 2))


def number_text(number: float) -> str:
    """Return a number with four decimals, from 10,000 on with none."""
    return show_fixed(number, 4 if abs(number) < LARGE else 0)


def known_mean(odds: Odds, name: str) -> str:
    """Return the mean of a column, of simulated odds with half its interval after ±."""
    mean = number_text(odds.mean(name))
    return mean if odds.is_exact else f"{mean} ± {number_text(SURE * odds.mean_error(name))}"


def quantile_texts(numbers: ColumnNumbers) -> list[str]:
    """Return all quantiles of a column."""
    return [show_count(value) for value in numbers.quantiles]
