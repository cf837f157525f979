"""The neighbourhood of a card: every number one step up and down, every ability put on and taken off, and their pairs.

A change is made to one side only, as a question can set it; the field that it meets stays as printed. Each change has
three effects: on the chance to win against the field, on the actions it takes to kill one of the field, and on the
actions it takes the field to kill it. Where no distribution changes at all, a change is not measurable here. Of two
abilities together, the effect beyond the sum of both alone is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Annotated, TypeVar

from balance.analysis.changes.handicaps.match_up_score import measure_score
from balance.analysis.changes.handicaps.settable import Place, numbers_of, value_of, words_at, words_of
from balance.analysis.scores.cards import find_card
from balance.base.answers import Doc, formula
from balance.base.errors import BalanceError, Fault, RulesError, UsageError, unknown
from balance.catalogue import columns_of
from balance.catalogue.overrides import is_readable
from balance.chance.rolls.streams import drawn_by_seed
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

FIELD = 12
"""Opponents of a field of which nobody said who is meant; of more, so many are drawn by the seed."""
HOLDERS = 3
"""Entrants that hold a card and are looked at, likewise."""
ROUNDING = 1e-9
Row = TypeVar("Row")
NO_STEP = ("id", "name", "cost_points", "copies", LOST_ACTIONS)


@dataclass(frozen=True)
class Change:
    """One field of a card with another value, as a question sets it."""

    field: Annotated[str, Doc("What changes.")]
    from_: Annotated[str, Doc("What it holds as printed.")]
    to: Annotated[str, Doc("What it holds then.")]
    word: Annotated[str | None, Doc("Of a list of words, the one that comes or goes.")]

    @formula
    def change(self) -> Annotated[str, Doc('As people say it, such as "with emp".')]:
        """Return it as people say it."""
        if self.word is None:
            return f"{self.field} {self.from_} to {self.to}"
        return f"{'with' if self.word in self.to.split(',') else 'without'} {self.word}"


@dataclass(frozen=True)
class Neighbour:
    """What a change does: to the chance to win against the field, where a draw counts half, and to numbers of actions.

    `kills` is by how many actions killing one of the field takes longer, and `stands` by how many killing it does; None
    where that cannot be asked. Where it has no effect, no number changes in any match-up at all.
    """

    change: Change
    score: Estimate
    kills: float | None
    stands: float | None
    has_effect: bool


@dataclass(frozen=True)
class AbilityPair:
    """Two abilities together."""

    changes: Annotated[tuple[str, str], Doc("The two.")]
    alone: Annotated[tuple[Estimate, Estimate], Doc("What each adds to the score by itself.")]
    together: Annotated[Estimate, Doc("What both add.")]
    beyond: Annotated[Estimate, Doc("What both add beyond what each adds alone.")]


@dataclass(frozen=True)
class Neighbourhood:
    """What every small change of a card does.

    * `card`, `holders`, `field`: what was asked about, the entrants looked at that hold it, and whom they meet.
    * `score`, `kills`, `stands`: as it is printed: the chance to win, the actions to kill one of the field, and those
      that it stands.
    * `neighbours`: every change that is legal, in the order of the card.
    * `pairs`: every two of its abilities, or of one of its own and another that it might have.
    * `refusals`: changes that the rules refuse.
    """

    card: str
    holders: tuple[str, ...]
    field: tuple[str, ...]
    score: Estimate
    kills: float | None
    stands: float | None
    neighbours: tuple[Neighbour, ...]
    pairs: tuple[AbilityPair, ...]
    refusals: tuple[Change, ...]


def neighbourhood(
    runner: Runner, card: str, field: Sequence[str] = (), changes: Sequence[str] = (), seed: int = 0
) -> Neighbourhood:
    """Return what every small change of a card, or of an entrant that holds several, does against a field.

    Without a field 12 opponents are drawn by the seed; `changes` are assignments made in every question. Raise
    UsageError where there is no such card, or nobody holds it.
    """
    holders, own_fields = holders_of(runner.game, card, seed), _fields_of(runner.game, card)
    desk = _Desk(runner, holders, _field(runner.game, field, seed), tuple(changes), own_fields, seed)
    alone = desk.changes()
    base, *after = desk.looks([{}, *({change.field: change.to} for change in alone)])
    if base is None:
        nobody = Fault(f"{card} cannot meet anybody of the field", tip="name another field")
        raise UsageError([*desk.refused_settings()] or [nobody])
    looks = list(zip(alone, after, strict=True))
    neighbours = tuple(base.towards(change, look) for change, look in looks if look is not None)
    refusals = tuple(change for change, look in looks if look is None)
    abilities = [neighbour for neighbour in neighbours if neighbour.has_effect and neighbour.change.word]
    return Neighbourhood(
        card,
        desk.holders,
        desk.field,
        base.score,
        base.kills,
        base.stands,
        neighbours,
        tuple(desk.pairs(base, abilities)),
        refusals,
    )


def holders_of(game: LoadedGame, card: str, seed: int) -> tuple[str, ...]:
    """Return the entrants that hold a card, some drawn by the seed where they are many, or the entrant itself.

    Raise UsageError where the name is neither.
    """
    kind = game.definition.kind_about("winner")
    names = tuple(game.entrants if kind is None else game.ids(kind.takes[0]))
    if card in names:
        return (card,)
    holders = [name for name in names if card in game.parts(name)]
    if not holders:
        parts = sorted({part for name in names for part in game.parts(name)})
        raise UsageError([unknown(card, [*parts, *names], "is no card that somebody holds, and no entrant")])
    return drawn_by_seed(holders, HOLDERS, seed, "remedies")


def _fields_of(game: LoadedGame, card: str) -> frozenset[str] | None:
    """Return the fields that a card prints; None for an entrant, of which all may change."""
    table, _, _ = find_card(game, card)
    if not table:
        return None
    return frozenset(column.name for column in columns_of(type(game.catalogue.tables[table][card])))


def _field(game: LoadedGame, field: Sequence[str], seed: int) -> tuple[str, ...]:
    kind = game.definition.kind_about("winner")
    opponents = game.targets if kind is None else game.ids(kind.takes[1])
    return tuple(field) or drawn_by_seed(opponents, FIELD, seed, "remedies")


@dataclass(frozen=True)
class _Look:
    """What a card does under some changes: means over its holders and the field, and the numbers of match-ups."""

    score: Estimate
    kills: float | None
    stands: float | None
    numbers: Mapping[str, Sequence[float]]

    @classmethod
    def of(cls, scores: Sequence[Estimate], kills: Sequence[float], stands: Sequence[float]) -> _Look:
        numbers = {"score": [score.value for score in scores], "kills": kills, "stands": stands}
        return cls(Estimate.mean_of(scores), _average(kills), _average(stands), numbers)

    def towards(self, change: Change, after: _Look) -> Neighbour:
        return Neighbour(
            change,
            after.score - self.score,
            _difference(after.kills, self.kills),
            _difference(after.stands, self.stands),
            any(abs(old - new) > ROUNDING for name in self.numbers for old, new in _both_seen(self, after, name)),
        )


def _both_seen(before: _Look, after: _Look, name: str) -> Iterator[tuple[float, float]]:
    """Yield the numbers of one kind before and after by match-up; nothing where their counts differ."""
    if len(before.numbers[name]) == len(after.numbers[name]):
        yield from zip(before.numbers[name], after.numbers[name], strict=True)


def _difference(value: float | None, base: float | None) -> float | None:
    return None if value is None or base is None else value - base


@dataclass(frozen=True)
class _Desk:
    """Plays a card with some fields set: all its holders against all of the field."""

    runner: Runner
    holders: tuple[str, ...]
    field: tuple[str, ...]
    assignments: tuple[str, ...]
    own_fields: frozenset[str] | None
    seed: int

    @property
    def game(self) -> LoadedGame:
        return self.runner.game

    def changes(self) -> list[Change]:
        """Return the single changes: each number a step up and down, each word added or removed."""
        duel = self._with_question(self._duels({})[0])
        if isinstance(duel, BalanceError):
            return []
        question = duel.to(self.game)
        side = question.kind.sides[0]
        changes = list[Change]()
        for place in numbers_of(question):
            value = value_of(question, place)
            if self._is_own(place, side) and value is not None:
                step = 1.0 if place.whole else abs(value) / 10 or 0.1
                changes += [Change(place.field, f"{value:.10g}", f"{value + by:.10g}", None) for by in (step, -step)]
        for place in words_of(question):
            words = words_at(question, place)
            if self._is_own(place, side) and words is not None:
                changes += [Change(place.field, ",".join(words), _toggle(words, word), word) for word in place.options]
        return list(dict.fromkeys(changes))

    def _is_own(self, place: Place, side: str) -> bool:
        is_printed = self.own_fields is None or place.field in self.own_fields
        return place.side == side and is_printed and place.field not in NO_STEP

    def looks(self, settings: Sequence[Mapping[str, str]]) -> list[_Look | None]:
        """Return scores and durations with some fields set, by setting; None where the rules refuse that."""
        scores, kills, stands = self.scores(settings), self._actions(settings, True), self._actions(settings, False)
        return [_Look.of(*rows) if rows[0] else None for rows in zip(scores, kills, stands, strict=True)]

    def scores(self, settings: Sequence[Mapping[str, str]]) -> list[list[Estimate]]:
        """Return the score of every match-up with some fields set, by setting; none where the rules refuse that."""
        return self._measured([self._duels(set_to) for set_to in settings], partial(measure_score, self.seed, False))

    def _measured(
        self, groups: Sequence[Sequence[Query]], measure: Callable[[Question], Row], skip_illegal: bool = False
    ) -> list[list[Row]]:
        """Return the measures of each group of queries, all asked at once; none of a group that cannot be asked."""
        askable = {query: self._with_question(query) for group in groups for query in group}
        illegal = {query for query, error in askable.items() if skip_illegal and isinstance(error, RulesError)}
        legal = [[query for query in group if query not in illegal] for group in groups]
        queries = [query for query in askable.values() if isinstance(query, Query)]
        rows = dict(zip(queries, self.runner(queries, partial(_if_allowed, measure)), strict=True))
        measures = ([row for query in group if (row := rows.get(query)) is not None] for group in legal)
        return [own if len(own) == len(group) else [] for own, group in zip(measures, legal, strict=True)]

    def _with_question(self, query: Query) -> Query | BalanceError:
        """Return a query with its question, or why it has none."""
        try:
            return replace(query, question=query.to(self.game))
        except BalanceError as error:
            return error

    def refused_settings(self) -> Iterator[Fault]:
        """Yield what is wrong with each assignment, with the kinds of question that have it if duels do not."""
        duel = self._duels({})[0]
        for text in self.assignments:
            path, _, value = text.partition("=")
            root, _, field = path.partition(".")
            try:
                replace(duel, changes=(text,)).to(self.game)
            except BalanceError as error:
                yield from error.faults if root != "situation" else self._refusals(error, duel.kind, field, value)

    def _refusals(self, error: BalanceError, kind: str, field: str, value: str) -> Iterator[Fault]:
        """Yield the faults of a setting of the situation, with a tip that names the kinds of question that have it."""
        kinds = self.game.definition.kinds.values()
        others = [other.name for other in kinds if is_readable(other.situation, field, value)]
        have = f"; {' and '.join(others)} {'has' if len(others) == 1 else 'have'}" if others else ""
        tip = f"a card is asked about by {kind}, which has no setting situation.{field}={value}{have}"
        yield from (replace(fault, tip=f"{fault.tip}; {tip}" if fault.tip else tip) for fault in error.faults)

    def _duels(self, set_to: Mapping[str, str]) -> list[Query]:
        """Return the duels of every holder with everybody of the field."""
        kind = self.game.definition.kind_about("winner")
        if kind is None:
            raise UsageError("nobody wins in this game, so that a card has no neighbourhood")
        changes = (*self.assignments, *_assignments(kind.sides[0], set_to))
        return [Query(kind.name, holder, opponent, changes) for holder in self.holders for opponent in self.field]

    def _actions(self, settings: Sequence[Mapping[str, str]], attacks: bool) -> list[list[float]]:
        """Return the mean actions until the target falls, for each holder and each of the field, by setting.

        The holder attacks if `attacks`, else it is the target. None where it cannot be asked.
        """
        kind = self.game.definition.kind_about("duration")
        if kind is None or kind.winner:
            return [[] for _ in settings]
        changes = [_assignments(kind.sides[0 if attacks else 1], set_to) for set_to in settings]
        pairs = [(holder, opponent) for holder in self.holders for opponent in self.field]
        sides = pairs if attacks else [(opponent, holder) for holder, opponent in pairs]
        shots = [(attacker, self.game.parts(target)[0]) for attacker, target in sides]
        queries = [[Query(kind.name, *shot, each) for shot in shots] for each in changes]
        return self._measured(queries, measure_duration, skip_illegal=True)

    def pairs(self, base: _Look, words: Sequence[Neighbour]) -> Iterator[AbilityPair]:
        """Yield the effects of every two abilities that each have an effect alone."""
        both = list(combinations(words, 2))
        looks = self.scores([_joint_change(first.change, second.change) for first, second in both])
        for (first, second), scores in zip(both, looks, strict=True):
            if scores:
                together = Estimate.mean_of(scores) - base.score
                beyond = together - first.score - second.score
                names = first.change.change, second.change.change
                yield AbilityPair(names, (first.score, second.score), together, beyond)


def _if_allowed(measure: Callable[[Question], Row], question: Question) -> Row | None:
    """Return the measure of a question; None where rules cannot play it."""
    try:
        return measure(question)
    except BalanceError:
        return None


def measure_duration(question: Question) -> float:
    """Return the mean of the duration column of a question."""
    return question.known_distribution()[0].mean(question.kind.column("duration") or "")


def _assignments(side: str, set_to: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{side}.{field}={text}" for field, text in set_to.items())


def _toggle(words: Sequence[str], word: str) -> str:
    return ",".join(item for item in words if item != word) if word in words else ",".join((*words, word))


def _joint_change(first: Change, second: Change) -> dict[str, str]:
    """Return field -> value with both words changed; where they are of one list, both changes are made to it."""
    if first.field != second.field:
        return {first.field: first.to, second.field: second.to}
    words = [word for word in first.to.split(",") if word]
    return {first.field: _toggle(words, second.word or "")}


def _average(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
