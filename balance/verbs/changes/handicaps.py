"""`balance.handicap`: what would make a match-up even, or going first worth nothing.

All that is wrong with a call is told at once, before the long work begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from balance.base.errors import Fault, UsageError, gathering
from balance.base.numbers import EVEN_BAND
from balance.playtests.shares import Band, band_text, parse_band_around_half
from balance.verbs.call import parameters
from balance.verbs.call.means import means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    FIRST,
    Budgets,
    Choices,
    Names,
    budgets_of,
    changes_of,
    choices_of,
    names_of,
    open_game,
    who_begins,
    who_is_nobody,
)
from balance.verbs.prices import meeting_of

if TYPE_CHECKING:
    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.changes.handicaps.bids import Bid
    from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
    from balance.analysis.changes.handicaps.remedies import Remedies
    from balance.analysis.changes.handicaps.settable import Place
    from balance.analysis.changes.handicaps.worth import Worths
    from balance.answers.form import AnswerWords
    from balance.engine.query import Query
    from balance.engine.runner import Runner
    from balance.game.game import QuestionKind
    from balance.game.loaded import LoadedGame

POINTS = ("points", "cost_points", "cost")
"""What a bid in points may be called."""


@verb
def handicap(
    game: parameters.Game,
    one: Annotated[
        str, Parameter("One side; without both, the first move of a field.", "[ONE]", offers="first_side")
    ] = "",
    other: Annotated[str, Parameter("The other side.", "[OTHER]", offers="second_side")] = "",
    *,
    kind: Annotated[str, Parameter("A kind of question that has a winner (default: the simplest).", "KIND")] = "",
    field: Annotated[
        Names,
        Parameter(
            "Which numbers may change, separated by commas: health, or b.health of one side (default: all).",
            "FIELD",
            of=list[str],
        ),
    ] = None,
    bid: Annotated[
        str | None,
        Parameter(
            "What going first is worth in a number, such as health, b.health or lost_actions; or in points.", "FIELD"
        ),
    ] = None,
    cost: Annotated[bool, Parameter("What the first should cost against the other at equal points.")] = False,
    worth: Annotated[
        str | None,
        Parameter(
            "What every single change is worth in a number of one side, such as b.banners or a.health.", "NUMBER"
        ),
    ] = None,
    band: Annotated[
        Band, Parameter("The scores, in per cent, between which a match-up is even.", "LOW:HIGH")
    ] = "45:55",
    among: Annotated[
        Names, Parameter("Without sides: who is in the field, separated by commas (default: 12 drawn).", "IDS")
    ] = None,
    budget: parameters.ArmyBudgets = None,
    first: parameters.First = FIRST,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Remedies] | Result[Bid] | Result[PointsBid] | Result[FairCost] | Result[Worths]:
    """Work out which smallest change makes a match-up even or takes the edge off going first, and what that is worth.

    Returns
    -------
    Result
        Its `value` is `Remedies`, such as `result.value.remedies[0].change`, with the table `changes`; of a bid a
        `Bid`, with `bids`, or in points a `PointsBid`, with `points`; of a cost a `FairCost`, such as
        `result.value.fair.low`, with `costs`; of worth `Worths`, with `worths` and `curve`.

    Raises
    ------
    UsageError
        Options do not go together, there is no such number, or the sides make no sense.

    Examples
    --------
    >>> import balance
    >>> even = balance.handicap("warforged", "nexus+assault_rifle", "trooper+shotgun", field="health", cache=False)
    >>> even.to_polars().filter("even")["change"][0]
    'b.health=8'
    """
    from balance.answers.form import Terms

    names, changes = names_of(among) or [], changes_of(set)
    request = _Request(
        kind, (one, other), names, names_of(field) or [], bid, cost, worth, among, budget, first, changes, choose
    )
    opened_game, request, ends = _check_request(request, game, catalogue, band, seed)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        answer, words = _answer(runner, request, ends, seed)
    return as_result("handicap", answer, words, Terms.of(opened_game, answer.kind))


def _answer(runner: Runner, request: _Request, band: tuple[float, float], seed: int) -> tuple[Any, AnswerWords[Any]]:
    """Return the answer of the form that is asked for, and its words."""
    if request.in_points:
        return _answer_in_points(runner, request, band, seed)
    query = request.query(runner.game)
    if request.worth is not None:
        from balance.analysis.changes.handicaps.worth import worths
        from balance.answers.words.handicaps import worths as of_worths

        return worths(runner, query, request.worth, seed), of_worths.WORDS
    if request.bid is not None:
        from balance.analysis.changes.handicaps.bids import field_bid, pair_bid
        from balance.answers.words.handicaps import bids as of_bids

        if query.side_a:
            return pair_bid(runner, query, request.bid, band, seed), of_bids.WORDS
        return field_bid(runner, query.kind, request.bid, request.names, band, seed), of_bids.WORDS
    from balance.analysis.changes.handicaps.remedies import first_move_remedies, remedies
    from balance.answers.words.handicaps import remedies as of_remedies

    if query.side_a:
        return remedies(runner, query, request.fields, band, seed), of_remedies.WORDS
    return first_move_remedies(runner, query.kind, request.names, request.fields, band, seed), of_remedies.WORDS


def _answer_in_points(
    runner: Runner, request: _Request, band: tuple[float, float], seed: int
) -> tuple[Any, AnswerWords[Any]]:
    """Return what the first side should cost, or what going first is worth in armies of equal points."""
    from balance.analysis.changes.handicaps.points_even import fair_cost, points_bid
    from balance.answers.words.handicaps.armies import BID_WORDS, COST_WORDS

    setting = request.setting(runner.game)
    if request.cost:
        return fair_cost(runner, *request.sides, setting, seed, band=band), COST_WORDS
    return points_bid(runner, request.members, setting, seed, band=band), BID_WORDS


# -- what was asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Request:
    """The arguments of a call of `handicap`, as far as they say what is asked; `names` are the ids in `among`."""

    kind: str
    sides: tuple[str, str]
    names: Sequence[str]
    fields: Sequence[str]
    bid: str | None
    cost: bool
    worth: str | None
    among: Names
    budget: Budgets
    first: str
    changes: Sequence[str]
    choices: Choices

    @property
    def in_points(self) -> bool:
        """Whether it is about armies of equal points: a cost, or a bid in points."""
        return self.cost or self.bid in POINTS

    @property
    def members(self) -> tuple[str, ...]:
        """The two sides, or the named members of a field; empty for a field of everybody."""
        return self.sides if any(self.sides) else tuple(self.names)

    def kind_in(self, game: LoadedGame) -> str:
        """Return the kind of question: the one named, or the plainest of a game that has a winner."""
        return self.kind or game.definition.name_about("winner")

    def query(self, game: LoadedGame) -> Query:
        """Return the match-up; for a field its sides are empty."""
        from balance.engine.query import Query

        kind = self.kind_in(game)
        choices = tuple(choices_of(self.choices).items())
        return Query(kind, *self.sides, tuple(self.changes), who_begins(game, kind, self.first), choices)

    def setting(self, game: LoadedGame) -> ArmySetting:
        """Return where armies of these members meet."""
        return meeting_of(game, self.kind, self.budget, self.changes, self.choices, names=self.members or None)


def _check_request(
    request: _Request, game: str | LoadedGame, catalogue: str | Path | None, band: Band, seed: int
) -> tuple[LoadedGame, _Request, tuple[float, float]]:
    """Return the game, the request with its kind and full ids of both sides, and the ends of the band as shares.

    Raise UsageError with everything that is wrong.
    """
    from balance.chance.rolls.streams import check_seed

    opening, opened_game, ends = list[Fault](), None, EVEN_BAND
    with gathering(opening):
        opened_game = open_game(game, catalogue)
        kind = request.kind or ("" if request.sides[1] else opened_game.kind_of_pair(request.sides[0]))
        request = replace(request, kind=kind)
        request = replace(request, sides=opened_game.both(request.kind_in(opened_game), *request.sides))
    faults = [*_side_faults(request), *_apart_faults(request), *_idle_faults(request)]
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        ends = parse_band_around_half(band_text(band))
        if request.worth is not None and ends != EVEN_BAND:
            raise UsageError(Fault("§band is about what is even, and §worth asks nothing of it", tip="leave it out"))
    with gathering(faults):
        budgets_of(request.budget)
    with gathering(faults):
        choices_of(request.choices)
    faults += opening
    with gathering(faults):
        if opened_game is not None:
            checks = _army_faults if request.in_points else _question_faults
            faults += checks(request, opened_game)
    if faults or opened_game is None:
        raise UsageError(list(dict.fromkeys(faults)))
    return opened_game, request, ends


# -- what does not go together ----------------------------------------------------------------------------------------


def _side_faults(request: _Request) -> Iterator[Fault]:
    """Yield a fault for one side without the other, a field beside two sides, or a form that needs two."""
    side_a, side_b = request.sides
    if bool(side_a) != bool(side_b):
        tip = "name the other side too, or none for the first move of a field"
        yield Fault(f"against whom is {side_a or side_b}?", tip=tip)
    if (side_a or side_b) and request.among is not None:
        yield Fault("§among is about a field, not about two sides", tip="leave out the sides, or §among")
    for name in _forms(request):
        if name != "§bid" and not (side_a or side_b):
            yield Fault(f"{name} is about two sides", tip="name both")


def _forms(request: _Request) -> list[str]:
    """Return which of `cost`, `bid` and `worth` are given; without any, the smallest changes are asked for."""
    forms = {"§cost": request.cost, "§bid": request.bid is not None, "§worth": request.worth is not None}
    return [name for name, is_asked in forms.items() if is_asked]


def _apart_faults(request: _Request) -> Iterator[Fault]:
    """Yield a fault for several of these forms at once, and for --field or --first beside one that rules them out."""
    names = _forms(request)
    if len(names) > 1:
        number, tip = ("two", "leave one of them out") if len(names) == 2 else ("three", "leave all but one out")
        yield Fault(f"{' and '.join(names)} are {number} questions", tip=tip)
    if not names:
        return
    name = names[0]
    if request.fields:
        yield Fault(f"§field is about what may move, and {name} says so itself", tip="leave it out")
    if request.first != FIRST and names != ["§worth"]:
        yield Fault(f"with {name} either side goes first equally often", tip="leave out §first")


def _idle_faults(request: _Request) -> Iterator[Fault]:
    """Yield a fault for --set or --choose on a field, and for --budget where no armies meet."""
    if not (any(request.sides) or request.in_points) and (request.changes or request.choices):
        yield Fault("§set and §choose are about two sides, and a field has none", tip="name both sides")
    if request.budget is not None and not request.in_points:
        yield Fault("§budget is about armies", tip="with §cost, or §bid=points")


# -- what the game knows ----------------------------------------------------------------------------------------------


def _army_faults(request: _Request, game: LoadedGame) -> list[Fault]:
    """Return the faults of an arena of these members; those of budgets are told elsewhere."""
    faults = list[Fault]()
    with gathering(faults):
        kind = meeting_of(game, request.kind, None, None, None, buys_all=False).kind
        game.arena(kind, tuple(dict.fromkeys(filter(None, request.members))), request.changes)
    return faults


def _question_faults(request: _Request, game: LoadedGame) -> list[Fault]:
    """Return the faults of a match-up, of the members of a field, and of the numbers that are named."""
    from balance.analysis.changes.handicaps.settable import numbers_of, plain_numbers
    from balance.analysis.changes.handicaps.worth import worth_faults

    faults, kind, question = list[Fault](), game.kind(request.kind_in(game)), None
    with gathering(faults):
        question = request.query(game).to(game) if all(request.sides) else None
    faults += who_is_nobody(game, request.names)
    if request.worth is not None and question is not None:
        faults += worth_faults(question, request.worth)
    places = list(numbers_of(question) if question is not None else plain_numbers(kind))
    on_cards = question is None and any(word.isupper() for role in kind.takes for word in role.fields)
    return [*faults, *(() if on_cards else _number_faults(request, kind, places))]


def _number_faults(request: _Request, kind: QuestionKind, places: Sequence[Place]) -> Iterator[Fault]:
    """Yield a fault for each number of `field` or `bid` that the cards do not have, or that cannot pay a bid."""
    from balance.analysis.changes.handicaps.bids import bid_faults
    from balance.analysis.changes.handicaps.moves import field_faults

    yield from field_faults(kind, request.fields, places)
    if request.bid is not None:
        yield from bid_faults(kind, request.bid, places)
