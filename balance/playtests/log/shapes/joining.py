"""Logs with one row per player: what numbers the games, and how the two rows of a game become one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from shlex import quote

from balance.base.errors import CatalogueError, Fault
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, clean
from balance.catalogue.tables.columns import RawTable
from balance.playtests.words.headers import roles_with_options
from balance.playtests.words.non_games import kind_of
from balance.playtests.words.results import fold_name, says_yes, side_score, starts_in
from balance.playtests.words.vocabulary import KEYS, Role, goes_first, is_rate, key_of, role_named, word_set

MOST_AT_A_TABLE = 12
"""Players of one game; where more rows share a number, it numbers no games."""
MOST_BLOCKS, MOST_CHOICES = 3, 60
"""Columns that may say in which block of games a number stands, and sets of columns that are tried."""
PLACE_WORDS = word_set(
    "place placing placement position pos rank ranking finish posizione piazzamento classifica standing platz"
)
_ORDER = word_set("turn_order seat start_position ordine ordine_di_turno order seat_order startplayer start_player")
NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


class HeadedTable:
    """A table whose first row is the header, with the role of each column by its header or by the user's options."""

    def __init__(self, table: RawTable, header_by_role: Mapping[str, str]) -> None:
        self.table = table
        (self.row, self.header), *self.body = table.rows
        self.header_by_role = header_by_role
        self.roles = roles_with_options(self.header, header_by_role)
        self.named = {role for text, header in header_by_role.items() if header.strip() and (role := role_named(text))}

    @property
    def names_both(self) -> bool:
        """Whether options name the columns of both sides, so that their roles are not guessed."""
        return any(
            {Role("name", one), Role("name", other)} <= self.named
            for one, other in (("one", "other"), ("winner", "loser"))
        )

    def cell(self, cells: Sequence[str], at: int) -> str:
        """Return a cell, without blanks around it; empty if the row is too short."""
        return clean(cells[at]) if at < len(cells) else ""

    def column(self, at: int) -> list[str]:
        """Return the non-empty cells of a column."""
        return [text for _, cells in self.body if (text := self.cell(cells, at))]

    def headers_text(self, places: Iterable[int], conjunction: str = ", ") -> str:
        """Return the headers at some places, quoted and joined for a sentence."""
        return conjunction.join(repr(" ".join(self.header[at].split())) for at in places)

    def refusal(self, message: str, tip: str, row: int | None = None) -> CatalogueError:
        """Return an error about the table, at a row of its file or else at its header."""
        return CatalogueError(Fault(message, self.table.path, row or self.row, tip=tip))

    def at(self, *roles: Role) -> int | None:
        """Return the first column with one of these roles, earlier roles first; None if no column has any."""
        return next((at for role in roles for at, column_role in enumerate(self.roles) if column_role == role), None)


def numbering_of(shape: HeadedTable) -> _Numbering | None:
    """Return what numbers the games of a log with one row per player; None if nothing does.

    Columns that give pairs of rows win, few columns first; else runs of two rows next to each other, or games of three
    or more, which are refused later.
    """
    finest = None
    for keys in _key_choices(shape):
        numbering = _Numbering.by_columns(shape, keys)
        if numbering.are_pairs:
            return numbering
        if numbering.are_crowds:
            finest = numbering
        if len(keys) == 1 and (runs := _Numbering.by_runs(shape, keys[0])) is not None:
            finest = finest if finest is not None and finest.are_pairs else runs
    return finest


def _key_choices(shape: HeadedTable) -> list[list[int]]:
    """Return sets of columns that may number the games together, few columns first, at most `MOST_CHOICES`."""
    kinds: dict[str, list[int]] = {}
    for at, (cell, role) in enumerate(zip(shape.header, shape.roles, strict=True)):
        if role is not None and role.kind in KEYS:
            kinds[role.kind] = [at]
        elif (kind := key_of(cell)) and role is None and Role(kind) not in shape.named:
            kinds.setdefault(kind, []).append(at)
    blocks = [*kinds.get("block", [])]
    blocks += [at for at, role in enumerate(shape.roles) if role in (Role("session"), Role("date"))]
    rounds = kinds.get("round", [])
    cores = [[at] for at in kinds.get("game", [])]
    cores += [[at, round_at] for at in kinds.get("game", []) for round_at in rounds]
    cores += [[round_at, table_at] for round_at in rounds for table_at in kinds.get("table", [])]
    choices = [[*core, *more] for n in range(MOST_BLOCKS + 1) for core in cores for more in combinations(blocks, n)]
    choices += [[at, *more] for at in kinds.get("table", []) for more in combinations(blocks, 1)]
    return choices[:MOST_CHOICES]


