r"""The law of one game: won, drawn or lost, given its log-odds.

`eta` is the log-odds of `side_a` winning against its losing. Davidson (1970) lets a game end with chances in proportion

    won : drawn : lost  =  exp(eta / 2) : nu : exp(-eta / 2),

so that draws are likeliest between equals; `cut` is log nu. Without draws, nu is 0 and this is Bradley and Terry's law
(1952). Rao and Kupper (1967) count as won what is won by more than a threshold: won with 1 / (1 + exp(cut - eta)), lost
with 1 / (1 + exp(cut + eta)), else drawn; `cut` is above 0. Both log-likelihoods are concave in (eta, cut).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from balance.base.arrays import FloatArray

Law: TypeAlias = Literal["none", "davidson", "rao_kupper"]
"""How draws come about; "none": there are none."""
Outcomes: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]
"""How many games were won, drawn and lost."""
CUT_PRIORS: dict[Law, tuple[float, float]] = {"none": (0.0, 1.0), "davidson": (-1.0, 1.5), "rao_kupper": (0.5, 1.0)}
"""Mean and standard deviation of the weak prior on `cut`: draws of 3 to 80 % between equals, and of 5 to 80 %."""


@dataclass(frozen=True)
class Slopes:
    """The log-likelihood of games, its gradient, and minus its second derivatives by eta and cut; all of one shape."""

    value: FloatArray
    eta: FloatArray
    cut: FloatArray
    eta_eta: FloatArray
    eta_cut: FloatArray
    cut_cut: FloatArray


def expit(x: FloatArray) -> FloatArray:
    """Return 1 / (1 + exp(-x)); what scipy has is slow to load."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1 + small))


def _log_expit(x: FloatArray) -> FloatArray:
    return np.asarray(np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x))))


def start_cut(law: Law, draw_share: float) -> float:
    """Return the cut at which equals draw this share of their games, clipped to 0.02 to 0.9; 0 for law "none"."""
    share = min(max(draw_share, 0.02), 0.9)
    if law == "rao_kupper":
        return float(2 * np.arctanh(share))
    return float(np.log(2 * share / (1 - share))) if law == "davidson" else 0.0


def chances(law: Law, eta: FloatArray, cut: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the chances that a game is won, drawn and lost at log-odds `eta` of the first side.

    >>> [float(chance.round(3)) for chance in chances("davidson", np.array(0.0), 0.0)]
    [0.333, 0.333, 0.333]
    """
    if law == "rao_kupper":
        win, loss = expit(eta - cut), expit(-eta - cut)
        return win, np.maximum(1 - win - loss, 0.0), loss
    if law == "none":
        return expit(eta), np.zeros_like(eta), expit(-eta)
    half = np.abs(eta) / 2
    draw = np.exp(cut - half)
    worse_weight = np.exp(-2 * half)
    total = 1 + draw + worse_weight
    better, worse = 1 / total, worse_weight / total
    return np.where(eta >= 0, better, worse), draw / total, np.where(eta >= 0, worse, better)


def even_score(law: Law, eta: FloatArray, cut: FloatArray | float, first_mover: FloatArray | float) -> FloatArray:
    """Return the expected score at log-odds `eta`, averaged over both seats, a draw counting half.

    `first_mover` is what going first adds to the log-odds.

    >>> even_score("none", np.array(0.0), 0.0, 1.0).item()
    0.5
    """
    total: FloatArray = np.zeros_like(eta)
    for seat in (first_mover, -np.asarray(first_mover)):
        win, draw, _ = chances(law, eta + seat, cut)
        total = total + (win + draw / 2) / 2
    return total


def slopes(
    law: Law, eta: FloatArray, cut: FloatArray, wins: FloatArray, draws: FloatArray, losses: FloatArray
) -> Slopes:
    """Return the log-likelihood of counts of games and its derivatives; everything broadcasts against `eta`."""
    return (
        _rao_kupper(eta, cut, wins, draws, losses)
        if law == "rao_kupper"
        else _davidson(law, eta, cut, wins, draws, losses)
    )


def _davidson(
    law: Law, eta: FloatArray, cut: FloatArray, wins: FloatArray, draws: FloatArray, losses: FloatArray
) -> Slopes:
    total, lead = wins + draws + losses, (wins - losses) / 2
    top = np.abs(eta) / 2
    worse = np.exp(-2 * top)
    rest = worse + np.exp(cut - top) if law == "davidson" else worse
    weight = 1 / (1 + rest)
    mean = np.copysign((1 - worse) * weight / 2, eta)
    value = lead * eta - total * (top + np.log1p(rest))
    if law == "none":
        zeros = np.zeros_like(value)
        return Slopes(value, lead - total * mean, zeros, total * (0.25 - mean**2), zeros, zeros)
    p_drawn = (rest - worse) * weight
    return Slopes(
        value + draws * cut,
        lead - total * mean,
        draws - total * p_drawn,
        total * ((1 + worse) * weight / 4 - mean**2),
        -total * mean * p_drawn,
        total * p_drawn * (1 - p_drawn),
    )


def _rao_kupper(eta: FloatArray, cut: FloatArray, wins: FloatArray, draws: FloatArray, losses: FloatArray) -> Slopes:
    # A draw is "not won" at eta - cut and "not lost" at eta + cut: two logistic regressions and a term of cut alone.
    low, high = eta - cut, eta + cut
    p_low, p_high = expit(low), expit(high)
    by_low, by_high = wins * (1 - p_low) - draws * p_low, draws * (1 - p_high) - losses * p_high
    bend_low, bend_high = (wins + draws) * p_low * (1 - p_low), (draws + losses) * p_high * (1 - p_high)
    gap = -np.expm1(-2 * cut)
    value = wins * _log_expit(low) + losses * _log_expit(-high)
    return Slopes(
        value + draws * (_log_expit(high) + _log_expit(-low) + np.log(gap)),
        by_low + by_high,
        by_high - by_low + draws * 2 * (1 - gap) / gap,
        bend_low + bend_high,
        bend_high - bend_low,
        bend_low + bend_high + draws * 4 * (1 - gap) / gap**2,
    )


def third_and_fourth(law: Law, eta: FloatArray, cut: FloatArray, outcomes: Outcomes) -> tuple[FloatArray, FloatArray]:
    """Return the third and fourth derivatives of the log-likelihood by eta; `outcomes`: won, drawn, lost games."""
    wins, draws, losses = outcomes
    if law == "rao_kupper":
        low, high = _logistic_bends(eta - cut), _logistic_bends(eta + cut)
        return -(wins + draws) * low[0] - (draws + losses) * high[0], -(wins + draws) * low[1] - (
            draws + losses
        ) * high[1]
    total = wins + draws + losses
    p_won, _, p_lost = chances(law, eta, cut)
    mean, second = (p_won - p_lost) / 2, (p_won + p_lost) / 4  # of one half, none or minus one half
    third = mean / 4 - 3 * mean * second + 2 * mean**3
    fourth = second / 4 - mean**2 - 3 * second**2 + 12 * mean**2 * second - 6 * mean**4
    return -total * third, -total * fourth


def _logistic_bends(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    p = expit(x)
    spread = p * (1 - p)
    return spread * (1 - 2 * p), spread * (1 - 6 * spread)
