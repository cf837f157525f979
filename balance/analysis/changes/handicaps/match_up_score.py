"""What the first side of a match-up scores, and how many trials a search plays to know it."""

from __future__ import annotations

import math

from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.game.game import QuestionKind
from balance.game.question.question import Question

ROUNDING = 1e-9
SEARCH_SHARES = (16, 4, 1)
"""Where trials are long, a search plays one in so many of the usual ones; more where that does not tell enough."""


def noise(first: Estimate, second: Estimate) -> float:
    """Return by how much two scores may differ by chance: 4 standard errors.

    Parameters
    ----------
    first, second
        The scores.
    """
    return ROUNDING + 4 * math.hypot(first.error or 0.0, second.error or 0.0)


def first_score(question: Question, distribution: Pmf) -> float:
    """Return what the first side scores in a distribution of the winner; draws count one half.

    Parameters
    ----------
    question
        What is asked.
    distribution
        Of its winner at least.
    """
    chances = question.p_win(distribution)
    return chances[question.kind.sides[0]] + chances.get("draw", 0.0) / 2


def simulated_score(question: Question, trials: int, seed: int) -> Estimate:
    """Return what the first side scores in a simulation.

    Parameters
    ----------
    question
        What is asked.
    trials
        How many are played.
    seed
        Of all dice and draws.
    """
    return Estimate.of_share(first_score(question, question.simulate(trials, seed=seed).distribution), trials)


def measure_score(seed: int, fresh: bool, question: Question) -> Estimate:
    """Return what the first side scores: exactly where it can be, unless fresh dice are asked for.

    Parameters
    ----------
    seed
        Of all dice and draws: the same seed gives the same numbers.
    fresh
        Whether the score is simulated even where it can be had exactly.
    question
        What is asked.
    """
    if fresh or question.why_no_distribution:
        return simulated_score(question, question.kind.usual_trials, seed)
    return Estimate.exact(first_score(question, question.distribution))


def search_trials(kind: QuestionKind) -> tuple[int, ...]:
    """Return how many trials a search plays of a match-up, one number after the other until it knows enough.

    >>> from balance.game.loaded import load
    >>> search_trials(load("battlelore").kind("battle")), search_trials(load("edadh").kind("duel"))
    ((512, 2048, 8192), (65536,))
    """
    return tuple(kind.usual_trials // share for share in (SEARCH_SHARES if kind.is_long else (1,)))


def search_score(seed: int, band: tuple[float, float], look: int, question: Question) -> Estimate:
    """Return what the first side scores; of long trials only so many as tell on which side of a band's ends it lies.

    Parameters
    ----------
    seed
        Of all dice and draws: the same seed gives the same numbers.
    band
        Between which scores a match-up is even.
    look
        How close: the place among `search_trials` from which on numbers of trials are tried.
    question
        What is asked.
    """
    trials = search_trials(question.kind)[look:]
    if len(trials) < 2 or not question.why_no_distribution:
        return measure_score(seed, False, question)
    for n_trials in trials:
        score = simulated_score(question, n_trials, seed)
        if not any(score.low < end < score.high for end in band):
            break
    return score
