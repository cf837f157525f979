"""War for Edadh where there are too many states to list: solved on grids of mastery points, and answered in play.

What positions are worth is found by value iteration (`value_iteration`); both sides then solve each choice at the very
mastery points they have. How far such play can be exploited is measured by opponents who know it: one that has worked
out its answer as a decision process on grids of its own, one that looks one choice ahead by the play's own worths, one
that has learnt in play (`training`), and the players there are. The best of them is played once more, on fresh dice.
Others may find more, so what they take is a lower bound.

Where even arrangements of cards are too many, or MP decide where cards go, a value function is learnt in play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from balance.base.errors import RulesError
from balance.chance.rolls.process import Policy
from balance.chance.solvers.team import n_processes, shares
from balance.game.solution import Cell, Solution, SolutionTable
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.tables.in_play import (
    number_gains,
    numbers_tables,
    usage_table,
    visit_positions,
)
from balance.games.edadh.solving.approximate.tables.remedies import RemedySearch, remedy_tables
from balance.games.edadh.solving.approximate.value_iteration import Precision, Say, iterate
from balance.games.edadh.solving.choices import Opponent, TurnChoices, Worth
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead, Pairing, scores
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import Players, half_of, opening_of_play, precision_of, skill_table
from balance.games.edadh.solving.training import FULL, LearningEffort, learn

DUELS = 4000
"""Duels that a score is the mean of."""
DUELS_PER_TRIAL = 4
"""Each answer is tried in one duel for so many that score the best of them."""


@dataclass(frozen=True)
class Effort:
    """How much is spent: precision of value iteration, duels of learning, and the duels that a score is the mean of.

    `learning` is for a play that is learnt, where worths cannot be tabled; an opponent who learns spends half of it.
    """

    precision: Precision = field(default_factory=Precision)
    learning: LearningEffort = FULL
    duels: int = DUELS


@dataclass(frozen=True, eq=False)
class FoundPlay:
    """How to play a duel, as was found.

    * `worth`: the value function by which both sides look one choice ahead.
    * `answers`: value functions where side a plays so against a best response (a decision process), and where side b
      does; none where worths were learnt.
    * `bounds`: what these claim of the start: what side a's play is held to, and what side b's concedes.
    * `method`: a sentence for the reader.
    * `sweeps` and `n_nodes`: sweeps of value iteration (or generations of learning), and positions solved (or kept).
    """

    worth: Worth
    answers: tuple[Worth, ...]
    bounds: tuple[float, float] | None
    method: str
    sweeps: int
    n_nodes: int


def solve_approximately(
    moves: Moves, players: Players, seed: int, effort: Effort | None = None, say: Say = lambda text: None
) -> Solution:
    """Look for good play of a duel of any size, and measure how it fares in duels.

    The bounds and the exploitability are what the best opponents found took from this play: others may take more. `say`
    is told of the progress, line by line.
    """
    effort = effort or Effort()
    play, duels = found_play(moves, players, seed, effort, say), effort.duels
    against = play_best_responses(play, moves, players, seed, effort)
    self_score, (lower, upper) = against[0].scores["itself"], (response.best for response in against)
    skill = {name: (against[0].scores[name], against[1].scores[name]) for name in players}
    visited = visit_positions(moves, play.worth, seed)
    tables = [
        opening_of_play(TurnChoices(moves, moves.start()).solution(play.worth)),
        usage_table(moves, play.worth, visited),
        _answers_table(play, against, duels),
        skill_table(skill, self_score, _n_trials(duels), half_of(duels)),
    ]
    if isinstance(play.worth, GridWorth):
        gains = number_gains(moves, play.worth, visited)
        tables += numbers_tables(gains, visited.n_duels)
        tables += remedy_tables(RemedySearch(play.worth, self_score, duels, seed), play.answers, gains)
    return Solution(
        kind="approximate",
        method=f"{play.method} Scores are {precision_of(duels)}.",
        value=self_score,
        lower=lower,
        upper=upper,
        exploitability=max(0.0, upper - lower),
        converged=False,
        iterations=play.sweeps,
        n_states=play.n_nodes,
        tables=tuple(tables),
        half_width=half_of(duels),
    )


def found_play(moves: Moves, players: Players, seed: int, effort: Effort, say: Say = lambda text: None) -> FoundPlay:
    """Find how to play a duel: by value iteration on grids if its configurations can be listed, else by learning."""
    try:
        configurations = Configurations.of(moves)
    except RulesError as error:
        return _learn_play(moves, seed, effort.learning, error)
    play = iterate(configurations, Reach.of(configurations, tuple(players.values()), seed), effort.precision, say)
    n_listed = sum(len(columns["over"]) for columns in configurations.columns)
    method = (
        f"Value iteration over {n_listed:,} arrangements of cards and damage, each solved at some mastery points of "
        f"either side ({play.worth.n_nodes:,} positions) and interpolated between them; both sides look one choice "
        "ahead by that, at the mastery points they have."
    )
    return FoundPlay(play.worth, play.answers, play.bounds, method, play.sweeps, play.worth.n_nodes)


def _learn_play(moves: Moves, seed: int, effort: LearningEffort, reason: RulesError) -> FoundPlay:
    """Learn a value function by self-play where worths cannot be tabled, for the `reason` that the method states."""
    method = (
        f"Both sides look one choice ahead, by worths learnt in {effort.generations} generations of {effort.duels:,} "
        f"duels, since there is no table of worths ({reason.faults[0]})."
    )
    return FoundPlay(learn(moves, seed, effort), (), None, method, effort.generations, effort.window)


@dataclass(frozen=True)
class BestResponse:
    """What side a scored where one side played as was found, and the other answered, by name of the answer.

    `best` is the score of the best answer on other dice, so that its luck is not counted twice.
    """

    scores: Mapping[str, float]
    best: float


def play_best_responses(
    play: FoundPlay, moves: Moves, players: Players, seed: int, effort: Effort
) -> tuple[BestResponse, BestResponse]:
    """Play side a, and side b, as was found against all best responses tried; return the scores for either seat."""
    fixed, learner = LookAhead(worth=play.worth), partial(learn, moves, seed, effort.learning.half)
    estimates = shares([partial(learner, Opponent(side, play.worth)) for side in (0, 1)], n_processes())
    answers = [{**_answers(play, side, estimate), **players} for side, estimate in enumerate(estimates)]

    def pairing(side: int, answer: Policy, n: int, name: str) -> Pairing:
        return Pairing((fixed, answer) if side == 0 else (answer, fixed), n, f"{SIDES[side]} {name}")

    trials = [
        pairing(side, answer, _n_trials(effort.duels), f"is answered by {name}")
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


def _answers(play: FoundPlay, side: int, estimate: Estimate) -> dict[str, Policy]:
    """Return the policies that answer one side's play knowing its value function, by name."""
    worths = {"one choice ahead": play.worth, "learnt in play": estimate}
    worths |= {"a decision process": play.answers[side]} if play.answers else {}
    opponent = Opponent(side, play.worth)
    return {name: LookAhead(worth=worth, against=opponent) for name, worth in worths.items()}


def _n_trials(duels: int) -> int:
    """Return the duels of each answer's trial, from those that the best of them is then played in, rounded up."""
    return -(-duels // DUELS_PER_TRIAL)


def _answers_table(play: FoundPlay, against: Sequence[BestResponse], duels: int) -> SolutionTable:
    """Return the score that each answer leaves: as claimed by the decision process on its grids, and as played."""
    rows = list[tuple[Cell, ...]]()
    if play.bounds is not None:
        rows.append(("a decision process, as it claims on the grids", *play.bounds))
    rows += [(name, *(response.scores[name] for response in against)) for name in against[0].scores]
    rows.append(("the best of these, on fresh dice", *(response.best for response in against)))
    title = (
        "What side a scores where it plays as was found and is answered, and where side b does. All but the claim are "
        f"{precision_of(_n_trials(duels))}; those by itself and on fresh dice, {precision_of(duels)}."
    )
    return SolutionTable("answers", title, ("answer", "a is held to", "b concedes"), tuple(rows))
