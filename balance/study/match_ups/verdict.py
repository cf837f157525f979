"""When a match-up is known well enough, and what is said of it.

The datum is the mirrored pair: two games on the same dice with the turn order swapped, a win counting 1 and a draw 1/2.
The score of side a is the mean over pairs, with an interval that holds however often one looks. It is *fair* once the
whole interval lies within the smallest imbalance worth caring about around 1/2, *unfair* once it lies wholly outside,
and *not yet known* until then. Only sides that cost the same owe each other an even score: where the points differ, the
same is called *even* and *one-sided*, which says who wins and judges nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

import numpy as np

from balance.base.arrays import FloatArray
from balance.chance.pmf import Pmf
from balance.chance.trials.confidence import anytime_mean_interval
from balance.chance.trials.estimate import Estimate
from balance.study.settings.grid import Budget

LONGEST = 10**15
"""Where an estimate of the trials still needed ends: the interval's middle lies on the very edge of a verdict."""


def scores_of(counts: Pmf, column: str, winners: Mapping[str, int]) -> FloatArray:
    """Return what side a scored in one game of each outcome, `float64[m]`: 1 for a win, 1/2 for a draw.

    `column` holds the winner's code, `winners` maps results to codes.

    >>> scores_of(Pmf.of([1, 2, 0], "winner"), "winner", {"a": 1, "b": 2, "draw": 0}).tolist()
    [0.5, 1.0, 0.0]
    """
    values = counts[column]
    return np.where(values == winners["a"], 1.0, np.where(values == winners["b"], 0.0, 0.5))


def mean_of(
    values: FloatArray, counts: Pmf, confidence: float, low_bound: float = 0.0, high_bound: float = 1.0
) -> Estimate:
    """Return the mean of a value of each outcome, weighted by counts, with its anytime-valid interval.

    `values` is `float64[m]`, from `low_bound` to `high_bound`; `confidence` holds over all looks together.
    """
    span = high_bound - low_bound
    distinct, place = np.unique((values - low_bound) / span, return_inverse=True)
    weights = np.bincount(place.ravel(), weights=counts.weights.astype(np.float64))
    n = int(counts.total)
    low, high = anytime_mean_interval(np.clip(distinct, 0.0, 1.0), weights, confidence)
    mean = float(distinct @ weights) / n
    return Estimate(low_bound + span * mean, low_bound + span * low, low_bound + span * high, n, level=confidence)


def judge_score(estimate: Estimate, imbalance: float, even: float = 0.5) -> str:
    """Return "fair" if the interval lies within `imbalance` of `even`, "unfair" if outside, else "not yet known".

    >>> [judge_score(Estimate(0.5, *ends, n_trials=9), 0.02) for ends in ((0.49, 0.51), (0.53, 0.60), (0.45, 0.55))]
    ['fair', 'unfair', 'not yet known']
    """
    margin = imbalance + 1e-12
    if even - margin <= estimate.low and estimate.high <= even + margin:
        return "fair"
    return "unfair" if estimate.low > even + margin or estimate.high < even - margin else "not yet known"


UNEQUAL_WORDS = {"fair": "even", "unfair": "one-sided"}
MATCH_UP_VERDICTS = ("fair", "unfair", "even", "one-sided", "not yet known")
"""What is said of a match-up: of equal points the first two, of unequal ones the next."""


def judge_match_up(estimate: Estimate, imbalance: float, equal_points: bool) -> str:
    """Return one of `MATCH_UP_VERDICTS`: sides of unequal points are "even" or "one-sided", not fair or unfair.

    >>> [judge_match_up(Estimate.exact(0.9), 0.02, equal) for equal in (True, False)]
    ['unfair', 'one-sided']
    """
    word = judge_score(estimate, imbalance)
    return word if equal_points else UNEQUAL_WORDS.get(word, word)


def more_needed(estimate: Estimate, imbalance: float, even: float = 0.5) -> int:
    """Return about how many more pairs a verdict needs, since widths shrink as 1/sqrt(n); 0 once there is one.

    >>> more_needed(Estimate(0.5, 0.46, 0.54, n_trials=100), 0.02) - 300 <= 1
    True
    """
    if judge_score(estimate, imbalance, even) != "not yet known":
        return 0
    room = abs(abs(estimate.value - even) - imbalance)
    return LONGEST if room * 1e6 < estimate.half_width else min(LONGEST, _more(estimate, room))


def _more(estimate: Estimate, width: float) -> int:
    return max(1, ceil(estimate.n_trials * ((estimate.half_width / width) ** 2 - 1)))


def stop_reason(estimate: Estimate, budget: Budget, planned: int) -> str:
    """Return why a match-up needs no further pairs: "half-width", "verdict", "trials", "cap", or "" if it does.

    `planned` pairs, in whole blocks, are the most it is given.
    """
    if budget.half_width is not None:
        if estimate.half_width <= budget.half_width:
            return "half-width"
    elif budget.trials is None and judge_score(estimate, budget.imbalance) != "not yet known":
        return "verdict"
    if estimate.n_trials >= planned:
        return "trials" if budget.trials is not None else "cap"
    return ""


def expected_more(estimate: Estimate, budget: Budget, planned: int) -> int:
    """Return about how many more pairs a match-up will be given, up to `planned` in all."""
    if stop_reason(estimate, budget, planned):
        return 0
    if budget.trials is not None:
        more = planned - estimate.n_trials
    elif budget.half_width is not None:
        more = _more(estimate, budget.half_width)
    else:
        more = more_needed(estimate, budget.imbalance)
    return min(more, planned - estimate.n_trials)
