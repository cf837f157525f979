"""What `balance handicap` is asked, checked before the long work begins: all that is wrong is told at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.errors import Fault, UsageError, gathering
from balance.render.handicap_points import NAMES
from balance.verbs.shares import parse_band_around_half
from balance.verbs.words import FIRST, choices_of, parse_budgets, who_begins, who_is_nobody

if TYPE_CHECKING:
    from balance.analysis.settable import Place
    from balance.engine.query import Query
    from balance.protocol.game import QuestionKind
    from balance.protocol.loaded import LoadedGame

__all__ = ["Wanted", "checked"]


@dataclass(frozen=True)
class Wanted:
    """What was asked, as it was typed; `names` are those of `among`."""

    kind: str
    sides: tuple[str, str]
    names: Sequence[str]
    fields: Sequence[str]
    bid: str | None
    cost: bool
    among: str | None
    budget: str | None
    first: str
    changes: Sequence[str]
    choices: Sequence[str]

    @property
    def in_points(self) -> bool:
        """Whether armies are to meet."""
        return self.cost or self.bid in NAMES

    @property
    def members(self) -> tuple[str, ...]:
        """Who takes part: two sides, or a field; nobody named for everybody."""
        return self.sides if any(self.sides) else tuple(self.names)

    def query(self, loaded: LoadedGame) -> Query:
        """Return the match-up; nobody takes part in that of a field."""
        from balance.engine.query import Query

        kind = self.kind or loaded.game.name_about("winner")
        choices = tuple(choices_of(list(self.choices)).items())
        return Query(kind, *self.sides, tuple(self.changes), who_begins(loaded, kind, self.first), choices)


def checked(
    asked: Wanted, game: str, catalogue: Path | None, band: str, seed: int
) -> tuple[LoadedGame, tuple[float, float]]:
    """Return the game, and the band; or say what is wrong with all that was typed.

    Raises
    ------
    UsageError
        Something is.
    """
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    faults, loaded, ends = [*_side_faults(asked), *_apart_faults(asked), *_idle_faults(asked)], None, (0.45, 0.55)
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        ends = parse_band_around_half(band)
    with gathering(faults):
        parse_budgets(asked.budget) if asked.budget is not None else None
    with gathering(faults):
        choices_of(list(asked.choices))
    with gathering(faults):
        loaded = load(game, catalogue)
        faults += _army_faults(asked, loaded) if asked.in_points else _question_faults(asked, loaded)
    if faults or loaded is None:
        raise UsageError(list(dict.fromkeys(faults)))
    return loaded, ends


# -- what does not go together ----------------------------------------------------------------------------------------


def _side_faults(asked: Wanted) -> Iterator[Fault]:
    """Yield what is wrong with who was named."""
    one, other = asked.sides
    if bool(one) != bool(other):
        tip = "name the other side too, or none for the first move of a field"
        yield Fault(f"against whom is {one or other}?", tip=tip)
    if (one or other) and asked.among is not None:
        yield Fault("--among is about a field, not about two sides", tip="leave out the sides, or --among")
    if asked.cost and not (one or other):
        yield Fault("--cost is about two sides", tip="name both")


def _apart_faults(asked: Wanted) -> Iterator[Fault]:
    """Yield which options do not go together."""
    if asked.cost and asked.bid is not None:
        yield Fault("--cost and --bid are two questions", tip="leave one of them out")
    if not (asked.cost or asked.bid is not None):
        return
    name = "--cost" if asked.cost else "--bid"
    if asked.fields:
        yield Fault(f"--field is about what may move, and {name} says so itself", tip="leave it out")
    if asked.first != FIRST:
        yield Fault(f"with {name} either side goes first equally often", tip="leave out --first")


def _idle_faults(asked: Wanted) -> Iterator[Fault]:
    """Yield which options are about something else than what is asked."""
    if not (any(asked.sides) or asked.in_points) and (asked.changes or asked.choices):
        yield Fault("--set and --choose are about two sides, and a field has none", tip="name both sides")
    if asked.budget is not None and not asked.in_points:
        yield Fault("--budget is about armies", tip="with --cost, or --bid points")


# -- what the game knows ----------------------------------------------------------------------------------------------


def _army_faults(asked: Wanted, loaded: LoadedGame) -> list[Fault]:
    """Return what is wrong with armies of these members; what is wrong with budgets is told already."""
    from balance.verbs.prices import meeting_of

    faults = list[Fault]()
    with gathering(faults):
        kind = meeting_of(loaded, asked.kind, None, None, None, everybody=False).kind
        loaded.arena(kind, tuple(dict.fromkeys(filter(None, asked.members))), asked.changes)
    return faults


def _question_faults(asked: Wanted, loaded: LoadedGame) -> list[Fault]:
    """Return what is wrong with a match-up, or with who is in a field, and with the numbers that are named."""
    from balance.analysis.settable import numbers_of, plain_numbers

    faults, kind, question = list[Fault](), loaded.kind(asked.kind or loaded.game.name_about("winner")), None
    with gathering(faults):
        question = asked.query(loaded).to(loaded) if all(asked.sides) else None
    faults += who_is_nobody(loaded, asked.names)
    every = list(numbers_of(question) if question is not None else plain_numbers(kind))
    on_cards = question is None and any(word.isupper() for taken in kind.takes for word in taken.fields)
    return [*faults, *(() if on_cards else _number_faults(asked, kind, every))]


def _number_faults(asked: Wanted, kind: QuestionKind, every: Sequence[Place]) -> Iterator[Fault]:
    """Yield what is wrong with the numbers that may move, or that is bid."""
    from balance.analysis.bids import bid_faults
    from balance.analysis.remedies import field_faults

    yield from field_faults(kind, asked.fields, every)
    if asked.bid is not None:
        yield from bid_faults(kind, asked.bid, every)
