"""Logs that tell each game twice, once from each side: found out, and each game counted once.

Two rows are a pair if each is the other with the sides exchanged: names, players, points, costs, who won and who went
first; session, scenario, round and table are the same. Pairs alone prove nothing, since two real games may look so. How
likely games of their own would pair so decides, with a stricter limit where no header says that a row is told from one
side. Where the headers say who goes first, both orders are games of their own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

from balance.base.errors import Fault
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.playtests.log.rows import EachGame, Line
from balance.playtests.words.vocabulary import OPPONENT, word_set

Parts: TypeAlias = tuple[tuple[int, float, int], ...]
"""Score in per cent, games and who went first, of each kind of game that a row stands for."""
Sides: TypeAlias = tuple[tuple[str, str], tuple[str, str], tuple[float | None, ...], tuple[float | None, ...]]
"""Name and player of both, then points and cost of both."""
RowKey: TypeAlias = tuple[Sides, Parts, tuple[str, ...]]

NEARLY_ALL = 0.8
"""Share of rows with a partner from which a log may tell each game twice, some rows being lost."""
LIMIT, PERSONAL_LIMIT = math.log(1 / 1000), math.log(1 / 8)
"""Logarithm of the chance of so many pairs among games of their own, up to which each pair is one game; the second for
tables, and for rows in an even order under a header such as `opponent`."""
SEATED_LIMIT, WARNING_LIMIT = math.log(1e-6), math.log(0.05)
"""The same, below which pairs are worth a warning: where the headers say who goes first, and elsewhere."""
TABLES_AGREE, SIZES_AGREE = 0.25, 0.02
"""Chance that two rows of a table agree on a share to one per cent; on a number of games that is not round, too."""
_FIRST_PERSON = word_set("me my mine io mio mia i")


@dataclass(frozen=True)
class MergedLog:
    """The lines that count, one for each game; `faults` if the user says "twice" and no row has a partner."""

    lines: list[Line]
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def merge_duplicates(
    lines: list[Line], headers: Sequence[str], headers_give_mover: bool, each_game: EachGame = ""
) -> MergedLog:
    """Return the games of a log, each once: rows that tell a game from the other side are merged if not by chance.

    `headers` are those of the two names; `each_game` is the user's own word, "once" or "twice", and "" to find out.
    """
    if each_game == "once":
        return MergedLog(lines)
    if each_game != "twice" and not _may_pair(lines):
        return MergedLog(lines)
    pairs = _Pairs(lines, blind=headers_give_mover)
    if each_game == "twice":
        fault = Fault("but no row tells a game that another tells the other way round", "§each_game", found="twice")
        return pairs.counted_once() if pairs.partner else MergedLog(lines, faults=(fault,))
    if not pairs.partner or 2 * len(pairs.partner) < len(pairs.rows):
        return MergedLog(lines)
    if headers_give_mover:
        return MergedLog(lines, pairs.warning() if pairs.are_all and pairs.chance(False) < SEATED_LIMIT else ())
    words = {word for header in headers for word in slug(header).split("_")}
    personal = bool(words & OPPONENT) and not words & _FIRST_PERSON
    chance = pairs.chance(personal)
    if pairs.are_all:
        lenient = pairs.is_table or (personal and pairs.are_even)
        if pairs.share_an_id or chance <= (PERSONAL_LIMIT if lenient else LIMIT):
            return pairs.counted_once()
    elif pairs.are_many and not pairs.is_table and (pairs.share_an_id or chance < LIMIT):
        return pairs.counted_once()
    doubtful = pairs.are_all or (chance < WARNING_LIMIT and not pairs.is_table)
    return MergedLog(lines, pairs.warning() if doubtful else ())


def _may_pair(lines: Sequence[Line]) -> bool:
    """Return whether for half of the rows another has their names and people exchanged on the same occasion."""
    rows = {line.row: line for line in lines}.values()
    n = Counter((line.session, line.scenario, line.side_a, line.side_b, line.players) for line in rows)
    turned = ((session, scenario, b, a, people[::-1]) for session, scenario, a, b, people in n)
    return 2 * sum(n[sides] for sides in turned if sides in n) >= len(rows)


@dataclass(frozen=True)
class _Row:
    """A row of a log reduced to what decides whether another row tells the same game."""

    row: int
    sides: Sides
    parts: Parts
    about: tuple[str, ...]

    @classmethod
    def of(cls, lines: Sequence[Line], blind: bool, by_id: bool) -> _Row:
        """Return what the lines of one row say; with `blind` the mover is left out, as the headers give it already."""
        first = lines[0]
        parts = sorted((round(100 * x.score), round(x.n, 6), 0 if blind else x.mover) for x in lines)
        names = (first.side_a, first.players[0]), (first.side_b, first.players[1])
        points, costs = (tuple(None if math.isnan(x) else x for x in values) for values in (first.points, first.cost))
        about = (first.session, first.scenario, first.key, first.game if by_id else "")
        return cls(first.row, (*names, points, costs), tuple(parts), about)

    @property
    def key(self) -> RowKey:
        """What an equal row has too: sides, results and circumstances."""
        return self.sides, self.parts, self.about

    def backs(self) -> Iterator[RowKey]:
        """Yield the keys of the same game told from the other side; a share may differ by one per cent, by rounding."""
        side_a, side_b, points, costs = self.sides
        sides = side_b, side_a, points[::-1], costs[::-1]
        for step in (0, 1, -1) if any(score not in (0, 50, 100) for score, *_ in self.parts) else (0,):
            yield sides, tuple(sorted((100 - score + step, n, -mover) for score, n, mover in self.parts)), self.about

    @cached_property
    def outcome(self) -> tuple[tuple[str, ...], object, object]:
        """The two names in alphabetical order, and the result seen from the first, then from the second."""
        (side_a, *_), (side_b, *_), points, _ = self.sides
        from_side_a = (points, tuple((score, n) for score, n, _ in self.parts))
        from_side_b = (points[::-1], tuple(sorted((100 - score, n) for score, n, _ in self.parts)))
        return (
            ((side_a, side_b), from_side_a, from_side_b)
            if side_a <= side_b
            else ((side_b, side_a), from_side_b, from_side_a)
        )

    @property
    def agreement(self) -> float:
        """The chance that another row of a table has the same result: 1/2 below five games, less if unround."""
        n_games = sum(n for _, n, _ in self.parts)
        if n_games < 5:
            return 0.5
        return TABLES_AGREE if n_games % 10 == 0 else SIZES_AGREE


class _Pairs:
    """Pairs of rows each of which is the other with the sides exchanged, and how likely chance alone makes them."""

    def __init__(self, lines: list[Line], blind: bool) -> None:
        self.lines = lines
        ids = Counter(line.game for line in {line.row: line for line in lines}.values())
        by_id = bool(ids) and max(ids.values()) > 1
        self.rows = [_Row.of(list(group), blind, by_id) for _, group in groupby(lines, key=lambda line: line.row)]
        self.share_an_id = by_id and max(ids.values()) == 2 and "" not in ids
        self.partner = self._partners()

    def _partners(self) -> dict[int, int]:
        """Return the place of each row that has a partner -> the partner's, matched greedily from the top."""
        single_rows: defaultdict[RowKey, deque[int]] = defaultdict(deque)
        partner: dict[int, int] = {}
        for at, row in enumerate(self.rows):
            key = next((back for back in row.backs() if single_rows.get(back)), None)
            if key is None:
                single_rows[row.key].append(at)
            else:
                earlier = single_rows[key].popleft()
                partner[at], partner[earlier] = earlier, at
        return partner

    @property
    def are_all(self) -> bool:
        """Whether every row has a partner."""
        return len(self.partner) == len(self.rows)

    @property
    def are_many(self) -> bool:
        """Whether at least `NEARLY_ALL` of the rows have a partner."""
        return len(self.partner) >= NEARLY_ALL * len(self.rows)

    @cached_property
    def is_table(self) -> bool:
        """Whether rows stand for several games each."""
        return any(n != 1 for row in self.rows for _, n, _ in row.parts)

    @cached_property
    def are_even(self) -> bool:
        """Whether all partners are equally many rows apart, such as next to each other."""
        return len({abs(at - partner) for at, partner in self.partner.items()}) == 1

    def chance(self, personal: bool) -> float:
        """Return the log-probability that distinct games would pair up this way by chance.

        `personal` says that the headers tell each row from one side, so that partners in an even order are more
        telling.
        """
        pairs = [(earlier, at) for at, earlier in self.partner.items() if earlier < at]
        if self.is_table:
            return math.fsum(math.log(self.rows[at].agreement) for _, at in pairs)
        agree = math.log(self._agreement([self.rows[at] for _, at in pairs]))
        spare = _log_ways(len(self.rows), len(self.partner))
        if personal and self.are_even:
            return agree * len(pairs) + spare
        meetings: defaultdict[object, list[tuple[int, int]]] = defaultdict(list)
        for earlier, at in pairs:
            row = self.rows[at]
            meetings[row.outcome[0], frozenset(row.sides[:2]), row.about].append((earlier, at))
        return math.fsum(agree + self._same_order(group) for group in meetings.values()) + spare

    @staticmethod
    def _agreement(rows: Sequence[_Row]) -> float:
        """Return the chance that two games end alike, from the observed frequencies of results alone."""
        outcome_counts = Counter(outcome for row in rows for outcome in row.outcome[1:])
        return sum((n / (2 * len(rows))) ** 2 for n in outcome_counts.values())

    def _same_order(self, meetings: Sequence[tuple[int, int]]) -> float:
        """Return the log-probability that games of the same two agree as they do: in counts, or in order one by one."""
        outcomes = Counter(self.rows[at].outcome[1] for _, at in meetings)
        forth: list[object] = []
        back: list[object] = []
        for at in sorted(at for meeting in meetings for at in meeting):
            pair, outcome, _ = self.rows[at].outcome
            (forth if self.rows[at].sides[0][0] == pair[0] else back).append(outcome)
        n = len(meetings)
        if forth != back:
            return math.fsum(_log_ways(2 * k, k) for k in outcomes.values()) - _log_ways(2 * n, n)
        orders = [math.lgamma(m * n + 1) - math.fsum(math.lgamma(m * k + 1) for k in outcomes.values()) for m in (1, 2)]
        return orders[0] - orders[1]

    def counted_once(self) -> MergedLog:
        """Return the log without the later row of each pair, and notes on what was merged and what stands alone."""
        late = {self.rows[at].row for at, partner in self.partner.items() if at > partner}
        alone = [row.row for at, row in enumerate(self.rows) if at not in self.partner]
        notes = [
            f"{show_many(len(late), 'row tells', 'rows tell')} a game the other way round: each is counted once. "
            "If these are games of their own, say §each_game=once."
        ]
        if alone:
            rows_text = ", ".join(map(str, alone[:5])) + (f" and {len(alone) - 5:,} more" if len(alone) > 5 else "")
            rows = "One row has" if len(alone) == 1 else f"{len(alone):,} rows have"
            notes.append(f"{rows} no other side, and stand for games of their own: row {rows_text}.")
        return MergedLog([line for line in self.lines if line.row not in late], tuple(notes))

    def warning(self) -> tuple[str]:
        """Return a sentence on rows that may be counted twice, with the options that settle it."""
        at = min(self.partner)
        rows = show_many(len(self.partner) // 2, "row looks", "rows look")
        example = f"row {self.rows[self.partner[at]].row} may be row {self.rows[at].row}"
        return (
            f"{rows} as if told the other way round ({example}); all are counted. If each game stands twice, say "
            "§each_game=twice; if not, §each_game=once.",
        )


def _log_ways(n: int, k: int) -> float:
    """Return the logarithm of the binomial coefficient, n choose k."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
