"""`balance.luck` and `balance.tornado`: how much of a result is luck, and on which assumed values it rests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, UsageError, gathering
from balance.verbs.call import parameters
from balance.verbs.call.means import Means, means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    FIRST,
    Names,
    changes_of,
    check_new_drawing,
    choices_of,
    names_of,
    open_game,
    who_begins,
    who_is_nobody,
)

if TYPE_CHECKING:
    from balance.analysis.claims.conclusion import Claim
    from balance.analysis.claims.robustness import Robustness
    from balance.analysis.luck.field import FieldLuck
    from balance.analysis.luck.question import Luck
    from balance.engine.query import Query
    from balance.game.loaded import LoadedGame
    from balance.game.question.question import Question


@verb
def luck(
    game: parameters.Game,
    kind: parameters.Kind,
    one: Annotated[
        str, Parameter("One side; without both, two of the whole field.", "[ONE]", offers="first_side")
    ] = "",
    other: Annotated[str, Parameter("The other side.", "[OTHER]", offers="second_side")] = "",
    *,
    among: Annotated[
        Names, Parameter("Who is in the field, separated by commas (default: all, or 24 drawn).", "IDS")
    ] = None,
    play: Annotated[
        bool, Parameter("Of a field: either side may play in any of the ways that are quick to play.")
    ] = False,
    groups: Annotated[
        int | None,
        Parameter("Groups of 32 games that share dice, where shares have to be simulated.", "N", is_count=True),
    ] = None,
    seed: parameters.Seed = 0,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    policy_a: parameters.PolicyA = None,
    policy_b: parameters.PolicyB = None,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Luck] | Result[FieldLuck]:
    """Work out how much of a result is luck, from which dice, and how it comes about.

    Returns
    -------
    Result
        Of two sides its `value` is a `Luck`, such as `result.value.sd`, and its tables are `sources`, `texture` and
        `at_end`, the last two where somebody wins. Of a field it is a `FieldLuck`, such as
        `result.value.shares["chance"]`, and its tables are `shares`, `scores` and `matrix`.

    Raises
    ------
    BalanceError
        There is no such question, or the sides, the field or the changes make no sense.

    Examples
    --------
    >>> import balance
    >>> shot = balance.luck("warforged", "attack", "nexus+assault_rifle", "trooper", cache=False)
    >>> [(name, round(share, 3)) for name, share in shot.to_polars().select("name", "when_rolled").rows()]
    [('precision', 0.904), ('armour', 0.096)]
    """
    opening, opened_game, request, choices = list[Fault](), None, None, dict[str, str]()
    changes, names = changes_of(set), names_of(among) or []
    with gathering(opening):
        opened_game = open_game(game, catalogue)
        one, other = opened_game.both(kind, one, other)
    faults = [*_luck_faults(one, other, among, play, seed)]
    with gathering(faults):
        choices = choices_of(choose, policy_a, policy_b)
    faults += opening
    with gathering(faults):
        if opened_game is not None:
            request = _request_of(opened_game, kind, one, other, changes, first, choices) if one and other else None
            faults += [] if one else _field_faults(opened_game, kind, names)
    if faults or opened_game is None:
        raise UsageError(faults)
    means = means_of(jobs, executor, scheduler, cache, verify, fresh)
    if request is None:
        return _luck_of_field(opened_game, means, quiet, (kind, names, changes), tuple(choices.items()), play, seed)
    return _luck_of_pair(opened_game, *request, means, quiet, seed, groups)


def _request_of(
    game: LoadedGame, kind: str, side_a: str, side_b: str, changes: tuple[str, ...], first: str, choices: dict[str, str]
) -> tuple[Query, Question]:
    """Return a question about two sides as the query that workers take, and as the game prepares it."""
    from balance.engine.query import Query

    query = Query(kind, side_a, side_b, changes, who_begins(game, kind, first), tuple(choices.items()))
    return query, query.to(game)


def _luck_faults(side_a: str, side_b: str, among: Names, play: bool, seed: int) -> Iterator[Fault]:
    """Yield a fault for --among or --play beside two sides, one side without the other, and an invalid seed."""
    from balance.chance.rolls.streams import check_seed

    seeds = list[Fault]()
    with gathering(seeds):
        check_seed(seed)
    yield from seeds
    if side_a and (among is not None or play):
        yield Fault("§among and §play are about a field, not about two sides", tip="leave out the sides, or these")
    if side_a and not side_b:
        yield Fault(f"against whom is {side_a}?", tip="name the other side too, or none for the whole field")


def _field_faults(game: LoadedGame, kind: str, names: Sequence[str]) -> list[Fault]:
    """Return a fault for each member of a field that is no entrant; raise UsageError for an unknown kind."""
    game.kind(kind)
    return who_is_nobody(game, names)


def _luck_of_pair(
    game: LoadedGame, query: Query, question: Question, means: Means, quiet: bool, seed: int, groups: int | None
) -> Result[Luck]:
    """Return the luck of two sides; `groups` of 32 trials share dice, None for the kind's usual trials."""
    from balance.analysis.luck.question import Luck, measure_luck
    from balance.answers.form import Terms
    from balance.answers.words.questions.luck import WORDS
    from balance.game.question.idle import idle_changes

    notes = tuple(idle_changes(question, as_played=False))
    with runner_for(game, means, quiet) as runner:
        n_groups = question.kind.usual_trials // 32 if groups is None else groups
        (parts,) = runner([query], partial(measure_luck, seed, n_groups), "luck", share=False)
    answer = Luck.of(question, "luck", notes=notes, **parts or {})  # there are some, as the rules allow the question
    return as_result("luck", answer, WORDS, Terms.of(game, question.kind.name), notes_of=partial(tuple, notes))


