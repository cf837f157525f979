"""War for Edadh where there are too many states to list: solved on grids of mastery points, and answered in play.

What positions are worth is found by value iteration (`value_iteration`); both sides then solve each choice at the very
mastery points they have. How far such play can be exploited is measured by opponents who know it: one that has worked
out its answer as a decision process on grids of its own, one that looks one choice ahead by the play's own worths, one
that has learnt in play (`training`), and the players there are. The best of them is played once more, on fresh dice.
Others may find more, so what they take is a lower bound.

Where even arrangements of cards are too many, or MP decide where cards go, what positions are worth is learnt in play.
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
from balance.games.edadh.solving.approximate.in_play import met_in_play, numbers_tables, usage_table
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.value_iteration import Precision, Say, iterate
from balance.games.edadh.solving.choices import Opponent, TurnChoices, Worth
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import Asked, LookAhead, scores
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import Players, half_of, opening_found, precision_of, skill_table
from balance.games.edadh.solving.training import FULL, Effort, learn

__all__ = ["DUELS", "Answered", "Found", "Spent", "answered", "found_play", "solve_approximately"]

DUELS = 4000
"""Duels that a score is the mean of."""
TRIED = 4
"""Each answer is tried in one duel for so many that score the best of them."""


@dataclass(frozen=True)
class Spent:
    """How much is spent.

    Attributes
    ----------
    precision
        Of worths.
    effort
        Of a play that is learnt, where worths cannot be tabled; an opponent who learns spends half of it.
    duels
        Duels that a score is the mean of.
    """

    precision: Precision = field(default_factory=Precision)
    effort: Effort = FULL
    duels: int = DUELS


@dataclass(frozen=True, eq=False)
class Found:
    """How to play a duel, as was found.

    Attributes
    ----------
    worth
        What positions are worth.
    answers
        What they are worth where side a plays so and is answered by a decision process, and where side b does; none
        where worths were learnt.
    bounds
        What these claim of the start.
    how
        In a sentence.
    sweeps, n_nodes
        How much work it was: times gone through, positions.
    """

    worth: Worth
    answers: tuple[Worth, ...]
    bounds: tuple[float, float] | None
    how: str
    sweeps: int
    n_nodes: int


def solve_approximately(
    moves: Moves, players: Players, seed: int, spent: Spent | None = None, say: Say = lambda text: None
) -> Solution:
    """Look for good play of a duel of any size, and measure how it fares in duels.

    The bounds and the exploitability are what the best opponents found took from this play: others may take more.
    """
    spent = spent or Spent()
    found, duels = found_play(moves, players, seed, spent, say), spent.duels
    against = answered(found, moves, players, seed, spent)
    itself, (lower, upper) = against[0].scores["itself"], (each.best for each in against)
    skill = {name: (against[0].scores[name], against[1].scores[name]) for name in players}
    met = met_in_play(moves, found.worth, seed)
    tables = [
        opening_found(TurnChoices(moves, moves.begun()).solution(found.worth)),
        usage_table(moves, found.worth, met),
        _answers_table(found, against, duels),
        skill_table(skill, itself, _few(duels), half_of(duels)),
    ]
    if isinstance(found.worth, GridWorth):
        tables += numbers_tables(moves, found.worth, met)
    return Solution(
        kind="approximate",
        method=f"{found.how} Scores are {precision_of(duels)}.",
        value=itself,
        lower=lower,
        upper=upper,
        exploitability=max(0.0, upper - lower),
        converged=False,
        iterations=found.sweeps,
        n_states=found.n_nodes,
        tables=tuple(tables),
        half_width=half_of(duels),
    )


def found_play(moves: Moves, players: Players, seed: int, spent: Spent, say: Say = lambda text: None) -> Found:
    """Find how to play a duel: by tables of worths if that can be done, else by learning."""
    try:
        listed = Configurations.of(moves)
    except RulesError as error:
        return _learnt(moves, seed, spent.effort, error)
    play = iterate(listed, Reach.of(listed, tuple(players.values()), seed), spent.precision, say)
    n_listed = sum(len(columns["over"]) for columns in listed.columns)
    how = (
        f"Value iteration over {n_listed:,} arrangements of cards and damage, each solved at some mastery points of "
        f"either side ({play.worth.n_nodes:,} positions) and interpolated between them; both sides look one choice "
        "ahead by that, at the mastery points they have."
    )
    return Found(play.worth, play.answers, play.bounds, how, play.sweeps, play.worth.n_nodes)


def _learnt(moves: Moves, seed: int, effort: Effort, why: RulesError) -> Found:
    """Learn how to play a duel whose worths cannot be tabled."""
    how = (
        f"Both sides look one choice ahead, by worths learnt in {effort.generations} generations of {effort.duels:,} "
        f"duels, since there is no table of worths ({why.faults[0]})."
    )
    return Found(learn(moves, seed, effort), (), None, how, effort.generations, effort.window)


@dataclass(frozen=True)
class Answered:
    """What side a scored where one side played as was found, and the other answered.

    Attributes
    ----------
    scores
        By answer.
    best
        That of the best answer, on other dice, so that its luck is not counted twice.
    """

    scores: Mapping[str, float]
    best: float


def answered(found: Found, moves: Moves, players: Players, seed: int, spent: Spent) -> tuple[Answered, Answered]:
    """Play side a, and side b, as was found against everything that may answer it."""
    fixed, learner = LookAhead(worth=found.worth), partial(learn, moves, seed, spent.effort.half)
    learnt = shares([partial(learner, Opponent(side, found.worth)) for side in (0, 1)], n_processes())
    answers = [{**_answers(found, side, estimate), **players} for side, estimate in enumerate(learnt)]

    def asked(side: int, answer: Policy, n: int, name: str) -> Asked:
        return Asked((fixed, answer) if side == 0 else (answer, fixed), n, f"{SIDES[side]} {name}")

    few = [
        asked(side, answer, _few(spent.duels), f"is answered by {name}")
        for side, own in enumerate(answers)
        for name, answer in own.items()
    ]
    itself, *tried = scores(moves, [Asked((fixed, fixed), spent.duels, "each other"), *few], seed)
    each_tried = iter(tried)
    held, conceded = ({"itself": itself, **{name: next(each_tried) for name in own}} for own in answers)
    best = min(held, key=held.__getitem__), max(conceded, key=conceded.__getitem__)
    fresh = [asked(side, answers[side].get(best[side], fixed), spent.duels, "is answered best") for side in (0, 1)]
    one, other = scores(moves, fresh, seed)
    return Answered(held, one), Answered(conceded, other)


def _answers(found: Found, side: int, learnt: Estimate) -> dict[str, Policy]:
    """Return those who answer one side's play, of which they know all."""
    worths = {"one choice ahead": found.worth, "learnt in play": learnt}
    worths |= {"a decision process": found.answers[side]} if found.answers else {}
    opponent = Opponent(side, found.worth)
    return {name: LookAhead(worth=worth, against=opponent) for name, worth in worths.items()}


def _few(duels: int) -> int:
    """Return in how many duels each answer is tried, where the best of them is played in so many."""
    return -(-duels // TRIED)


def _answers_table(found: Found, against: Sequence[Answered], duels: int) -> SolutionTable:
    """Return what each answer leaves: as the decision process claims on its grids, and as they were played."""
    rows = list[tuple[Cell, ...]]()
    if found.bounds is not None:
        rows.append(("a decision process, as it claims on the grids", *found.bounds))
    rows += [(name, *(each.scores[name] for each in against)) for name in against[0].scores]
    rows.append(("the best of these, on fresh dice", *(each.best for each in against)))
    title = (
        "What side a scores where it plays as was found and is answered, and where side b does. All but the claim are "
        f"{precision_of(_few(duels))}; those by itself and on fresh dice, {precision_of(duels)}."
    )
    return SolutionTable("answers", title, ("answer", "a is held to", "b concedes"), tuple(rows))
