"""`balance.page`: a page on which a whole game can be changed, or two cards; faults are told before the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import BalanceError, Fault, UsageError, gathering, unknown
from balance.verbs.call import parameters
from balance.verbs.call.means import means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import FIRST, Names, changes_of, check_new_file, names_of, open_game
from balance.verbs.changes.live_pages import page_of_file

if TYPE_CHECKING:
    from balance.analysis.what_if.page import Page
    from balance.answers.words.catalogues.written import Written
    from balance.game.game import QuestionKind
    from balance.game.loaded import LoadedGame
    from balance.game.question.choices import Changes
    from balance.game.question.question import Question

MANY_ANSWERS, USUAL_REACH = 2_000, 3
MOST_ANSWERS, MOST_REACH = 100_000, 20
"""Of each kind of question, and steps that a number may be moved."""
ROLES = ("effect", "duration", "winner")
"""A page shows the first kind of question about each of these."""


@verb
def page(
    game: parameters.Game,
    one: Annotated[
        str, Parameter("One card; the page of a whole game does without.", "[ONE]", offers="first_side")
    ] = "",
    other: Annotated[str, Parameter("The other card.", "[OTHER]", offers="second_side")] = "",
    out: Annotated[
        str | Path | None,
        Parameter(
            "The page, a new file (default: NAME.html of a whole game, else what-if.html).",
            "FILE.html",
            is_option=True,
            is_served=False,
            is_output=True,
        ),
    ] = None,
    *,
    kinds: Annotated[
        Names,
        Parameter("Which kinds of question it answers, separated by commas (default: attack, kill, duel).", "KINDS"),
    ] = None,
    answers: Annotated[
        int, Parameter("How many answers of each kind it holds; more of them answer more changes at once.", "N")
    ] = MANY_ANSWERS,
    reach: Annotated[int, Parameter("How far a number may be moved, up and down.", "STEPS")] = USUAL_REACH,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    force: parameters.Force = False,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Page] | Result[Written]:
    """Write a page on which a game, or two cards, can be changed: exact answers, in one file that works offline.

    The page of a whole game carries the program: every unit and rule can be edited in it, and all pairs are answered.
    Of a shipped game whose attacks can be said in steps it answers one attack.

    Returns
    -------
    Result
        Of a game file its `value` has the `files` written; of two cards it is a `Page`, such as
        `result.value.n_answers`, and its table `steps` has what turning each single thing to each value does.

    Raises
    ------
    BalanceError
        The cards or the changes make no sense, nothing exact can be asked of them, or the file cannot be written.

    Examples
    --------
    >>> import balance, tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = balance.page(
    ...         "warforged", "nexus+sidearm", "trooper", Path(folder) / "x.html", kinds="attack", answers=9, reach=1
    ...     )
    >>> page.to_polars().filter(what="precision", value="6").select("change").to_series().round(9).to_list()
    [-0.1]
    """
    opened_game = open_game(game, catalogue)
    if opened_game.definition.file is not None or (opened_game.definition.steps is not None and not one):
        names = {
            "first": first != FIRST,
            "kinds": kinds,
            "answers": answers != MANY_ANSWERS,
            "reach": reach != USUAL_REACH,
            "set": set,
        }
        return page_of_file(opened_game, (one, other), out, [name for name, value in names.items() if value], force)
    place = Path(out or "what-if.html")
    questions = _check(opened_game, (one, other), place, force, kinds, answers, reach, first, set)
    from balance.analysis.what_if.answers import what_if
    from balance.analysis.what_if.page import page_of
    from balance.answers.form import Terms
    from balance.answers.words.changes.page import WORDS
    from balance.base import __version__
    from balance.base.files import write_whole
    from balance.reporting.live.what_if import what_if_page

    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        held = what_if(runner, questions, answers, reach)
    write_whole(place, what_if_page(held, __version__).encode())
    answer = page_of(held, place)
    sentences = tuple(dict.fromkeys(chain.from_iterable(answer.cannot_see.values())))
    return as_result("page", answer, WORDS, replace(Terms.of(opened_game, ""), cannot_see=sentences))


def _check(
    game: LoadedGame,
    sides: tuple[str, str],
    out: Path,
    force: bool,
    kinds: Names,
    answers: int,
    reach: int,
    first: str,
    changes: Changes | str,
) -> dict[str, Question]:
    """Return the question of each kind, or raise UsageError with all that is wrong with the arguments."""
    faults = list(_number_faults(answers, reach))
    if "" in sides:
        faults.append(Fault("are missing: the two cards of the page", tip="balance page GAME ONE OTHER"))
    with gathering(faults):
        check_new_file(out, "§out", "a page", (".html",), force)
    with gathering(faults):
        questions = _questions(game, sides, names_of(kinds), first, changes_of(changes))
    if faults:
        raise UsageError(faults)
    return questions


def _number_faults(answers: int, reach: int) -> Iterator[Fault]:
    for option, number, most in (("§answers", answers, MOST_ANSWERS), ("§reach", reach, MOST_REACH)):
        if not 1 <= number <= most:
            yield Fault("is out of range", option, found=str(number), allowed=f"1 to {most:,}")


def _questions(
    game: LoadedGame, sides: tuple[str, str], kinds: Sequence[str] | None, first: str, changes: Sequence[str]
) -> dict[str, Question]:
    """Return the questions that a page answers, by kind; those that cannot be asked exactly are left out.

    Raise UsageError where none is left, one of `kinds` cannot be asked, or a change begins no path of any of them.
    """
    known = game.definition.kinds
    if faults := [unknown(name, known, "is not a kind of question") for name in kinds or () if name not in known]:
        raise UsageError(faults)
    questions, reasons = dict[str, "Question"](), list[Fault]()
    for kind in [known[name] for name in kinds] if kinds else _usual_kinds(game):
        try:
            question = _question(game, kind, sides, first, changes)
        except BalanceError as error:
            reasons += error.faults
            continue
        if question.why_no_distribution:
            reasons.append(Fault(f"{kind.name}: {question.why_no_distribution}", tip="a page holds exact answers only"))
        else:
            questions[kind.name] = question
    if not questions or (kinds and reasons):
        raise UsageError(list(dict.fromkeys(reasons)))
    if faults := list(_unread(changes, questions)):
        raise UsageError(faults)
    return questions


def _usual_kinds(game: LoadedGame) -> list[QuestionKind]:
    """Return the first kind of question about each role, without long ones and those about armies."""
    kinds = [kind for kind in game.definition.kinds.values() if kind.armies is None and not kind.is_long]
    chosen = [next((kind for kind in kinds if kind.about == role and kind.has_distribution), None) for role in ROLES]
    return [kind for kind in chosen if kind is not None] or kinds


def _question(
    game: LoadedGame, kind: QuestionKind, sides: tuple[str, str], first: str, changes: Sequence[str]
) -> Question:
    """Ask a kind of question with the changes whose paths it has, and the turn order if it has that."""
    begins = first if first in kind.turn_orders else None
    known = [text for text in changes if text.partition(".")[0] in kind.roots]
    return game.ask(kind.name, *game.pair(kind.name, *sides), known, begins)


def _unread(changes: Sequence[str], questions: Mapping[str, Question]) -> Iterator[Fault]:
    roots = dict.fromkeys(root for question in questions.values() for root in question.kind.roots)
    for text in changes:
        if (root := text.partition(".")[0]) not in roots:
            yield unknown(root, roots, "begins no path of these questions")