@dataclass(frozen=True)
class _Numbering:
    """Keys that number the games of a log with one row per player.

    `numbers` has one key for each row; rows with equal keys are one game. `keys` are columns and `names` their headers.
    """

    keys: list[int]
    numbers: list[object]
    names: str

    @classmethod
    def by_columns(cls, shape: HeadedTable, keys: list[int]) -> _Numbering:
        """Return the numbering in which a row's key is its folded cells in these columns."""
        numbers: list[object] = [tuple(fold_name(shape.cell(cells, at)) for at in keys) for _, cells in shape.body]
        return cls(keys, numbers, " and ".join(shape.header[at].strip() for at in keys))

    @classmethod
    def by_runs(cls, shape: HeadedTable, key: int) -> _Numbering | None:
        """Return a numbering by runs of equal cells in a column; None unless every run has two rows."""
        texts = [fold_name(shape.cell(cells, key)) for _, cells in shape.body]
        starts = [at for at, text in enumerate(texts) if at == 0 or text != texts[at - 1]]
        ends = [*starts[1:], len(texts)]
        if any(end - start != 2 for start, end in zip(starts, ends, strict=True)):
            return None
        header = shape.header[key].strip()
        return cls([key], [at // 2 for at in range(len(texts))], f"{header}, next to each other (it begins anew),")

    @cached_property
    def _sizes(self) -> list[int]:
        return list(Counter(self.numbers).values())

    @property
    def are_pairs(self) -> bool:
        """Whether at least half of the games have two rows, and none has more."""
        return max(self._sizes) == 2 and 2 * sum(n == 2 for n in self._sizes) >= len(self._sizes)

    @property
    def are_crowds(self) -> bool:
        """Whether these are games of three to `MOST_AT_A_TABLE` at a table."""
        sizes = self._sizes
        return 2 < max(sizes) <= MOST_AT_A_TABLE and 2 * sum(n > 1 for n in sizes) >= len(sizes)


class RowJoin:
    """Makes one row of a game from the two rows of its players."""

    def __init__(
        self, shape: HeadedTable, keys: Sequence[int], pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
    ) -> None:
        self.shape = shape
        self.keys = [at for at in keys if (role := shape.roles[at]) is None or role.kind in KEYS]
        roles, header = shape.roles, shape.header
        spare = [at for at in range(len(header)) if at not in keys]
        self.name, self.player = shape.at(Role("name")), shape.at(Role("player"))
        self.side_columns = [at for at in (self.name, self.player) if at is not None]
        self.cost = shape.at(Role("cost"), Role("cost", "one"))
        self.place = next((at for at in spare if set(slug(header[at]).split("_")) & PLACE_WORDS), None)
        self.fare = shape.at(Role("name", "winner"), Role("result"), Role("wins", "one"))
        self.points = self._points(spare, pairs)
        self.starts = next(
            (at for at in spare if roles[at] == Role("starts") or goes_first(header[at]) or slug(header[at]) in _ORDER),
            None,
        )
        about = Role("session"), Role("date"), Role("scenario")
        self.about = [at for at in range(len(header)) if at in keys or roles[at] in about]
        used_columns = {*self.side_columns, *self.about, self.points, self.cost, self.place, self.fare, self.starts}
        self.unused = [at for at in spare if at not in used_columns and header[at].strip()]

    def _points(self, spare: Sequence[int], pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> int | None:
        """Return the column of points; of several the first, if all agree on the winners, None without one.

        Raises `CatalogueError` if they disagree and no other column says who won.
        """
        shape = self.shape
        all_kinds = {Role("score"), Role("points"), Role("points", "one")}
        kinds = all_kinds & shape.named or all_kinds
        places = [at for at in spare if shape.roles[at] in kinds and not is_rate(shape.header[at])]
        if len(places) < 2 or self.fare is not None or self.place is not None:
            return places[0] if places else None
        for row_a, row_b in pairs:
            signs = {_sign(shape.cell(row_a, at), shape.cell(row_b, at)) for at in places} - {None}
            if len(signs) > 1:
                names = f"{shape.cell(row_a, self.side_columns[0])} and {shape.cell(row_b, self.side_columns[0])}"
                message = f"{shape.headers_text(places, ' and ')} do not tell the same winner (of {names})"
                choices = " or ".join(f"§column=points={quote(' '.join(shape.header[at].split()))}" for at in places)
                raise shape.refusal(message, f"say which counts: {choices}")
        return places[0]

    @property
    def _twice(self) -> list[tuple[str, int]]:
        """(prefix of the role, place) of the columns that each side fills in for itself."""
        named = [("", self.name), ("player_", self.player), ("points_", self.points), ("cost_", self.cost)]
        return [(prefix, at) for prefix, at in named if at is not None]

    @property
    def _made(self) -> list[tuple[str, str]]:
        """(role, header) of the columns made from both rows; they stand behind those about the game."""
        header = self.shape.header
        both = [
            (f"{prefix}{side}", f"{header[at].strip()} {number}")
            for prefix, at in self._twice
            for side, number in (("one", 1), ("other", 2))
        ]
        has_result = self.fare is not None or self.place is not None
        result = [("result", "result")] if has_result else []
        return [*both, *result, *([("starts", "starts")] if self.starts is not None else [])]

    @property
    def header(self) -> tuple[str, ...]:
        """The headers of the joined rows: those about the game, then those made."""
        return (*(self.shape.header[at] for at in self.about), *(header for _, header in self._made))

    @property
    def columns(self) -> dict[str, str]:
        """Role -> header for the joined table, as `find_columns` takes it, with the user's options that still apply."""
        about = {slug(self.shape.header[at]) for at in self.about}
        numbers = {key if key_of(key) else "game": key for at in self.keys if (key := self.shape.header[at].strip())}
        kept = {
            role: header
            for role, header in self.shape.header_by_role.items()
            if not header.strip() or slug(header) in about
        }
        return {**numbers, **kept, **dict(self._made)}

    def cells(self, row_a: Sequence[str], row_b: Sequence[str]) -> tuple[str, ...]:
        """Return the joined row of two players, in the order of `header`."""
        cell = self.shape.cell
        cells = [cell(row_a, at) or cell(row_b, at) for at in self.about]
        cells += [cell(row, at) for _, at in self._twice for row in (row_a, row_b)]
        if self.fare is not None or self.place is not None:
            cells.append(self._result(row_a, row_b))
        if self.starts is not None:
            cells.append(self._starter(cell(row_a, self.starts), cell(row_b, self.starts)))
        return tuple(cells)

    def _result(self, row_a: Sequence[str], row_b: Sequence[str]) -> str:
        """Return how the first fared, "win", "loss" or "draw"; contradictory cells as they stand, to be refused."""
        cell = self.shape.cell
        at, sign = (self.fare, 1) if self.fare is not None else (self.place or 0, -1)
        text_a, text_b = cell(row_a, at), cell(row_b, at)
        if odd := next((text for text in (text_a, text_b) if kind_of(text)), ""):
            return odd
        names = [fold_name(cell(row, place)) for place in self.side_columns for row in (row_a, row_b)]
        if text_a and fold_name(text_a) in names and fold_name(text_a) == fold_name(text_b or text_a):
            return text_a
        scores = _fare(text_a), _fare(text_b)
        if scores[0] is None or scores[1] is None:
            return text_a if text_a == text_b else f"{text_a or '?'} and {text_b or '?'}"
        if scores[0] == scores[1] and self.points is not None and sign == 1:
            return "" if scores[0] == 0 else "draw" if scores[0] == 0.5 else f"{text_a} and {text_b}"
        if scores[0] == scores[1] == 1 and sign == 1:
            return f"{text_a} and {text_b}"
        return "draw" if scores[0] == scores[1] else "win" if sign * (scores[0] - scores[1]) > 0 else "loss"

    @staticmethod
    def _starter(text_a: str, text_b: str) -> str:
        """Return "1" or "2" for who went first, by a mark or by the lower number in the order; "" if unknown."""
        marks = says_yes(text_a), says_yes(text_b)
        seats = [starts_in(text) for text in (text_a, text_b)]
        if seats[0] != -seats[1] or not any(seats):
            seats = [seat if not other else 0 for seat, other in zip(seats, (text_b, text_a), strict=True)]
        if any(seats):
            return "1" if seats[0] > 0 or seats[1] < 0 else "2"
        if text_a.isdecimal() and text_b.isdecimal() and text_a != text_b:
            low = int(text_a) < int(text_b)
            return "1" if low == ({text_a, text_b} != {"0", "1"}) else "2"
        if marks[0] != marks[1] and None not in marks:
            return "1" if marks[0] else "2"
        return text_a if text_a == text_b and says_yes(text_a) is None else ""


def _fare(text: str) -> float | None:
    """Return how a side fared by its own cell: a yes or no, a place such as "2nd", or a result; else None."""
    if (is_yes := says_yes(text)) is not None:
        return float(is_yes)
    number = re.fullmatch(r"(\d+)\.?(?:st|nd|rd|th|o|a|°|º|ª)?", fold_name(text))
    try:
        return float(number[1]) if number else side_score(text)
    except BadCell:
        return None


def _sign(text_a: str, text_b: str) -> int | None:
    """Return the sign of the difference of two point cells, 1, 0 or -1; None unless both are numbers."""
    if not (NUMBER.fullmatch(text_a) and NUMBER.fullmatch(text_b)):
        return None
    a, b = (float(text.replace(",", ".")) for text in (text_a, text_b))
    return (a > b) - (a < b)
