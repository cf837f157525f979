"""One verb for each kind of question about two sides, the optimal play of a game, and one trial in words."""

from __future__ import annotations

import inspect
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from balance.base.errors import UsageError
from balance.verbs.call import parameters
from balance.verbs.call.means import share_of, verification_of
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    FIRST,
    PAGES,
    Choices,
    check_new_drawing,
    choices_of,
    open_game,
    who_begins,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from balance.engine.verification import Verification
    from balance.game.game import Lane
    from balance.game.loaded import LoadedGame
    from balance.game.question.answer import Answer
    from balance.game.question.choices import Budget, Changes
    from balance.game.question.findings import SolvedQuestion
    from balance.game.question.question import Question, Sample
    from balance.game.question.replay import Replay
    from balance.game.solution import Solution


@verb
def ask(
    game: parameters.Game,
    kind: parameters.Kind,
    one: parameters.One,
    other: parameters.Other = "",
    *,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    policy_a: parameters.PolicyA = None,
    policy_b: parameters.PolicyB = None,
    trials: parameters.Trials = None,
    half_width: parameters.HalfWidth = None,
    seed: parameters.Seed = 0,
    lane: parameters.Lane = "literal",
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    quiet: parameters.Quiet = False,
) -> Result[Answer]:
    """Ask a game anything it can be asked; `attack`, `duel` and the others are short for it.

    Returns
    -------
    Result
        Its `value` is an `Answer`, such as `result.value.exact.mean("damage")`; its tables are who wins, the means, and
        the distribution of each column.

    Raises
    ------
    BalanceError
        There is no such question, or the sides or the changes make no sense.

    Examples
    --------
    >>> import balance
    >>> balance.ask("warforged", "attack", "nexus+assault_rifle", "trooper").value.exact.mean("damage")
    3.6
    """
    from balance.base.progress import announcing
    from balance.game.question.answer import answer
    from balance.game.question.choices import Budget

    budget, verification = Budget(trials, half_width, seed, lane, jobs), verification_of(share_of(verify))
    choices = choices_of(choose, policy_a, policy_b)
    opened_game = open_game(game, catalogue)
    sides = opened_game.pair(kind, one, other)
    question = opened_game.ask(kind, *sides, set, who_begins(opened_game, kind, first), **choices)
    question.check(budget)
    with announcing("solving exactly"):
        question.why_no_distribution  # noqa: B018 - what takes long is done here
    return _result(answer(question, budget, partial(_sample, executor, scheduler, verification)))


class KindVerb(Protocol):
    """A verb for one kind of question: `ask` without its `kind`."""

    __name__: str

    def __call__(
        self,
        game: str | LoadedGame,
        one: str,
        other: str = "",
        *,
        first: str = FIRST,
        set: Changes | str = None,
        choose: Choices = None,
        policy_a: str | None = None,
        policy_b: str | None = None,
        trials: int | None = None,
        half_width: float | None = None,
        seed: int = 0,
        lane: Lane = "literal",
        catalogue: str | Path | None = None,
        jobs: int = 1,
        executor: str = "auto",
        scheduler: str | None = None,
        verify: str | None = None,
        quiet: bool = False,
    ) -> Result[Answer]:
        """Ask the question; the parameters are those of `balance.ask`."""


def kind_verb(kind: str, about: str) -> KindVerb:
    """Return `ask` for one kind of question, under its name; `about` is the first line of its documentation.

    >>> kind_verb("combat", "A combat.")("battlelore", "red_foot", "blue_foot").verb
    'combat'
    """

    def verb(game: str | LoadedGame, one: str, other: str = "", **options: Any) -> Result[Answer]:
        return ask(game, kind, one, other, **options)

    parameters = inspect.signature(ask).parameters
    kept_parameters = [parameter for name, parameter in parameters.items() if name != "kind"]
    verb.__signature__ = inspect.Signature(kept_parameters, return_annotation="Result")  # type: ignore[attr-defined]
    verb.__name__ = verb.__qualname__ = kind
    verb.__doc__ = f"{about}\n\n    The parameters are those of `ask`, which tells what they mean.\n    "
    return verb


