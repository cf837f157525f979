"""What may be changed in a match-up to make it even, by how much at a time, and a match-up with such a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from balance.analysis.changes.handicaps.settable import Place, numbers_of
from balance.base.errors import BalanceError, Fault, UsageError, unknown
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.evening import INVISIBLE, TENTH
from balance.engine.query import Query
from balance.game.armies.lost_actions import LOST_ACTIONS, LostActions
from balance.game.game import QuestionKind, Step
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

FIELD = 12
"""Entrants of a field of which nobody said who is meant; more are drawn from by the seed."""


def match_ups(game: LoadedGame, kind: str, entrants: Sequence[str], seed: int) -> tuple[Query, ...]:
    """Return the queries of everybody against everybody in a field, side a going first.

    Without entrants the field is all, or 12 drawn by the seed.
    """
    members = game.ids(game.kind(kind).takes[0])
    names = tuple(dict.fromkeys(entrants)) or drawn_by_seed(members, FIELD, seed, "remedies")
    return tuple(Query(kind, side_a, side_b, first="a") for side_a in names for side_b in names)


def why_no_lost_action(kind: QuestionKind) -> str:
    """Return why no side can lose its first actions in a kind of question; empty where it can."""
    if all(issubclass(stance, LostActions) for stance in kind.stances):
        return ""
    if not kind.turn_orders:
        return f"in {kind.name} no side goes before the other by choice"
    return f"{kind.name} declares no {LOST_ACTIONS} of a side"


def places_of(questions: Sequence[Question], fields: Sequence[str]) -> list[Place]:
    """Return the numbers of both sides that may move, in all questions (of one kind) together.

    `fields` are names such as `health` or `b.health`; without them all but those that no duel can see. Raise UsageError
    for each that is no number of a side.
    """
    places = list(dict.fromkeys(place for question in questions for place in numbers_of(question)))
    if faults := list(field_faults(questions[0].kind, fields, places)):
        raise UsageError(faults)
    if fields:
        return [place for place in places if {place.field, place.name} & set(fields)]
    return [place for place in places if not any(word in place.field for word in INVISIBLE)]


def field_faults(kind: QuestionKind, fields: Sequence[str], places: Sequence[Place]) -> Iterator[Fault]:
    """Yield a fault for each field, such as `health` or `b.health`, that is not among the numbers that may move."""
    names = sorted({name for place in places for name in (place.field, place.name)})
    yield from (_no_number(name, names, kind) for name in fields if name not in names)


def _no_number(name: str, names: Sequence[str], kind: QuestionKind) -> Fault:
    if name.rpartition(".")[2] == LOST_ACTIONS and (reason := why_no_lost_action(kind)):
        return Fault("is not applicable here", "§field", found=name, tip=reason)
    return unknown(name, names, "is no number of a side", "§field")


def with_step(query: Query, step: Step) -> Query:
    """Return a query with a change of kind `Step`: who goes first, if it names no side, else an assignment."""
    if not step.side:
        return replace(query, first=step.new)
    name = f"{step.side}.{step.field}="
    return replace(query, changes=(*(text for text in query.changes if not text.startswith(name)), name + step.new))


def field_step(place: Place, value: float) -> float:
    """Return the size of a step for a number of a whole field: 1 if it has to be whole, else a tenth of the value."""
    return 1.0 if place.whole else abs(value) / TENTH or 1 / TENTH


def is_legal(query: Query, game: LoadedGame) -> bool:
    """Return whether the query can be asked, that is, raises no BalanceError."""
    try:
        query.to(game)
    except BalanceError:
        return False
    return True