def _luck_of_field(
    game: LoadedGame,
    means: Means,
    quiet: bool,
    field: tuple[str, Sequence[str], tuple[str, ...]],
    choices: tuple[tuple[str, str], ...],
    play: bool,
    seed: int,
) -> Result[FieldLuck]:
    """Return the luck of a field; `field` is its kind of question, the ids in it (none for all) and changed values."""
    from balance.analysis.luck.field import luck_of_field
    from balance.answers.form import Terms
    from balance.answers.words.questions.field_luck import WORDS

    with runner_for(game, means, quiet) as runner:
        answer = luck_of_field(runner, *field, choices=choices, play=play, seed=seed)
    return as_result("luck", answer, WORDS, Terms.of(game, answer.kind))


@verb
def tornado(
    game: parameters.Game,
    kind: parameters.Kind,
    one: parameters.One,
    other: parameters.Other = "",
    *,
    over: Annotated[
        Names,
        Parameter(
            "Whose values may change: tables, rules or constants, several separated by commas (default: all; of "
            "cards, those of the two sides).",
            "TABLE",
            of=list[str],
        ),
    ] = None,
    measure: Annotated[
        str | None,
        Parameter(
            "What is measured: score=a, wins=a, mean=COLUMN, mean=COLUMN,less=COLUMN or chance=COLUMN,at_least=N "
            "(default: what the first side scores, or the mean of what it does).",
            "WHAT",
        ),
    ] = None,
    at_least: Annotated[
        float | None,
        Parameter("The conclusion: it is at least this much (default: on which side of one half a chance lies).", "X"),
    ] = None,
    at_most: Annotated[float | None, Parameter("The conclusion: it is at most this much.", "X")] = None,
    moves: Annotated[int, Parameter("How many values may change at once.", "K", low=1, high=20)] = 4,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    trials: Annotated[
        int | None,
        Parameter(
            "Trials of a question that has no exact distribution (default: as many as it usually has).",
            "N",
            is_count=True,
        ),
    ] = None,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    picture: Annotated[
        str | Path | None,
        Parameter(
            "Draw how far each value moves the number, in a new file.", "FILE.svg", is_served=False, is_output=True
        ),
    ] = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Robustness]:
    """Work out which assumed values a conclusion rests on, and how many of them have to move before it flips.

    Returns
    -------
    Result
        Its `value` is a `Robustness`, such as `result.value.smallest_flip`; its tables are `values`, `moves`, and
        `region` where faces can be turned.

    Raises
    ------
    BalanceError
        Nothing that is assumed can move, a word makes no sense, or the picture cannot be written.

    Examples
    --------
    >>> import balance
    >>> stands = balance.tornado("warforged", "attack", "nexus+assault_rifle", "trooper", at_least=2, cache=False)
    >>> stands.to_polars()["path"][0]
    'units.trooper.abilities'
    """
    from balance.analysis.claims.robustness import robustness
    from balance.analysis.scores.measures import parse_measure

    drawing = Path(picture) if picture is not None else None
    _check(seed, drawing)
    claim, opened_game = _claim(at_least, at_most), open_game(game, catalogue)
    sides = opened_game.pair(kind, one, other)
    query, question = _request_of(opened_game, kind, *sides, changes_of(set), first, choices_of(choose))
    read = None if measure is None else parse_measure(measure, question.kind)
    question.stop_rule(n_trials := question.kind.usual_trials if trials is None else trials, None)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        result = robustness(runner, query, read, claim, names_of(over) or [], moves, n_trials, seed)
    _draw(result, drawing)
    return _of_robustness(result)


def _check(seed: int, picture: Path | None) -> None:
    """Raise UsageError for an invalid seed, or OutputError for a picture that cannot be written."""
    from balance.chance.rolls.streams import check_seed

    check_seed(seed)
    if picture is not None:
        check_new_drawing(picture, "§picture", "a picture", [".svg"])


def _draw(result: Robustness, picture: Path | None) -> None:
    """Write the tornado of a conclusion as an .svg file; nothing without one."""
    if picture is not None:
        from balance.base.files import write_whole
        from balance.reporting.figures.tornado import plot_tornado

        write_whole(picture, plot_tornado(result).wide.encode())


def _claim(at_least: float | None, at_most: float | None) -> Claim | None:
    """Return the conclusion to test, None for the usual one; raise UsageError for two limits or an infinite one."""
    from balance.analysis.claims.conclusion import Claim

    if at_least is not None and at_most is not None:
        raise UsageError("§at_least and §at_most are two conclusions", "ask for one after the other")
    limit = at_least if at_least is not None else at_most
    if limit is None:
        return None
    if not math.isfinite(limit):
        name = "§at_least" if at_least is not None else "§at_most"
        raise UsageError(Fault("is no limit", name, found=f"{limit}", allowed="a number, such as 0.55"))
    return Claim("at_least" if at_least is not None else "at_most", limit)


def _of_robustness(result: Robustness) -> Result[Robustness]:
    from balance.answers.form import Terms
    from balance.answers.words.questions.tornado import WORDS
    from balance.game.question.idle import idle_changes

    answer = replace(result, notes=tuple(idle_changes(result.question, as_played=False)))
    terms = Terms.of(result.question.game, result.kind)
    return as_result("tornado", answer, WORDS, terms, notes_of=partial(tuple, answer.notes))