def verb_named(name: str) -> KindVerb | None:
    """Return the verb for a kind of question that some installed game knows; None where no game does.

    >>> verb_named("combat").__name__, verb_named("cast")
    ('combat', None)
    """
    from balance.game.registry import find_game, installed_games

    for game in map(find_game, installed_games()):
        if name in game.kinds:
            return kind_verb(name, f"Ask {game.title}: {game.kinds[name].asks or name}.")
    return None


attack = kind_verb("attack", "Work out one Attack action: the exact distribution of all that it does.")
kill = kind_verb("kill", "Work out how many actions it takes until the defender falls.")
duel = kind_verb("duel", "Work out who wins a duel: the exact chances, and a simulation beside them if asked.")
lineup = kind_verb("lineup", "Work out who wins when two armies meet without a board, such as ``trooper+shotgun:2``.")
battle = kind_verb("battle", "Play battles of two armies on a board.")
encounter = kind_verb("encounter", "Play encounters of a party of heroes with the enemies of a scenario.")


@verb
def solve(
    game: parameters.Game,
    a: Annotated[str, Parameter("One side.", "A", offers="first_side")],
    b: Annotated[str, Parameter("The other side.", "B", offers="second_side")],
    *,
    set: parameters.Set = None,
    method: Annotated[
        Literal["exact", "approximate"],
        Parameter("exact certifies every state; approximate is for games too large for that."),
    ] = "exact",
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    quiet: parameters.Quiet = False,
) -> Result[SolvedQuestion]:
    """Work out what a game is worth, and how to play it, when both sides choose as well as they can.

    Returns
    -------
    Result
        Its `value` is a `Solution`, such as `result.value.exploitability`; its tables are the `value` to either side,
        and what the game tells of its play.

    Raises
    ------
    BalanceError
        The game has no question that can be solved, or the sides or the changes make no sense.
    """
    from balance.base.progress import announcing
    from balance.chance.rolls.streams import check_seed
    from balance.game.question.idle import idle_changes

    check_seed(seed)
    opened_game = open_game(game, catalogue)
    question = opened_game.ask(_solvable(opened_game), a, b, set)
    start = time.perf_counter()
    step = "solving exactly" if method == "exact" else "learning to play well and answering that, for minutes"
    with announcing(step):
        solution = question.solve(method, seed)
    seconds = time.perf_counter() - start
    return _of_solution(question, solution, seconds, tuple(idle_changes(question, as_played=False)))


def _solvable(game: LoadedGame) -> str:
    """Return the first kind of question that can be solved; raise UsageError, with games that can, if none."""
    from balance.game.registry import find_game, installed_games

    for name, kind in game.definition.kinds.items():
        if kind.solve is not None:
            return name
    able = [name for name in installed_games() if any(kind.solve for kind in find_game(name).kinds.values())]
    tip = f"games that can: {', '.join(able)}" if able else ""
    raise UsageError(f"{game.definition.name} has no question that can be solved", tip)


def _of_solution(
    question: Question, solution: Solution, seconds: float, notes: tuple[str, ...]
) -> Result[SolvedQuestion]:
    from balance.answers.form import Terms
    from balance.answers.words.questions import solve as words
    from balance.game.question.findings import SolvedQuestion

    parts = {**vars(solution), "policies": words.policies_of(question, solution), "seconds": seconds, "notes": notes}
    answer, terms = SolvedQuestion.of(question, "solve", **parts), Terms.of(question.game, question.kind.name)
    return as_result("solve", answer, words.WORDS, terms, notes_of=partial(tuple, notes))


def _sample(
    executor: str, scheduler: str | None, verification: Verification | None, question: Question, budget: Budget
) -> tuple[Sample, bool]:
    """Simulate on a backend, and return whether it was stopped early; the engine is imported only here."""
    from balance.engine.sampling import sample

    return sample(question, budget, executor, scheduler, verification)


