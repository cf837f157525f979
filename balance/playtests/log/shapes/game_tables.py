"""Tables that are no list of games: turned into one where that is certain, else refused by the name of their shape.

One row per player with a number of the game, both names in one cell, and a cross table of single games become rows of
games; games among three or more, and of teams, are read as such. Totals, league tables and cross tables of anything
else do not say who beat whom.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

from balance.base.errors import Fault, comma_list
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
from balance.playtests.contests import Contests
from balance.playtests.log.shapes.crosstables import games_of_cross_table
from balance.playtests.log.shapes.joining import NUMBER, PLACE_WORDS, HeadedTable, RowJoin, numbering_of
from balance.playtests.log.shapes.seats import PLURAL, tables_of_columns, tables_of_lists
from balance.playtests.log.shapes.several import BETWEEN, Seat, Table, TableReader, is_named
from balance.playtests.log.shapes.teams import JOINED, joined_teams
from balance.playtests.words.headers import find_columns
from balance.playtests.words.results import fold_name
from balance.playtests.words.vocabulary import Role, is_rate, is_seated, key_of, side_of, word_set

ROWS_OF_GAMES = "write one row per game, such as army 1, army 2, winner"
MATCH_UPS = (
    "write one row per match-up, such as faction, opponent, wins, losses; or one row per game: army 1, army 2, winner"
)
_NOBODY = ", and no opponents: nobody can say who beat whom"
_BOTH_NAMES = re.compile(r"\s+(?:vs?\.?|versus|contro|against|gegen|contre)\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+[-–—]\s+")
_SIDE = word_set("side team squadra lato seat home_away home away color colour")
_MEETING = word_set("match matchup match_up pairing game fixture partita incontro gara abbinamento sfida scontro")
_RANK_WORDS = PLACE_WORDS | {"#", "standings", "pts", "omw", "gd", "gf"}


@dataclass(frozen=True)
class GameTable:
    """A table with one row per game.

    `notes`: what should be known of how the rows were made. `columns`: role -> header, as `find_columns` takes it.
    `shape`: in words, how rows make games.
    `contests`: the games themselves, if they are among three or more.
    """

    table: RawTable
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    shape: str = "one row per game"
    contests: Contests | None = None


def to_game_table(table: RawTable, at: int, header_by_role: Mapping[str, str]) -> GameTable:
    """Return a table with one row per game; `at` is the place of the header, `header_by_role` the user's columns.

    Raises `CatalogueError` for a shape that does not tell who beat whom, such as a league table.
    """
    as_it_is = GameTable(table, (), header_by_role)
    if len(table.rows) < at + 2:
        return as_it_is
    shape = _Shape(replace(table, rows=table.rows[at:]), header_by_role)
    has_numbered_columns = sum(cell.strip().isdecimal() for cell in shape.header) > 1
    faults = list[Fault]()
    columns = (
        None if has_numbered_columns else find_columns(shape.header, header_by_role, table.path, shape.row, faults)
    )
    if any(fault.path == "§column" for fault in faults):
        return as_it_is
    if columns is None and not shape.named and (cross_table := games_of_cross_table(table)) is not None:
        return GameTable(*cross_table, header_by_role, "a cross table: a cell per game")
    if not shape.names_both and (several := shape.several()) is not None:
        return several
    if columns is not None:
        return replace(as_it_is, **shape.without_players())
    return shape.split() or shape.join() or shape.refuse() or as_it_is


class _Shape(HeadedTable):
    """A table whose first row is the header, on the way to rows of games or to a refusal."""

    # -- several ------------------------------------------------------------------------------------------------------

    def several(self) -> GameTable | None:
        """Return a game of teams with the names of each side joined, or games among three or more; None for others."""
        if (joined := joined_teams(self)) is not None:
            table, columns = joined
            return GameTable(table, (), columns | dict(self.header_by_role), JOINED)
        for read, shape in (
            (tables_of_columns, "a column for each"),
            (tables_of_lists, "one cell lists who took part"),
        ):
            if (found := read(self)) is not None:
                return self.of_contests(*found, f"one row per game; {shape}")
        return None

    def of_contests(self, tables: Sequence[Table], columns: Mapping[str, str], shape: str) -> GameTable:
        """Return games among three or more, read; raises `CatalogueError` with every fault."""
        contests, notes = TableReader(self.table.path).contests(tables)
        return GameTable(self.table, tuple(notes), columns, shape, contests=contests)

    def without_players(self) -> dict[str, Any]:
        """Return fields of a `GameTable` that leave out players, where a side has several and names are rated."""
        more = [at for at, role in enumerate(self.roles) if role is not None and role.member and role.kind == "player"]
        if not any(is_named(text) for at in more for text in self.column(at)):
            return {}
        sides = {role.side for role in self.roles if role is not None and role.kind == "player"}
        columns = {**self.header_by_role, **{f"player_{side}": "" for side in sides}}
        return {"columns": columns, "notes": (f"Several players on a side ({self.headers_text(more)}): left out.",)}

    # -- both names in one cell ---------------------------------------------------------------------------------------

    def split(self) -> GameTable | None:
        """Return the table with a column that names both sides, such as `Elves vs Orcs`, split in two, or None."""
        for at, cell in enumerate(self.header):
            texts, words = self.column(at), set(slug(cell).split("_"))
            ways = [_BOTH_NAMES, *([_BETWEEN] if words & (_MEETING | PLURAL) else [])]
            ways += [BETWEEN] if words & PLURAL else []
            way = next((way for way in ways if texts and all(len(way.split(text)) == 2 for text in texts)), None)
            if way is None:
                continue
            kind = "player" if words & word_set("players giocatori") else "side"
            head = (*self.header[:at], f"{kind} 1", f"{kind} 2", *self.header[at + 1 :])
            rows = [
                (row, (*cells[:at], *_two(way, self.cell(cells, at)), *cells[at + 1 :])) for row, cells in self.body
            ]
            note = f"{cell.strip()} names both sides: taken as {kind} 1 and {kind} 2."
            shape = f"one row per game; both names stand under {cell.strip()}"
            return GameTable(replace(self.table, rows=((self.row, head), *rows)), (note,), self.header_by_role, shape)
        return None

    # -- one row per player -------------------------------------------------------------------------------------------

    def join(self) -> GameTable | None:
        """Return the table with the two rows of each game joined; None if nothing numbers the games.

        Raises `CatalogueError` for totals, for games of three or more, and if two columns may hold the names.
        """
        self._settle_seats()
        if self._name is None:
            return None
        self._refuse_totals()
        if (numbering := numbering_of(self)) is None:
            return None
        keys, numbers, names = numbering.keys, numbering.numbers, numbering.names
        team = self._team(numbers)
        self._ask_which_name()
        games: defaultdict[object, list[tuple[int, Sequence[str]]]] = defaultdict(list)
        for number, (row, cells) in zip(numbers, self.body, strict=True):
            games[number].append((row, cells))
        if any(len(rows) > 2 for rows in games.values()):
            return self._crowds([*games.values()], team, keys, names)
        pairs = [rows for rows in games.values() if len(rows) == 2]
        row_join = RowJoin(self, keys, [(row_a[1], row_b[1]) for row_a, row_b in pairs])
        rows = [(row_a[0], row_join.cells(row_a[1], row_b[1])) for row_a, row_b in pairs]
        shape = f"one row per player: two rows with the same {names} are one game"
        notes = [f"{shape[:1].upper()}{shape[1:]}."]
        if alone := [rows[0][0] for rows in games.values() if len(rows) == 1]:
            notes.append(
                f"Left out: {show_many(len(alone), 'row')} whose game has no other row, such as row {alone[0]}."
            )
        if row_join.unused:
            notes.append(f"Not used: {comma_list(self.header[at].strip() for at in row_join.unused)}.")
        table = replace(self.table, rows=((self.row, row_join.header), *rows))
        return GameTable(table, tuple(notes), row_join.columns, shape)

    def _team(self, numbers: Sequence[object]) -> int | None:
        """Return the column that says who is on which side, whose texts come back within games, and take its role."""
        for at, header in enumerate(self.header):
            cells = [
                (number, fold_name(self.cell(cells, at))) for number, (_, cells) in zip(numbers, self.body, strict=True)
            ]
            others = [role for role in self.roles if role in (Role("name"), Role("player")) and role != self.roles[at]]
            if set(slug(header).split("_")) <= _SIDE and others and len(set(cells)) < len(cells):
                self.roles[at] = None
                return at
        return None

    def _crowds(
        self, games: Sequence[Sequence[tuple[int, Sequence[str]]]], team: int | None, keys: Sequence[int], names: str
    ) -> GameTable:
        """Return games of more than two rows each, one per player."""
        join = RowJoin(self, keys, [])
        columns = {"place": join.place, "points": join.points, "result": join.fare, "starts": join.starts}
        whom = {"name": self._name, "team": team, "player": join.player if join.player != self._name else None}

        def cells_of(row: Sequence[str]) -> dict[str, str]:
            return {what: self.cell(row, at) for what, at in (whom | columns).items() if at is not None}

        tables = [Table([Seat(row, **{"team": str(row), **cells_of(cells)}) for row, cells in rows]) for rows in games]
        used = {what: self.header[at] for what, at in (whom | columns).items() if at is not None}
        return self.of_contests(tables, used, f"one row per player: all rows with the same {names} are one game")

    @property
    def _name(self) -> int | None:
        """The place of the rated names: of factions, or of players if nothing else is named."""
        return self.at(Role("name"), Role("player"))

    def _settle_seats(self) -> None:
        """Take the role of a name from a column such as `side` that only tells two sides apart.

        That needs another column of names; who goes first is read from it if its words say so.
        """
        for at, role in enumerate(self.roles):
            texts = self.column(at) if role == Role("name") and set(slug(self.header[at]).split("_")) <= _SIDE else []
            others = [other for other in self.roles if other in (Role("name"), Role("player"))]
            if len(others) > 1 and texts and Role("name") not in self.named and all(map(side_of, texts)):
                seated = all(is_seated(text, side_of(text)) for text in texts)
                self.roles[at] = Role("starts") if seated and Role("starts") not in self.roles else None

    def _ask_which_name(self) -> None:
        """Raise `CatalogueError`, with a tip for each, where several columns may hold the names."""
        names = [at for at, role in enumerate(self.roles) if role == Role("name")]
        if len(names) > 1:
            message = f"{self.headers_text(names, ' and ')} may {'both' if len(names) == 2 else 'all'} be what is rated"
            choices = " or ".join(f"§column=name={quote(' '.join(self.header[at].split()))}" for at in names)
            raise self.refusal(message, f"say which it is: {choices}")

    # -- shapes that say too little -----------------------------------------------------------------------------------

    def _refuse_totals(self) -> None:
        """Raise `CatalogueError` where each row sums up several games of an entrant against unnamed opponents."""
        if self.at(Role("name", "other"), Role("player", "other")) is not None:
            return
        played = [at for at, role in enumerate(self.roles) if role == Role("n")]
        rates = [at for at, cell in enumerate(self.header) if is_rate(cell)]
        won, lost = self.at(Role("wins", "one")), self.at(Role("wins", "other"))
        several = any(_is_several(text) for at in played for text in self.column(at))
        several |= any(_is_share(text) for at in rates for text in self.column(at))
        has_key = any(key_of(cell) == "game" for cell in self.header) or Role("game") in self.named
        if not has_key and won is not None and lost is not None:
            several |= any(_is_several(text) for at in (won, lost) for text in self.column(at))
        if not several or (has_key and not rates and won is None):
            return
        counts = [at for at, role in enumerate(self.roles) if role and role.kind in ("wins", "draws", "n")]
        headers_text = self.headers_text(sorted({*counts, *rates}))
        places = [
            at for at, role in enumerate(self.roles) if role == Role("points") or slug(self.header[at]) in PLACE_WORDS
        ]
        if places:
            headers_text = self.headers_text(sorted({*counts, *rates, *places}))
            raise self.refusal(f"this is a league table, of places or points ({headers_text}){_NOBODY}", MATCH_UPS)
        raise self.refusal(f"this table holds totals of each entrant ({headers_text}){_NOBODY}", MATCH_UPS)

    def refuse(self) -> GameTable | None:
        """Raise `CatalogueError` for totals, league tables and rows that do not pair up; return None for others."""
        words = [slug(cell) for cell in self.header]
        name = self._name
        if name is None or self.at(Role("name", "other"), Role("player", "other")) is not None:
            return None
        names = [fold_name(text) for text in self.column(name)]
        once = len(set(names)) > 0.8 * len(names)
        counts = [at for at, role in enumerate(self.roles) if role and role.kind in ("wins", "draws", "n", "points")]
        rates = [at for at, cell in enumerate(self.header) if is_rate(cell)]
        ranks = [at for at, word in enumerate(words) if word in _RANK_WORDS or self.header[at].strip() in _RANK_WORDS]
        headers_text = self.headers_text(sorted({*counts, *rates, *ranks}))
        reason = f"({headers_text}){_NOBODY}"
        if once and (len(counts) > 1 or rates) and not (ranks or self.at(Role("points")) is not None):
            raise self.refusal(f"this table holds totals of each entrant {reason}", MATCH_UPS)
        if once and (ranks or len(counts) > 1):
            raise self.refusal(f"this is a league table, of places or points {reason}", MATCH_UPS)
        has_results = any(
            role is not None and role.kind in ("result", "score", "points", "wins") for role in self.roles
        )
        if has_results or ranks or self.at(Role("name", "winner")) is not None:
            tip = f"{self._how_to_number()}; or {ROWS_OF_GAMES}"
            raise self.refusal("this log has one row per player, and nothing says which two rows are one game", tip)
        return None

    def _how_to_number(self) -> str:
        """Return a tip on how to say which rows are one game, by a column whose values each occur twice if any."""
        for at, role in enumerate(self.roles):
            may_number = role in (None, Role("session"), Role("date")) and self.header[at].strip()
            texts = self.column(at) if may_number else []
            if texts and len(texts) == len(self.body) and set(Counter(map(fold_name, texts)).values()) == {2}:
                header = " ".join(self.header[at].split())
                return f"does {header!r} number the games? §column=game={quote(header)}; if not, add a column game_id"
        return "add a column game_id with the same number in both rows of a game"


def _is_several(text: str) -> bool:
    """Return whether a cell is a whole number above 1."""
    return text.isdecimal() and len(text) < 10 and int(text) > 1


def _is_share(text: str) -> bool:
    """Return whether a cell is a number other than 0, 0.5 and 1, so that no single game has it as its score."""
    number = text.removesuffix("%").strip().replace(",", ".")
    return bool(NUMBER.fullmatch(number)) and float(number) not in (0.0, 0.5, 1.0)


def _two(way: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return both names of a cell, split where `way` matches; two empty ones for an empty cell."""
    first, *rest = way.split(text)
    return first, rest[0] if rest else ""
