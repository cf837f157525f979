"""Wald's sequential probability ratio test, as a plan for evenings and as engine testers read their logs.

A log of games speaks for one value of the score against another by the log-likelihood ratio (LLR); a test stops when it
passes one of two bounds (Wald 1945, Annals of Mathematical Statistics 16, 117). Testers of chess engines print it under
every test, "LLR: 2.95 (-2.94,2.94) <0.00,2.00>", from the counts of losses, draws and wins, or of the five scores of
pairs of games with colours swapped ("Ptnml(0-2)"). What the other parameters of such a law are nobody knows, so both
likelihoods are taken at their best: the generalised ratio of Van den Bergh (cantate.be/Fishtest,
support_MLE_multinomial and normalized_elo_practical).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log
from typing import Literal

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError
from balance.playtests.need.fixed import about
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import NEVER, Leads, Zone, chances
from balance.playtests.need.sequential import evenings_a_look

EloModel = Literal["logistic", "normalized", "bayes"]

NORMALIZED_ELO = 800 / log(10)
"""Normalized Elo of a game whose score lies one standard deviation above one half."""
NEVER_SEEN = 1e-3
"""What a result that never came up counts, as fishtest has it: so that no likelihood is 0."""
STILL_OPEN = 1e-6
"""Share of tests still running at which a plan is cut off."""
MOST_SPRT_LOOKS = 20_000


def wald_bounds(false_alarm: float, miss: float) -> tuple[float, float]:
    """Return the log-likelihood ratios at which to stop, lower and upper: log(b / (1 - a)) and log((1 - b) / a).

    >>> [round(bound, 2) for bound in wald_bounds(0.05, 0.05)]
    [-2.94, 2.94]
    """
    return log(miss / (1 - false_alarm)), log((1 - miss) / false_alarm)


def llr(counts: Sequence[float], elo0: float, elo1: float, model: EloModel = "logistic") -> float:
    """Return the log-likelihood ratio of a log for `elo1` against `elo0`, differences in Elo.

    `counts` are losses, draws and wins, or the pairs of games that scored 0, 1/2, 1, 3/2 and 2. With "logistic" the
    expected score is 1 / (1 + 10 ** (-elo / 400)); with "normalized" it lies elo / 347.4 standard deviations of one
    game above one half; "bayes", for three counts only, is the model in which draws have a rating too, and the LLR is
    Wald's own.

    Raises `UsageError` for neither three nor five counts, one below 0, none above, or "bayes" without a win, a draw and
    a loss. Source: fishtest's pages of mathematics, see above; the counts below are of Stockfish's commit d077f9a81,
    which prints 2.95.

    >>> round(llr([20, 1334, 3810, 1569, 35], 0, 2, "normalized"), 2)
    2.95
    """
    numbers = np.asarray(counts, np.float64)
    if len(numbers) not in (3, 5) or (numbers < 0).any() or not numbers.any() or not np.isfinite(numbers).all():
        allowed_text = "losses, draws, wins; or pairs that scored 0, 1/2, 1, 3/2, 2"
        raise UsageError(Fault("are no counts of a log", found=str(list(counts)), allowed=allowed_text))
    if model == "bayes":
        return _bayes_llr(numbers, elo0, elo1)
    positive_counts = np.where(numbers == 0, NEVER_SEEN, numbers)
    shares, values = positive_counts / positive_counts.sum(), np.linspace(0, 1, len(positive_counts))
    if model == "logistic":
        laws = [_with_mean(values, shares, 1 / (1 + 10 ** (-elo / 400))) for elo in (elo0, elo1)]
    else:
        per_count = (2 if len(positive_counts) == 5 else 1) ** 0.5 / NORMALIZED_ELO
        laws = [_with_t(values, shares, elo * per_count) for elo in (elo0, elo1)]
    return float(positive_counts @ np.log(laws[1] / laws[0]))


def _tilted_law(moves: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the maximum-likelihood law, given observed shares, with E[moves] = 0: shares / (1 + x moves)."""
    from scipy.optimize import brentq

    low, high = -1 / moves.max(), -1 / moves.min()
    inset = 1e-9 * (high - low)
    x = brentq(lambda x: float(shares @ (moves / (1 + x * moves))), low + inset, high - inset, xtol=1e-14)
    return shares / (1 + x * moves)


