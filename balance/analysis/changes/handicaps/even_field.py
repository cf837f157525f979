"""What would bring a field to one half where everybody costs the same: a number of a card moved, or a higher cost.

The one farthest from one half is changed first: one of its numbers, or what it costs, so that its mean score against
the field comes nearest to one half, without going from too cheap to too dear or back. Who is fair today stays as it
is, and who is worth more than a duel shows is not made stronger. Every change is judged in a field in which the others
are in force, and at the end each is chosen once more, so that all of them hold together. Who costs twice as much meets
two; who plays alike changes together.

Everything is asked in several settings: one against one, two against two, and under each other reading of the rules
that makes a difference. A verdict is firm only if it is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import gcd

from balance.analysis.changes.handicaps.settable import Place, value_of
from balance.analysis.claims.rule_options import other_readings
from balance.analysis.luck.field import measure_score
from balance.analysis.prices.verdicts import TOO_CHEAP, TOO_DEAR
from balance.base.errors import BalanceError
from balance.base.numbers import EVEN_BAND
from balance.engine.query import Query, override
from balance.engine.runner import Runner

MOST_CHANGES = 5
MOST_STEPS = 3
"""Steps that a number is moved at most."""
MOST_UNITS = 3
"""Most who stand in a line; who would need more of them is asked about one against one."""
ROUNDS = 2
"""How often every change is chosen, the first time one after the other."""
ALIKE = 9
"""Digits by which scores are told apart."""
ALONE = "one against one"
LINE = "how many meet"
READING = "the open rules"


@dataclass(frozen=True)
class Move:
    """One change of a group: a number of its cards from `old` to `new`, or a `cost` above 1; by default nothing."""

    field: str = ""
    old: str = ""
    new: str = ""
    steps: int = 0
    cost: int = 1

    def changes(self, side: str) -> tuple[str, ...]:
        """Return the assignments that make this change to side "a" or "b" of a question; none for a cost."""
        return (f"{side}.{self.field}={self.new}",) if self.field else ()


UNCHANGED = Move()
Group = tuple[str, ...]
"""Entrants whom no duel tells apart, in the order of the game."""
State = Mapping[Group, Move]
"""What is in force."""
Side = tuple[Group, Move]
"""Who meets somebody, as what."""


@dataclass(frozen=True)
class EvenFieldQuestion:
    """A field of equal costs, and what may change of it.

    * `groups`: the field, each group of those who play alike once.
    * `fields`: the numbers that may move, as they are set of a side.
    * `kind`: the kind of question in which one meets one.
    * `line` and `units`: the kind of question in which several meet, and the paths of how many of each side; empty
      where there is none.
    * `most_cost`: the most that anybody may cost, where everybody costs 1.
    * `changes`: kind of question -> assignments made in every question of it.
    * `band`: scores between which somebody is fair.
    * `most_changes`: how many groups may change.
    * `undervalued`: entrants worth more than these questions show, so that a low score is no reason to change them.
    """

    groups: tuple[Group, ...]
    fields: tuple[str, ...]
    kind: str
    line: str = ""
    units: tuple[str, ...] = ()
    most_cost: int = 1
    changes: Callable[[str], tuple[str, ...]] = lambda kind: ()
    band: tuple[float, float] = EVEN_BAND
    most_changes: int = MOST_CHANGES
    undervalued: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Setting:
    """One way of asking: `units` of each side meet (1 or 2), with these assignments made."""

    name: str
    units: int = 1
    changes: tuple[str, ...] = ()


USUAL = Setting(ALONE)


@dataclass(frozen=True)
class EvenField:
    """How far groups are from one half, in every setting, and the changes that would mend it.

    * `settings`: the ways of asking, one against one as the rules stand first.
    * `before` and `after`: group -> its mean score in each setting: as printed, and with all changes in force.
    * `alone`: group that changes -> its score one against one if nobody else changes.
    * `moves`: group -> its change, the group farthest from one half first.
    * `band`: scores between which somebody is fair.
    """

    settings: tuple[Setting, ...]
    before: Mapping[Group, tuple[float, ...]]
    after: Mapping[Group, tuple[float, ...]]
    alone: Mapping[Group, float]
    moves: State
    band: tuple[float, float]

    def verdict(self, scores: Sequence[float]) -> tuple[str, tuple[str, ...]]:
        """Return the verdict on a cost by the first setting, or "depends", and the settings in which it is another."""
        words = [_word(score, self.band) for score in scores]
        facets = [setting.name for setting, word in zip(self.settings, words, strict=True) if word != words[0]]
        return ("depends" if facets else words[0]), tuple(dict.fromkeys(facets))


def _word(score: float, band: tuple[float, float]) -> str:
    """Return "too cheap" for a score above the band, "too dear" below it, else "fair"."""
    return TOO_DEAR if score < band[0] else TOO_CHEAP if score > band[1] else "fair"


def even_field(runner: Runner, question: EvenFieldQuestion, seed: int = 0) -> EvenField:
    """Return how far each of a field is from one half, and which few changes would bring all of it nearer.

    The seed is used only for questions that have no exact distribution.

    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> field = (("green_foot+short_sword",), ("blue_foot+short_sword",), ("red_foot+short_sword",))
    >>> found = even_field(Runner(load("battlelore")), EvenFieldQuestion(field, ("dice",), "duel", most_changes=1))
    >>> [(group, move.old, move.new) for group, move in found.moves.items()]
    [(('green_foot+short_sword',), '2', '3')]
    """
    table = _Table(runner, question, seed)
    settings = (USUAL, *table.effective(_other_settings(runner, question)))
    before = {group: tuple(table.score(group, {}, setting) for setting in settings) for group in question.groups}
    moves = _moves(table)
    return EvenField(
        settings,
        before,
        {group: tuple(table.score(group, moves, setting) for setting in settings) for group in question.groups},
        {group: table.score(group, {group: move}) for group, move in moves.items()},
        moves,
        question.band,
    )


def _other_settings(runner: Runner, question: EvenFieldQuestion) -> Iterator[Setting]:
    if question.line:
        yield Setting(LINE, units=2)
    for reading in other_readings(runner.game, question.changes(question.kind)):
        yield Setting(READING, changes=(reading.assignment,))


def _moves(table: _Table) -> dict[Group, Move]:
    """Return the changes: greedily the group farthest from one half first, then each chosen again beside the others."""
    moves: dict[Group, Move] = {}
    low, high = table.question.band
    for _ in range(table.question.most_changes):
        scores = {group: table.score(group, moves) for group in table.changeable() if group not in moves}
        farthest = max(scores, key=lambda group: round(abs(scores[group] - 0.5), ALIKE), default=None)
        if farthest is None or low <= scores[farthest] <= high:
            break
        moves[farthest] = table.best_move(farthest, moves)
    for _ in range(ROUNDS - 1):
        for group in list(moves):
            moves[group] = table.best_move(group, moves)
    return {group: move for group, move in moves.items() if move != UNCHANGED}


@dataclass
class _Table:
    """Scores of match-ups of the field; `known` caches them by query."""

    runner: Runner
    question: EvenFieldQuestion
    seed: int
    known: dict[Query, float] = field(default_factory=dict)

    def score(self, group: Group, state: State, setting: Setting = USUAL) -> float:
        """Return the mean score of a group against the field, itself included, with the changes of `state` in force."""
        return self._scores(group, [state.get(group, UNCHANGED)], state, setting)[0]

    def effective(self, settings: Iterable[Setting]) -> Iterator[Setting]:
        """Yield those settings in which the score of some group differs from that in the usual setting."""
        for setting in settings:
            groups = self.question.groups
            if any(abs(self.score(group, {}, setting) - self.score(group, {})) > 10**-ALIKE for group in groups):
                yield setting

    def best_move(self, group: Group, state: State) -> Move:
        """Return the change that brings a group nearest to one half beside others' changes; of equals the smallest.

        None turns too cheap into too dear, or too dear into too cheap.
        """
        others = {name: move for name, move in state.items() if name != group}
        moves = [UNCHANGED, *self._legal_moves(group)]
        scores = self._scores(group, moves, others)
        low, high = self.question.band
        least, most = (0.0 if scores[0] < low else low), (1.0 if scores[0] > high else high)
        changes = [(move, score) for move, score in zip(moves, scores, strict=True) if least <= score <= most]
        return min(changes, key=lambda change: (round(abs(change[1] - 0.5), ALIKE), change[0].steps))[0]

    def changeable(self) -> list[Group]:
        """Return the groups that today are too cheap, or too dear and not undervalued here."""
        low, high = self.question.band
        scores = {group: self.score(group, {}) for group in self.question.groups}
        least = {group: low if self.question.undervalued.isdisjoint(group) else 0.0 for group in scores}
        return [group for group, score in scores.items() if not least[group] <= score <= high]

    def _legal_moves(self, group: Group) -> Iterator[Move]:
        """Yield the single changes of a group that the rules allow, costs last."""
        kind = self.question.kind
        as_printed = Query(kind, group[0], group[0], self.question.changes(kind)).to(self.runner.game)
        for move in _steps(partial(value_of, as_printed), self.question.fields):
            try:
                self._query(USUAL, (group, move), (group, UNCHANGED)).to(self.runner.game)
            except BalanceError:
                continue
            yield move
        yield from (Move("", "1", str(cost), cost - 1, cost) for cost in range(2, self.question.most_cost + 1))

    def _scores(self, group: Group, moves: Sequence[Move], state: State, setting: Setting = USUAL) -> list[float]:
        """Return the mean score of a group with each of some changes, asking all match-ups at once."""
        rivals = [(rival, state.get(rival, UNCHANGED)) for rival in self.question.groups if rival != group]
        self._ask([self._pair(setting, (group, move), rival)[0] for move in moves for rival in rivals])
        n = sum(map(len, self.question.groups))
        return [
            (len(group) / 2 + sum(len(rival[0]) * self._of_pair(setting, (group, move), rival) for rival in rivals)) / n
            for move in moves
        ]

    def _ask(self, queries: Sequence[Query]) -> None:
        fresh = [query for query in dict.fromkeys(queries) if query not in self.known]
        rows = self.runner(fresh, partial(measure_score, self.seed), "even field") if fresh else []
        self.known |= {query: row[0] for query, row in zip(fresh, rows, strict=True) if row is not None}

    def _of_pair(self, setting: Setting, one: Side, other: Side) -> float:
        query, is_turned = self._pair(setting, one, other)
        return 1.0 - self.known[query] if is_turned else self.known[query]

    def _pair(self, setting: Setting, one: Side, other: Side) -> tuple[Query, bool]:
        """Return the question about two sides in the order of the field, asked once; and whether they are swapped."""
        is_turned = self.question.groups.index(one[0]) > self.question.groups.index(other[0])
        return self._query(setting, *((other, one) if is_turned else (one, other))), is_turned

    def _query(self, setting: Setting, one: Side, other: Side) -> Query:
        """Return the question in which as many of each side meet as the other costs, so that both cost the same."""
        (side_a, move_a), (side_b, move_b) = one, other
        divisor = gcd(move_a.cost, move_b.cost)
        units = [cost // divisor for cost in (move_b.cost, move_a.cost)]
        units = [setting.units * n for n in units] if setting.units * max(units) <= MOST_UNITS else units
        asked = self.question
        kind = asked.kind if units == [1, 1] or not asked.line else asked.line
        sizes = [f"{path}={n}" for path, n in zip(asked.units, units, strict=True)] if kind != asked.kind else []
        changes = override(asked.changes(kind), [*setting.changes, *sizes, *move_a.changes("a"), *move_b.changes("b")])
        return Query(kind, side_a[0], side_b[0], changes, "random")


def _steps(value: Callable[[Place], float | None], fields: Sequence[str]) -> Iterator[Move]:
    """Yield every number moved by 1, 2, ... up to `MOST_STEPS` either way, as far as it stays above 0."""
    for name in fields:
        if (old := value(Place("a", name))) is not None:
            for by in (sign * steps for steps in range(1, MOST_STEPS + 1) for sign in (1, -1)):
                if old + by > 0:
                    yield Move(name, f"{old:g}", f"{old + by:g}", abs(by))
