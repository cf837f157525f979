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
    """Return the chance of a weight out of all of `odds.weight`, with its 95 % interval where it is simulated."""
    text = show_probability(weight / odds.weight, 2)
    return text if odds.is_exact else f"{text} ({interval_text(odds, weight)})"


def interval_text(odds: Odds, weight: int) -> str:
    """Return the 95 % interval (Wilson) of a simulated chance, of which `weight` trials had it."""
    from balance.chance.trials.stopping import wilson_interval

    return show_interval(*wilson_interval(weight, odds.n_trials), show=lambda p: show_probability(p, 2))


def number_text(number: float) -> str:
    """Return a number with four decimals, from 10,000 on with none."""
    return show_fixed(number, 4 if abs(number) < LARGE else 0)


def shown_mean(odds: Odds, name: str | None = None) -> str:
    """Return the mean of a column, of the only one without a name, as `number_text` writes it."""
    return number_text(float(odds.mean_of(name)))


def known_mean(odds: Odds, name: str) -> str:
    """Return the mean of a column of simulated odds, with half its interval after ±."""
    return f"{shown_mean(odds, name)} ± {number_text(SURE * odds.mean_error(name))}"
