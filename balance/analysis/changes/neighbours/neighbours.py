"""The neighbourhood of a card: every number one step up and down, every ability put on and taken off, and their pairs.

A change is made to one side only, as a question can set it; the field that it meets stays as printed. Three things are
told of each: the chance to win against the field, the actions it takes to kill one of the field, and the actions it
takes the field to kill it. Where no distribution changes at all, a change is not measurable here. Of two abilities
together, what they add beyond what each adds alone is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from balance.analysis.changes.handicaps.remedies import measure_score
from balance.analysis.changes.handicaps.settable import Place, numbers_of, value_of, words_at, words_of
from balance.analysis.scores.cards import find_card
from balance.base.errors import BalanceError, UsageError, unknown
from balance.catalogue import columns_of
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

__all__ = ["Change", "Neighbour", "Neighbourhood", "Pair", "holders_of", "neighbourhood"]

FIELD = 12
"""Opponents of a field of which nobody said who is meant; of more, so many are drawn by the seed."""
HOLDERS = 3
"""Entrants that hold a card and are looked at, likewise."""
SAME = 1e-9
NO_STEP = ("id", "name", "cost_points", "copies", LOST_ACTIONS)


@dataclass(frozen=True)
class Change:
    """One field of a card otherwise.

    Attributes
    ----------
    field
        Which.
    old, new
        As a question sets them.
    word
        The ability that comes or goes; empty where a number moves.
    """

    field: str
    old: str
    new: str
    word: str = ""

    def __str__(self) -> str:
        """Return it as people say it."""
        if not self.word:
            return f"{self.field} {self.old} to {self.new}"
        return f"{'with' if self.word in self.new.split(',') else 'without'} {self.word}"


@dataclass(frozen=True)
class Neighbour:
    """What a change does.

    Attributes
    ----------
    change
        Which.
    score
        By how much the chance to win against the field grows (a draw counts half).
    kills
        By how many actions killing one of the field takes longer; None where that cannot be asked.
    stands
        By how many actions the field takes longer to kill it; likewise.
    seen
        Whether any of it changes at all.
    """

    change: Change
    score: Estimate
    kills: float | None
    stands: float | None
    seen: bool


@dataclass(frozen=True)
class Pair:
    """Two abilities together: what they add to the score beyond what each of them adds alone."""

    words: tuple[str, str]
    alone: tuple[Estimate, Estimate]
    together: Estimate
    beyond: Estimate


@dataclass(frozen=True)
class Neighbourhood:
    """What every small change of a card does.

    Attributes
    ----------
    card, holders, field
        What was asked about, the entrants looked at that hold it, and whom they meet.
    score, kills, stands
        As it is printed: the chance to win, the actions to kill one of the field, and those that it stands.
    neighbours
        Every change that is legal, in the order of the card.
    pairs
        Every two of its abilities, or of one of its own and another that it might have.
    refused
        Changes that the rules refuse.
    """

    card: str
    holders: tuple[str, ...]
    field: tuple[str, ...]
    score: Estimate
    kills: float | None
    stands: float | None
    neighbours: tuple[Neighbour, ...]
    pairs: tuple[Pair, ...]
    refused: tuple[Change, ...]

    def __repr__(self) -> str:
        """Return which card it is, and how many changes were tried."""
        return f"Neighbourhood({self.card!r}, {len(self.neighbours)} changes, {len(self.pairs)} pairs)"


def neighbourhood(
    runner: Runner, card: str, field: Sequence[str] = (), changes: Sequence[str] = (), seed: int = 0
) -> Neighbourhood:
    """Return what every small change of a card does.

    Parameters
    ----------
    card
        A card, or an entrant that holds several.
    field
        Whom it meets; without them 12 drawn by the seed.
    changes
        Assignments made in every question.

    Raises
    ------
    UsageError
        There is no such card, or nobody holds it.

    Examples
    --------
    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> found = neighbourhood(Runner(load("warforged")), "trooper+shotgun", ["nexus+assault_rifle", "aegis+sidearm"])
    >>> best = max(found.neighbours, key=lambda one: one.score.value)
    >>> str(best.change), round(best.score.value, 2)
    ('with emp', 0.22)
    """
    holders, own = holders_of(runner.game, card, seed), _fields_of(runner.game, card)
    desk = _Desk(runner, holders, _field(runner.game, field, seed), tuple(changes), own, seed)
    base = desk.look({})
    if base is None:
        raise UsageError(f"{card} cannot meet anybody of the field", "name another field")
    tried = [(change, desk.look({change.field: change.new})) for change in desk.changes()]
    neighbours = tuple(base.towards(change, found) for change, found in tried if found is not None)
    refused = tuple(change for change, found in tried if found is None)
    seen = [one for one in neighbours if one.seen and one.change.word]
    return Neighbourhood(
        card,
        desk.holders,
        desk.field,
        base.score,
        base.kills,
        base.stands,
        neighbours,
        tuple(desk.pairs(base, seen)),
        refused,
    )


def holders_of(loaded: LoadedGame, card: str, seed: int) -> tuple[str, ...]:
    """Return the entrants that hold a card, or the entrant itself."""
    kind = loaded.game.kind_about("winner")
    names = tuple(loaded.entrants if kind is None else loaded.ids(kind.takes[0]))
    if card in names:
        return (card,)
    found = [name for name in names if card in loaded.parts(name)]
    if not found:
        parts = sorted({part for name in names for part in loaded.parts(name)})
        raise UsageError([unknown(card, [*parts, *names], "is no card that somebody holds, and no entrant")])
    return drawn_by_seed(found, HOLDERS, seed, "remedies")


def _fields_of(loaded: LoadedGame, card: str) -> frozenset[str] | None:
    """Return the fields that a card prints; None for an entrant, of which all may change."""
    table, _, _ = find_card(loaded, card)
    if not table:
        return None
    return frozenset(column.name for column in columns_of(type(loaded.catalogue.tables[table][card])))


def _field(loaded: LoadedGame, field: Sequence[str], seed: int) -> tuple[str, ...]:
    kind = loaded.game.kind_about("winner")
    others = loaded.targets if kind is None else loaded.ids(kind.takes[1])
    return tuple(field) or drawn_by_seed(others, FIELD, seed, "remedies")


@dataclass(frozen=True)
class _Look:
    """What is seen of a card under some changes: means over its holders and the field, and every single number."""

    score: Estimate
    kills: float | None
    stands: float | None
    every: Mapping[str, Sequence[float]]

    def towards(self, change: Change, other: _Look) -> Neighbour:
        return Neighbour(
            change,
            other.score - self.score,
            _less(other.kills, self.kills),
            _less(other.stands, self.stands),
            any(abs(one - two) > SAME for name in self.every for one, two in _both_seen(self, other, name)),
        )


def _both_seen(one: _Look, other: _Look, name: str) -> Iterator[tuple[float, float]]:
    """Yield the single numbers of one kind before and after, where both can be had."""
    if len(one.every[name]) == len(other.every[name]):
        yield from zip(one.every[name], other.every[name], strict=True)


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


@dataclass(frozen=True)
class _Desk:
    """Where changes of a card are looked at."""

    runner: Runner
    holders: tuple[str, ...]
    field: tuple[str, ...]
    given: tuple[str, ...]
    own: frozenset[str] | None
    seed: int

    @property
    def loaded(self) -> LoadedGame:
        return self.runner.game

    def changes(self) -> list[Change]:
        """Return the single changes: numbers a step up and down, words that come or go."""
        question = self._duels({})[0].to(self.loaded)
        side = question.kind.sides[0]
        found = list[Change]()
        for place in numbers_of(question):
            value = value_of(question, place)
            if self._is_own(place, side) and value is not None:
                step = 1.0 if place.whole else abs(value) / 10 or 0.1
                found += [Change(place.field, f"{value:.10g}", f"{value + by:.10g}") for by in (step, -step)]
        for place in words_of(question):
            words = words_at(question, place)
            if self._is_own(place, side) and words is not None:
                found += [Change(place.field, ",".join(words), _toggled(words, word), word) for word in place.options]
        return list(dict.fromkeys(found))

    def _is_own(self, place: Place, side: str) -> bool:
        is_printed = self.own is None or place.field in self.own
        return place.side == side and is_printed and place.field not in NO_STEP

    def look(self, set_to: Mapping[str, str]) -> _Look | None:
        """Return what is seen with some fields set; None where the rules refuse that."""
        try:
            rows = self.runner(self._duels(set_to), partial(measure_score, self.seed, False))
        except BalanceError:
            return None
        scores = [row for row in rows if row is not None]
        if not scores:
            return None
        kills, stands = self._actions(set_to, attacks=True), self._actions(set_to, attacks=False)
        every = {"score": [one.value for one in scores], "kills": kills, "stands": stands}
        return _Look(Estimate.mean_of(scores), _average(kills), _average(stands), every)

    def _duels(self, set_to: Mapping[str, str]) -> list[Query]:
        """Return the duels of every holder with everybody of the field."""
        kind = self.loaded.game.kind_about("winner")
        if kind is None:
            raise UsageError("nobody wins in this game, so that a card has no neighbourhood")
        changes = (*self.given, *_assigned(kind.sides[0], set_to))
        return [Query(kind.name, one, other, changes) for one in self.holders for other in self.field]

    def _actions(self, set_to: Mapping[str, str], attacks: bool) -> list[float]:
        """Return the mean actions until somebody falls, for each holder and each of the field."""
        kind = self.loaded.game.kind_about("duration")
        if kind is None or kind.winner:
            return []
        changes = _assigned(kind.sides[0 if attacks else 1], set_to)
        pairs = [(one, other) for one in self.holders for other in self.field]
        sides = pairs if attacks else [(other, one) for one, other in pairs]
        asked = [Query(kind.name, one, self.loaded.parts(other)[0], changes) for one, other in sides]
        try:
            rows = self.runner(asked, measure_duration, skip_illegal=True)
        except BalanceError:
            return []
        return [row for row in rows if row is not None]

    def pairs(self, base: _Look, words: Sequence[Neighbour]) -> Iterator[Pair]:
        """Yield what every two abilities that can be seen do together."""
        for one, other in combinations(words, 2):
            found = self.look(_both(one.change, other.change))
            if found is not None:
                together = found.score - base.score
                alone = (one.score, other.score)
                yield Pair((str(one.change), str(other.change)), alone, together, together - alone[0] - alone[1])


def measure_duration(question: Question) -> float:
    """Return how long it takes on average."""
    return question.known()[0].mean(question.kind.column("duration") or "")


def _assigned(side: str, set_to: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{side}.{field}={text}" for field, text in set_to.items())


def _toggled(words: Sequence[str], word: str) -> str:
    return ",".join(one for one in words if one != word) if word in words else ",".join((*words, word))


def _both(one: Change, other: Change) -> dict[str, str]:
    """Return two words changed at once; of one list both come or go."""
    if one.field != other.field:
        return {one.field: one.new, other.field: other.new}
    words = [word for word in one.old.split(",") if word]
    return {one.field: _toggled([word for word in _toggled(words, one.word).split(",") if word], other.word)}


def _average(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
