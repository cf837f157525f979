"""War for Edadh where there are too many states to list: good play is learnt by self-play, and answered in play.

Both sides look one choice ahead by a value function learnt in play (`training`). How far that can be exploited is
measured by opponents who know it, one that looks ahead by the same value function and one that has learnt to answer it,
and by the players there are. The best of them is played once more, on fresh dice. Others may find more, so what they
take is a lower bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from balance.chance.rolls.process import Policy
from balance.chance.solvers.processes import n_processes, shares
from balance.game.solution import Cell, Solution, SolutionTable
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.choices import Opponent, TurnChoices, Worth
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.even_starts import EvenStarts
from balance.games.edadh.solving.look_ahead import LookAhead, Pairing, scores
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import Players, half_of, opening_of_play, precision_of, skill_table
from balance.games.edadh.solving.training import FULL, LearningEffort, learn

DUELS = 2000
"""Duels that a score is the mean of."""
DUELS_PER_TRIAL = 4
"""Each answer is tried in one duel for so many that score the best of them."""


@dataclass(frozen=True)
class Effort:
    """How much is learnt, half of it again by each opponent who learns; and the duels that a score is the mean of."""

    learning: LearningEffort = FULL
    duels: int = DUELS

    @property
    def trial_duels(self) -> int:
        """Duels that an answer is tried in, rounded up."""
        return -(-self.duels // DUELS_PER_TRIAL)


@dataclass(frozen=True)
class BestResponse:
    """What side a scores where one side plays as was learnt, and the other answers, by name of the answer.

    `best` is the score of the best answer on other dice, so that its luck is not counted twice.
    """

    scores: Mapping[str, float]
    best: float


def solve_approximately(moves: Moves, players: Players, seed: int, effort: Effort | None = None) -> Solution:
    """Learn good play of a duel of any size, and measure how it fares in duels.

    The bounds and the exploitability are what the best of the opponents took from this play: others may take more.
    """
    effort = effort or Effort()
    learning, duels = effort.learning, effort.duels
    worth = learn(moves, seed, learning)
    answers = _learnt_answers(moves, worth, seed, learning.half)
    against = play_best_responses(worth, answers, players, seed, effort)
    value, (lower, upper) = against[0].scores["itself"], (response.best for response in against)
    skill = {name: (against[0].scores[name], against[1].scores[name]) for name in players}
    tables = [
        opening_of_play(TurnChoices(moves, moves.start()).solution(worth)),
        _answers_table(against, effort),
        skill_table(skill, value, effort.trial_duels, half_of(duels)),
        *EvenStarts(worth, answers, value, duels, seed).tables(),
    ]
    method = (
        f"Both sides look one choice ahead, by worths learnt in {learning.generations} generations of "
        f"{learning.duels:,} duels. Scores are {precision_of(duels)}."
    )
    return Solution(
        kind="approximate",
        method=method,
        value=value,
        lower=lower,
        upper=upper,
        exploitability=max(0.0, upper - lower),
        converged=False,
        iterations=learning.generations,
        n_states=learning.window,
        tables=tuple(tables),
        half_width=half_of(duels),
    )


def _learnt_answers(moves: Moves, worth: Worth, seed: int, effort: LearningEffort) -> tuple[Estimate, Estimate]:
    """Return the value functions of opponents who learn to answer side a's play, and side b's."""
    tasks = [partial(learn, moves, seed, effort, Opponent(side, worth)) for side in (0, 1)]
    to_a, to_b = shares(tasks, n_processes())
    return to_a, to_b


def play_best_responses(
    worth: Worth, learnt: tuple[Worth, Worth], players: Players, seed: int, effort: Effort
) -> tuple[BestResponse, BestResponse]:
    """Play side a, and side b, by `worth` against all answers there are; return the scores for either seat.

    `learnt` are the value functions of answers that were learnt.
    """
    fixed, moves = LookAhead(worth=worth), worth.moves
    answers = [{**_answers(worth, side, own), **players} for side, own in enumerate(learnt)]

    def pairing(side: int, answer: Policy, n: int, name: str) -> Pairing:
        return Pairing((fixed, answer) if side == 0 else (answer, fixed), n, f"{SIDES[side]} {name}")

    trials = [
        pairing(side, answer, effort.trial_duels, f"is answered by {name}")
        for side, side_answers in enumerate(answers)
        for name, answer in side_answers.items()
    ]
    self_score, *trial_scores = scores(moves, [Pairing((fixed, fixed), effort.duels, "each other"), *trials], seed)
    next_score = iter(trial_scores)
    a_results, b_results = (
        {"itself": self_score, **{name: next(next_score) for name in side_answers}} for side_answers in answers
    )
    best = min(a_results, key=a_results.__getitem__), max(b_results, key=b_results.__getitem__)
    fresh = [pairing(side, answers[side].get(best[side], fixed), effort.duels, "is answered best") for side in (0, 1)]
    a_best, b_best = scores(moves, fresh, seed)
    return BestResponse(a_results, a_best), BestResponse(b_results, b_best)


def _answers(worth: Worth, side: int, learnt: Worth) -> dict[str, Policy]:
    """Return the policies that answer one side's play knowing its value function, by name."""
    opponent = Opponent(side, worth)
    worths = {"one choice ahead": worth, "learnt in play": learnt}
    return {name: LookAhead(worth=own, against=opponent) for name, own in worths.items()}


def _answers_table(against: Sequence[BestResponse], effort: Effort) -> SolutionTable:
    """Return the score that each answer leaves to side a's play, and takes from side b's."""
    rows: list[tuple[Cell, ...]] = [
        (name, *(response.scores[name] for response in against)) for name in against[0].scores
    ]
    rows.append(("the best of these, on fresh dice", *(response.best for response in against)))
    title = (
        "What side a scores where it plays as was found and is answered, and where side b does. "
        f"{precision_of(effort.trial_duels).capitalize()}; those by itself and on fresh dice, "
        f"{precision_of(effort.duels)}."
    )
    return SolutionTable("answers", title, ("answer", "a is held to", "b concedes"), tuple(rows))