def _with_mean(values: FloatArray, shares: FloatArray, mean: float) -> FloatArray:
    """Return the maximum-likelihood law with this mean (support_MLE_multinomial, proposition 1.1)."""
    return _tilted_law(values - mean, shares)


def _with_t(values: FloatArray, shares: FloatArray, t: float) -> FloatArray:
    """Return the maximum-likelihood law whose mean lies t of its standard deviations above one half.

    Mean and deviation both depend on the law, so the constraint is linearised about the last law, and solved again
    until it converges (normalized_elo_practical, section 4.1).
    """
    law = np.full(len(values), 1 / len(values))
    for _ in range(100):
        mean = float(law @ values)
        deviation = float(law @ (values - mean) ** 2) ** 0.5
        moves = values - HALF - t * deviation * (1 + ((values - mean) / deviation) ** 2) / 2
        last, law = law, _tilted_law(moves, shares)
        if np.abs(law - last).max() < 1e-12:
            break
    return law


def _bayes_llr(counts: FloatArray, elo0: float, elo1: float) -> float:
    """Return Wald's ratio if wins and losses are logistic in Elo and draws have a rating, estimated from the counts.

    Hunt's model of BayesElo, as cutechess and fishtest before 2019 used it: P(win) = f(draw_elo - elo), P(loss) =
    f(draw_elo + elo), f(x) = 1 / (1 + 10 ** (x / 400)).
    """
    if len(counts) != 3 or not counts.all():
        raise UsageError("the Elo of BayesElo needs three counts, each above 0: losses, draws, wins")
    loss, _, win = counts / counts.sum()
    draw_elo = 200 * np.log10((1 / loss - 1) * (1 / win - 1))

    def law(elo: float) -> FloatArray:
        win, loss = (1 / (1 + 10 ** ((draw_elo - side) / 400)) for side in (elo, -elo))
        return np.array([loss, 1 - win - loss, win])

    return float(counts @ np.log(law(elo1) / law(elo0)))


def sprt_zones(goal: Goal) -> tuple[Zone, ...]:
    """Return where two of Wald's tests, one half against each side of a difference, stop by looks after every evening.

    Overpowered if the upper side's test passes its upper bound, underpowered likewise, fair if both pass their lower
    bounds. Draws enter at their rate, so that the bounds are straight lines in the lead and the games. There is no
    last evening; the plan goes on until all but one in a million would have stopped, whatever the truth.

    >>> zones = sprt_zones(Goal(0.2))
    >>> next((zone.games, zone.up) for zone in zones if zone.up <= zone.games)
    (12, 12)
    """
    assert goal.difference is not None  # noqa: S101 - bands have no such test
    lower, upper = wald_bounds(1 - (1 + goal.level) / 2, 1 - goal.power)
    (win0, _, loss0), (win1, _, loss1) = (chances(score, goal.draws) for score in (HALF, goal.sides[1]))
    a_win, a_loss = log(win1 / win0), log(loss1 / loss0)
    slope, drift = (a_win - a_loss) / 2, (1 - goal.draws) * (a_win + a_loss) / 2
    open_at = [Leads(score, goal.draws) for score in (HALF, (HALF + goal.sides[1]) / 2)]
    a_look = goal.games_per_evening * evenings_a_look(ceil(about(goal) / goal.games_per_evening))
    zones: list[Zone] = []
    while len(zones) < MOST_SPRT_LOOKS and max(leads.weights.sum() for leads in open_at) > STILL_OPEN:
        games = a_look * (len(zones) + 1)
        up, fair = ceil((upper - drift * games) / slope), floor((lower - drift * games) / slope)
        if goal.draws == 0:
            up, fair = up + (games - up) % 2, fair - (games - fair) % 2
        zones.append(Zone(games, -up, -fair, fair, up) if fair >= 0 else Zone(games, -up, NEVER, -NEVER, up))
        for leads in open_at:
            leads.play(games)
            for low, high in ((-NEVER, -up), (-fair, fair), (up, NEVER)):
                leads.take(low, high)
    return tuple(zones)
