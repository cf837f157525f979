"""Numbers of one expression of dice as texts: chances and means, with how well they are known where simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from balance.base.numbers import SURE, show_fixed, show_interval, show_probability

if TYPE_CHECKING:
    from balance.chance.dice import Odds

LARGE = 10_000
"""Numbers from which decimals are left out."""
BAR = 24
"""Columns of a bar for a chance of 1."""
Cells = list[object]


def share_text(odds: Odds, weight: int) -> str:
    """Return a chance, with its interval where it is simulated.

    Parameters
    ----------
    odds
        The odds of an expression.
    weight
        What the chance weighs among all of its law.
    """
    text = show_probability(weight / odds.weight, 2)
    return text if odds.is_exact else f"{text} ({interval_text(odds, weight)})"


def interval_text(odds: Odds, weight: int) -> str:
    """Return the 95 % interval of a simulated chance.

    Parameters
    ----------
    odds
        The odds of an expression.
    weight
        How many of its trials had it.
    """
    from balance.chance.trials.stopping import wilson_interval

    return show_interval(*wilson_interval(weight, odds.n_trials), show=lambda p: show_probability(p, 2))


def number_text(number: float) -> str:
    """Return a number with four places, a large one with fewer."""
    return show_fixed(number, 4 if abs(number) < LARGE else 0)


def shown_mean(odds: Odds, name: str | None = None) -> str:
    """Return the mean of a column, for people.

    Parameters
    ----------
    odds
        The odds of an expression.
    name
        The column; the only one without it.
    """
    return number_text(float(odds.mean_of(name)))


def known_mean(odds: Odds, name: str) -> str:
    """Return a simulated mean with how well it is known.

    Parameters
    ----------
    odds
        Simulated odds of an expression.
    name
        The column.
    """
    return f"{shown_mean(odds, name)} ± {number_text(SURE * odds.mean_error(name))}"