def _result(answer: Answer) -> Result[Answer]:
    """Return an answer with all its forms; what draws and writes them is loaded only where it is asked for."""
    from balance.answers.form import Terms
    from balance.answers.words.questions import answer as words

    kind, terms = answer.question.kind, Terms.of(answer.question.game, answer.question.kind.name)
    notes_of = partial(getattr, answer, "notes")
    kept = _kept(answer)
    return as_result(kind.name, answer, words.WORDS, terms, notes_of=notes_of, explorer=_explore, kept=kept)


def _kept(answer: Answer) -> str:
    """Return the sentence on a simulation that was stopped before its end."""
    if not answer.partial or answer.simulated is None:
        return ""
    return f"Stopped before the end: {answer.simulated.n_trials:,} trials were kept. The same seed repeats them."


def _explore(result: Result[Answer]) -> Any:
    from balance.verbs.call.explore.opening import explore
    from balance.verbs.call.explore.question_subject import QuestionSubject

    verb = result.verb if verb_named(result.verb) is not None else "ask"
    return explore(result, partial(QuestionSubject, result.value.question, verb))


@verb
def replay(
    game: parameters.Game,
    kind: parameters.Kind,
    one: parameters.One,
    other: parameters.Other = "",
    *,
    trial: Annotated[int, Parameter("Which trial of the simulation with this seed, from 0.", "N", is_count=True)] = 0,
    winner: Annotated[
        str, Parameter("The first trial from there on with this result, as the answer names it.", "NAME")
    ] = "",
    seed: parameters.Seed = 0,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    policy_a: parameters.PolicyA = None,
    policy_b: parameters.PolicyB = None,
    catalogue: parameters.Catalogue = None,
    page: Annotated[
        str | Path | None,
        Parameter("Also write it as a page, in a new .html or .pdf file.", "FILE.html", is_served=False),
    ] = None,
    quiet: parameters.Quiet = False,
) -> Result[Replay]:
    """Tell one trial of a simulation in words.

    Returns
    -------
    Result
        Its `value` is a `Replay`, such as `result.value.end`; its tables are `lines`, a row for each step,
        and `left`, what is left after each.

    Raises
    ------
    BalanceError
        There is no such question, it is not told, no trial ends so, or the page cannot be written.

    Examples
    --------
    >>> import balance
    >>> balance.replay("immortal_souls", "encounter", "ecarus,auriel", "ambush", trial=3, seed=1).sentence
    'The heroes have lost: all are ghosts.'
    """
    from balance.game.question.replay import replay as replay_of

    file = Path(page) if page is not None else None
    if file is not None:
        check_new_drawing(file, "§page", "a page")
    opened_game, choices = open_game(game, catalogue), choices_of(choose, policy_a, policy_b)
    sides = opened_game.pair(kind, one, other)
    question = opened_game.ask(kind, *sides, set, who_begins(opened_game, kind, first), **choices)
    trial_replay = replay_of(question, trial, seed, winner)
    if file is not None:
        from balance.base.files import write_whole
        from balance.reporting.replay import draw_replay

        write_whole(file, draw_replay(question, trial_replay, PAGES[file.suffix.lower()]))
    return _of_replay(trial_replay)


def _of_replay(trial_replay: Replay) -> Result[Replay]:
    from balance.answers.form import Terms
    from balance.answers.words.questions.replay import WORDS
    from balance.game.question.idle import idle_changes

    question = trial_replay.question
    answer = replace(trial_replay, notes=tuple(idle_changes(question, as_played=True)))
    terms, notes_of = Terms.of(question.game, question.kind.name), partial(tuple, answer.notes)
    return as_result("replay", answer, WORDS, terms, drawing=_draw_left, notes_of=notes_of)


def _draw_left(result: Result[Replay], _: str) -> Figure:
    """Draw what was left step by step, whichever table is asked for."""
    from balance.answers.media.plot import plot_steps

    return plot_steps(result.value.counts(), "left", result.sentence)
