"""What the first side of a match-up scores, and how many trials a search plays to know it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from balance.chance.pmf import Pmf
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import block_sizes
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import count_rows
from balance.chance.trials.together import play_blocks
from balance.game.game import QuestionKind
from balance.game.question.question import Question

SEARCH_SHARES = (16, 4, 1)
"""Where trials are long, a search plays one in so many of the usual ones; more where that does not tell enough."""


def first_score(question: Question, distribution: Pmf) -> float:
    """Return the score of the first side, 0 to 1, from a distribution that has the winner; draws count a fair share."""
    return question.score(question.p_win(distribution))


def simulated_score(question: Question, trials: int, seed: int) -> Estimate:
    """Return the simulated score of the first side, 0 to 1, with its error."""
    return Estimate.of_share(first_score(question, question.simulate(trials, seed=seed).distribution), trials)


def measure_score(seed: int, fresh: bool, question: Question) -> Estimate:
    """Return the score of the first side: exact where possible, unless `fresh` asks for a simulation."""
    if fresh or question.why_no_distribution:
        return simulated_score(question, question.kind.usual_trials, seed)
    return Estimate.exact(first_score(question, question.distribution))


def search_trials(kind: QuestionKind) -> tuple[int, ...]:
    """Return the rising numbers of trials that a search plays of a match-up until it knows enough.

    >>> from balance.game.loaded import load
    >>> search_trials(load("battlelore").kind("battle")), search_trials(load("edadh").kind("duel"))
    ((512, 2048, 8192), (65536,))
    """
    return tuple(kind.usual_trials // share for share in (SEARCH_SHARES if kind.is_long else (1,)))


def search_score(seed: int, band: tuple[float, float], look: int, question: Question) -> Estimate:
    """Return the score of the first side; long trials stop once its interval contains neither end of the band.

    `look` is the place among `search_trials` of the number of trials to begin with: higher is closer.
    """
    trials = search_trials(question.kind)[look:]
    if len(trials) < 2 or not question.why_no_distribution:
        return measure_score(seed, False, question)
    for n_trials in trials:
        score = simulated_score(question, n_trials, seed)
        if not any(score.low < end < score.high for end in band):
            break
    return score


def search_scores(
    seed: int,
    band: tuple[float, float],
    looks: Sequence[int | None],
    first_scores: Sequence[Estimate | None],
    questions: Sequence[Question],
) -> list[Estimate]:
    """Return `search_score` of each question, or where its look is None `measure_score` on fresh dice.

    `first_scores` are those of their first trials, if these were played before. Of questions beyond `looks` only the
    first trials are played. Trials of several questions are played in one run where their game can play them so.
    """
    rises = [
        [(seed, n) for n in search_trials(question.kind)[look:]]
        if look is not None
        else [(seed + 1, question.kind.usual_trials)]
        for look, question in zip(looks, questions, strict=False)
    ]
    rises += [[(seed, search_trials(question.kind)[0])] for question in questions[len(looks) :]]
    scores = {at: score for at, score in enumerate(first_scores) if score is not None}
    for at in scores:
        rises[at].pop(0)

    def is_open(at: int) -> bool:
        return at not in scores or any(scores[at].low < end < scores[at].high for end in band)

    while waiting := [at for at in range(len(questions)) if rises[at] and is_open(at)]:
        asked = [(questions[at], *rises[at].pop(0)) for at in waiting]
        scores |= zip(waiting, _simulated_scores(asked), strict=True)
    return [scores[at] for at in range(len(questions))]


def _simulated_scores(asked: Sequence[tuple[Question, int, int]]) -> list[Estimate]:
    """Return `simulated_score` of questions of a kind with their seeds and trials, all played together."""
    kind, blocks, ends = asked[0][0].kind, list[tuple[object, RandomRolls]](), [0]
    for question, seed, trials in asked:
        task = question.task()
        blocks += [(question.setup, RandomRolls(seed, task.key, *block)) for block in block_sizes(task, trials)]
        ends.append(len(blocks))
    outcomes = play_blocks(blocks, kind.processes, kind.joint)
    winners = [np.concatenate([o[kind.winner] for o in outcomes[a:b]]) for a, b in itertools.pairwise(ends)]
    return [
        Estimate.of_share(first_score(question, count_rows({kind.winner: winner})), trials)
        for (question, _, trials), winner in zip(asked, winners, strict=True)
    ]
