"""Tables that are no list of games: turned into one where that is certain, else refused by the name of their shape.

One row a player with a number of the game, both names in one cell, and a cross table of single games become rows of
games. Games among three or more, totals, league tables and cross tables of anything else do not say who beat whom.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from balance.base.errors import CatalogueError, Fault, comma_list
from balance.base.numbers import show_many
from balance.catalogue.tables.cells import BadCell, clean
from balance.catalogue.tables.files import RawTable
from balance.catalogue.tables.schema import slug
from balance.playtests.log.crosstables import games_of_cross_table
from balance.playtests.words.headers import find_columns
from balance.playtests.words.non_games import is_no_name, kind_of
from balance.playtests.words.results import fold_name, says_yes, side_score
from balance.playtests.words.vocabulary import Role, goes_first, is_rate, key_of, role_of, word_set

ROWS_OF_GAMES = "write one row a game, such as first, second, winner"
MATCH_UPS = (
    "write one row a match-up, such as faction, opponent, wins, losses; or one row a game: first, second, winner"
)
MOST_AT_A_TABLE = 12
"""Players of one game; where more rows share a number, it numbers no games."""
_THIRD = re.compile(r"(?<![a-z0-9])(?:3 rd|4 th|[3-9]|three|third|terz[oa]|tre|fourth|quart[oa]|iii|iv)(?![a-z0-9])")
_LETTERS = re.compile(r"(?<![a-z0-9])[c-h](?![a-z0-9])")
_BOTH_NAMES = re.compile(r"\s+(?:vs?\.?|versus|contro|against|gegen|contre)\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+[-–—]\s+")
_LIST_SEPARATOR = re.compile(r"\s*[,;|/&\n]\s*|\s+(?:and|e|und|vs?\.?)\s+", re.IGNORECASE)
_PLURAL = word_set(
    "players factions teams names armies decks participants competitors giocatori fazioni squadre nomi eserciti "
    "mazzi partecipanti contendenti opponents avversari entrants"
)
_MEETING = word_set("match matchup match_up pairing game fixture partita incontro gara abbinamento sfida scontro")
_PLACE = word_set(
    "place placing placement position pos rank ranking finish posizione piazzamento classifica standing platz"
)
_ORDER = word_set("turn_order seat start_position ordine ordine_di_turno order")
_RANK_WORDS = _PLACE | {"#", "standings", "pts", "omw", "gd", "gf"}


@dataclass(frozen=True)
class GameTable:
    """A table with one row a game, and what should be known of how it was made."""

    table: RawTable
    notes: tuple[str, ...] = ()


def to_game_table(table: RawTable, at: int, header_by_role: Mapping[str, str]) -> GameTable:
    """Return a table with one row a game.

    Parameters
    ----------
    table
        The rows of a file.
    at
        The place of the header among them.
    header_by_role
        Columns that the user names: then the table is taken as it is.

    Raises
    ------
    CatalogueError
        Its shape does not tell who beat whom.
    """
    if any(header.strip() for header in header_by_role.values()) or len(table.rows) < at + 2:
        return GameTable(table)
    shape = _Shape(replace(table, rows=table.rows[at:]))
    has_numbered_columns = sum(cell.strip().isdecimal() for cell in shape.header) > 1
    columns = None if has_numbered_columns else find_columns(shape.header, header_by_role, table.path, shape.row, [])
    if columns is None and (cross_table := games_of_cross_table(table)) is not None:
        return GameTable(*cross_table)
    shape.refuse_three()
    if columns is not None:
        return GameTable(table)
    return shape.split() or shape.join() or shape.refuse() or GameTable(table)


class _Shape:
    """A table whose first row is the header, on the way to rows of games."""

    def __init__(self, table: RawTable) -> None:
        self.table = table
        (self.row, self.header), *self.body = table.rows
        self.roles = [role_of(cell) for cell in self.header]

    def cell(self, cells: Sequence[str], at: int) -> str:
        """Return a cell, without blanks around it; empty if the row is too short."""
        return clean(cells[at]) if at < len(cells) else ""

    def column(self, at: int) -> list[str]:
        """Return all cells of a column that hold something."""
        return [text for _, cells in self.body if (text := self.cell(cells, at))]

    def refusal(self, message: str, tip: str, row: int | None = None) -> CatalogueError:
        """Return the error that names the shape."""
        return CatalogueError(Fault(message, self.table.path, row or self.row, tip=tip))

    def at(self, *roles: Role) -> int | None:
        """Return the first column that holds one of these."""
        return next((at for role in roles for at, column_role in enumerate(self.roles) if column_role == role), None)

    # -- three or more ----------------------------------------------------------------------------------------------

    def refuse_three(self) -> None:
        """Raise for games among three or more, by columns for a third or by lists of names."""
        more = [at for at, cell in enumerate(self.header) if self._is_third(cell)]
        rows = [row for row, cells in self.body if any(not is_no_name(self.cell(cells, at)) for at in more)]
        if rows:
            headers_text = (
                f"{comma_list(repr(self.header[at].strip()) for at in more)} {'names' if len(more) == 1 else 'name'}"
            )
            raise self._three(f"{headers_text} somebody in {show_many(len(rows), 'row')}", rows[0])
        lists = [at for at, cell in enumerate(self.header) if set(slug(cell).split("_")) & _PLURAL]
        for at in lists:
            max_names = 1 if role_of(self.header[at]) in (Role("name", "other"), Role("player", "other")) else 2
            rows = [row for row, cells in self.body if len(_names_in(self.cell(cells, at))) > max_names]
            if rows:
                evidence = f"{self.header[at].strip()!r} lists more than two in {show_many(len(rows), 'row')}"
                raise self._three(evidence if max_names == 2 else evidence.replace("more than two", "several"), rows[0])

    def _is_third(self, header: str) -> bool:
        words = _spread(header)
        if words.isdecimal():
            return False
        first = _THIRD.sub("1", words)
        if first == words:
            sibling_headers = {_LETTERS.sub(letter, words) for letter in "ab"}
            if words in sibling_headers or not sibling_headers <= {_spread(cell) for cell in self.header}:
                return False
            first = _LETTERS.sub("a", words)
        role = role_of(first)
        return role in (Role("name", "one"), Role("player", "one"))

    def _three(self, evidence: str, row: int) -> CatalogueError:
        message = f"this log tells a game among three or more: {evidence}; ratings come from games between two"
        return self.refusal(
            message, "keep the games between two; leave out the others, or the columns that are not needed", row
        )

    # -- both names in one cell ---------------------------------------------------------------------------------------

    def split(self) -> GameTable | None:
        """Split a column that names both, such as `Elves vs Orcs`; None if there is none."""
        for at, cell in enumerate(self.header):
            texts, words = self.column(at), set(slug(cell).split("_"))
            ways = [_BOTH_NAMES, *([_BETWEEN] if words & (_MEETING | _PLURAL) else [])]
            ways += [_LIST_SEPARATOR] if words & _PLURAL else []
            way = next((way for way in ways if texts and all(len(way.split(text)) == 2 for text in texts)), None)
            if way is None:
                continue
            kind = "player" if words & word_set("players giocatori") else "side"
            head = (*self.header[:at], f"{kind} 1", f"{kind} 2", *self.header[at + 1 :])
            rows = [
                (row, (*cells[:at], *_two(way, self.cell(cells, at)), *cells[at + 1 :])) for row, cells in self.body
            ]
            note = f"{cell.strip()} names both sides: taken as {kind} 1 and {kind} 2."
            return GameTable(replace(self.table, rows=((self.row, head), *rows)), (note,))
        return None

    # -- one row a player ---------------------------------------------------------------------------------------------

    def join(self) -> GameTable | None:
        """Join the two rows of each game, which a number of the game names; None if there is no such number."""
        keys = self._keys()
        if keys is None or self._name is None:
            return None
        games: defaultdict[tuple[str, ...], list[tuple[int, Sequence[str]]]] = defaultdict(list)
        for row, cells in self.body:
            games[tuple(fold_name(self.cell(cells, at)) for at in keys)].append((row, cells))
        if crowd := [rows for rows in games.values() if len(rows) > 2]:
            names = " and ".join(self.header[at].strip() for at in keys)
            evidence = f"{show_many(len(crowd), 'game', 'games')} by {names} of three rows or more"
            raise self._three(evidence, crowd[0][2][0])
        pairs = [rows for rows in games.values() if len(rows) == 2]
        row_join = _RowJoin(self, [at for at in range(len(self.header)) if at not in keys], keys)
        rows = [(row_a[0], row_join.cells(row_a[1], row_b[1])) for row_a, row_b in pairs]
        names = " and ".join(self.header[at].strip() for at in keys)
        notes = [f"One row a player: two rows with the same {names} are one game."]
        if alone := [rows[0][0] for rows in games.values() if len(rows) == 1]:
            notes.append(
                f"Left out: {show_many(len(alone), 'row')} whose game has no other row, such as row {alone[0]}."
            )
        if row_join.unused:
            notes.append(f"Not used: {comma_list(self.header[at].strip() for at in row_join.unused)}.")
        return GameTable(replace(self.table, rows=((self.row, row_join.header), *rows)), tuple(notes))

    @property
    def _name(self) -> int | None:
        """Where the names stand: of factions, or of players if nothing else is named."""
        return self.at(Role("name"), Role("player"))

    def _keys(self) -> list[int] | None:
        """Return the columns that together number the games; None if no columns do."""
        kinds: dict[str, int] = {}
        for at, cell in enumerate(self.header):
            if (kind := key_of(cell)) and self.roles[at] is None:
                kinds.setdefault(kind, at)
        date_column = self.at(Role("session"), Role("date"))
        if date_column is not None:
            kinds["when"] = date_column
        choices = (
            "game",
            "game when",
            "game round",
            "game round when",
            "round table",
            "when round table",
            "when table",
        )
        key_choices = [
            [kinds[kind] for kind in choice.split()] for choice in choices if set(choice.split()) <= set(kinds)
        ]
        sizes = [
            Counter(tuple(fold_name(self.cell(cells, at)) for at in keys) for _, cells in self.body)
            for keys in key_choices
        ]
        for keys, size in zip(key_choices, sizes, strict=True):
            pairs = sum(n == 2 for n in size.values())
            if max(size.values()) == 2 and 2 * pairs >= len(size):
                return keys
        for keys, size in reversed(list(zip(key_choices, sizes, strict=True))):
            if 2 < max(size.values()) <= MOST_AT_A_TABLE and 2 * sum(n > 1 for n in size.values()) >= len(size):
                return keys
        return None

    # -- shapes that say too little -----------------------------------------------------------------------------------

    def refuse(self) -> GameTable | None:
        """Raise for totals, league tables and rows that do not say who met whom; return None for anything else."""
        words = [slug(cell) for cell in self.header]
        name = self._name
        if name is None or self.at(Role("name", "other"), Role("player", "other")) is not None:
            return None
        names = [fold_name(text) for text in self.column(name)]
        once = len(set(names)) > 0.8 * len(names)
        counts = [at for at, role in enumerate(self.roles) if role and role.kind in ("wins", "draws", "n", "points")]
        rates = [at for at, cell in enumerate(self.header) if is_rate(cell)]
        ranks = [at for at, word in enumerate(words) if word in _RANK_WORDS or self.header[at].strip() in _RANK_WORDS]
        headers_text = comma_list(repr(self.header[at].strip()) for at in sorted({*counts, *rates, *ranks}))
        reason = f"({headers_text}), and no opponents: nobody can say who beat whom"
        if once and (len(counts) > 1 or rates) and not (ranks or self.at(Role("points")) is not None):
            raise self.refusal(f"this table holds totals of each entrant {reason}", MATCH_UPS)
        if once and (ranks or len(counts) > 1):
            raise self.refusal(f"this is a league table, of places or points {reason}", MATCH_UPS)
        has_results = any(
            role is not None and role.kind in ("result", "score", "points", "wins") for role in self.roles
        )
        if has_results or ranks or self.at(Role("name", "winner")) is not None:
            tip = "add a column game_id with the same number in both rows of a game; or " + ROWS_OF_GAMES
            raise self.refusal("this log has one row a player, and nothing says which two rows are one game", tip)
        return None


class _RowJoin:
    """How two rows of one game become one."""

    def __init__(self, shape: _Shape, spare: Sequence[int], keys: Sequence[int]) -> None:
        self.shape = shape
        roles, header = shape.roles, shape.header
        self.side_columns = [at for at in (shape.at(Role("name")), shape.at(Role("player"))) if at is not None]
        self.points = next(
            (at for at in spare if roles[at] in (Role("score"), Role("points")) and not is_rate(header[at])), None
        )
        self.cost = shape.at(Role("cost"))
        self.place = next((at for at in spare if set(slug(header[at]).split("_")) & _PLACE), None)
        fares = Role("name", "winner"), Role("result"), Role("wins", "one")
        self.fare = shape.at(*fares)
        self.starts = next(
            (at for at in spare if roles[at] == Role("starts") or goes_first(header[at]) or slug(header[at]) in _ORDER),
            None,
        )
        about = Role("session"), Role("date"), Role("scenario")
        self.about = [at for at in range(len(header)) if at in keys or roles[at] in about]
        used_columns = {*self.side_columns, *self.about, self.points, self.cost, self.place, self.fare, self.starts}
        self.unused = [at for at in spare if at not in used_columns and header[at].strip()]

    @property
    def twice(self) -> list[int]:
        """Columns of which each side has its own."""
        return [*self.side_columns, *(at for at in (self.points, self.cost) if at is not None)]

    @property
    def header(self) -> tuple[str, ...]:
        """The header of the rows that are made."""
        header = self.shape.header
        side_headers = [f"{header[at].strip()} {side}" for at in self.twice for side in (1, 2)]
        result_headers = [
            *(["result"] if self.fare is not None or self.place is not None else []),
            *(["starts"] if self.starts is not None else []),
        ]
        return (*(header[at] for at in self.about), *side_headers, *result_headers)

    def cells(self, row_a: Sequence[str], row_b: Sequence[str]) -> tuple[str, ...]:
        """Return the one row that two rows make."""
        cell = self.shape.cell
        cells = [cell(row_a, at) or cell(row_b, at) for at in self.about]
        cells += [cell(row, at) for at in self.twice for row in (row_a, row_b)]
        if self.fare is not None or self.place is not None:
            cells.append(self._result(row_a, row_b))
        if self.starts is not None:
            cells.append(self._starter(cell(row_a, self.starts), cell(row_b, self.starts)))
        return tuple(cells)

    def _result(self, row_a: Sequence[str], row_b: Sequence[str]) -> str:
        """Return how the first fared: win, loss or draw; what cannot be read as it stands."""
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
        """Return 1 or 2 for who went first by a mark in its row, or by the lower number; empty if nobody says."""
        marks = says_yes(text_a), says_yes(text_b)
        if text_a.isdecimal() and text_b.isdecimal() and text_a != text_b:
            low = int(text_a) < int(text_b)
            return "1" if low == ({text_a, text_b} != {"0", "1"}) else "2"
        if marks[0] != marks[1] and None not in marks:
            return "1" if marks[0] else "2"
        return text_a if text_a == text_b and says_yes(text_a) is None else ""


def _fare(text: str) -> float | None:
    """Return how a side fared by its own cell: a mark, a word or a number; None for anything else."""
    if (is_yes := says_yes(text)) is not None:
        return float(is_yes)
    number = re.fullmatch(r"(\d+)\.?(?:st|nd|rd|th|o|a|°|º|ª)?", fold_name(text))
    try:
        return float(number[1]) if number else side_score(text)
    except BadCell:
        return None


def _spread(header: str) -> str:
    """Return the words and numbers of a header, one blank between them."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", slug(header)))


def _two(way: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return both names of a cell; two empty ones for an empty cell."""
    first, *rest = way.split(text)
    return first, rest[0] if rest else ""


def _names_in(text: str) -> list[str]:
    """Return the names that a cell lists."""
    return [name for name in _LIST_SEPARATOR.split(text) if name]
