"""Tables that are no list of games: turned into one where that is certain, else refused by the name of their shape.

One row per player with a number of the game, both names in one cell, and a cross table of single games become rows of
games. Games among three or more, totals, league tables and cross tables of anything else do not say who beat whom.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

from balance.base.errors import CatalogueError, Fault, comma_list
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
from balance.playtests.log.crosstables import games_of_cross_table
from balance.playtests.log.joining import NUMBER, PLACE_WORDS, HeadedTable, RowJoin, numbering_of
from balance.playtests.words.headers import find_columns
from balance.playtests.words.non_games import is_bye_name, is_no_name
from balance.playtests.words.results import fold_name
from balance.playtests.words.vocabulary import Role, is_rate, is_seated, key_of, role_of, side_of, word_set

ROWS_OF_GAMES = "write one row per game, such as army 1, army 2, winner"
MATCH_UPS = (
    "write one row per match-up, such as faction, opponent, wins, losses; or one row per game: army 1, army 2, winner"
)
_NOBODY = ", and no opponents: nobody can say who beat whom"
_THIRD = re.compile(r"(?<![a-z0-9])(?:3 rd|4 th|[3-9]|three|third|terz[oa]|tre|fourth|quart[oa]|iii|iv)(?![a-z0-9])")
_STRANGER = re.compile(r"(.+?) ?([1-4]|[a-d])")
_LETTERS = re.compile(r"(?<![a-z0-9])[c-h](?![a-z0-9])")
_BOTH_NAMES = re.compile(r"\s+(?:vs?\.?|versus|contro|against|gegen|contre)\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+[-–—]\s+")
_LIST_SEPARATOR = re.compile(r"\s*[,;|/&\n]\s*|\s+(?:and|e|und|vs?\.?)\s+", re.IGNORECASE)
_PLURAL = word_set(
    "players factions teams names armies decks participants competitors giocatori fazioni squadre nomi eserciti "
    "mazzi partecipanti contendenti opponents avversari entrants"
)
_SIDE = word_set("side team squadra lato seat home_away home away color colour")
_MEETING = word_set("match matchup match_up pairing game fixture partita incontro gara abbinamento sfida scontro")
_RANK_WORDS = PLACE_WORDS | {"#", "standings", "pts", "omw", "gd", "gf"}


@dataclass(frozen=True)
class GameTable:
    """A table with one row per game.

    `notes`: what should be known of how the rows were made. `columns`: role -> header, as `find_columns` takes it.
    `shape`: in words, how rows make games.
    """

    table: RawTable
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    shape: str = "one row per game"


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
    if not shape.names_both:
        shape.refuse_two_a_side()
        shape.refuse_three()
    if columns is not None:
        return replace(as_it_is, **shape.without_players())
    return shape.split() or shape.join() or shape.refuse() or as_it_is


class _Shape(HeadedTable):
    """A table whose first row is the header, on the way to rows of games or to a refusal."""

    # -- two a side, three or more ------------------------------------------------------------------------------------

    def refuse_two_a_side(self) -> None:
        """Raise `CatalogueError` for games with several names on a side, unless all but the first are empty."""
        kinds = ("name",) if self._has_two_names else ("name", "player")
        more = [at for at, role in enumerate(self.roles) if role is not None and role.member and role.kind in kinds]
        rows = [row for row, cells in self.body if any(self._is_name(self.cell(cells, at)) for at in more)]
        if not rows and not (more := self._second_of_strangers()):
            return
        row = rows[0] if rows else self.body[0][0]
        evidence = f"{self.headers_text(more)} {'names' if len(more) == 1 else 'name'} somebody"
        count = f" in {show_many(len(rows), 'row')}" if rows else ""
        tip = (
            "write the names of a side in one column, such as 'Ann & Ben', and they are rated as a pair; "
            "or keep the rows with one name on each side"
        )
        message = f"this log tells of games with two or more on a side: {evidence}{count}"
        raise self.refusal(f"{message}; ratings come from games between two", tip, row)

    def without_players(self) -> dict[str, Any]:
        """Return fields of a `GameTable` that leave out players, where a side has several and names are rated."""
        more = [at for at, role in enumerate(self.roles) if role is not None and role.member and role.kind == "player"]
        if not any(self._is_name(text) for at in more for text in self.column(at)):
            return {}
        sides = {role.side for role in self.roles if role is not None and role.kind == "player"}
        columns = {**self.header_by_role, **{f"player_{side}": "" for side in sides}}
        return {"columns": columns, "notes": (f"Several players on a side ({self.headers_text(more)}): left out.",)}

    def _is_name(self, text: str) -> bool:
        """Return whether a cell may name somebody: it is no bye, no dash and no number."""
        return not (is_no_name(text) or is_bye_name(text) or NUMBER.fullmatch(text))

    @property
    def _has_two_names(self) -> bool:
        """Whether both sides have a column of names other than players."""
        pairs = (("one", "other"), ("winner", "loser"))
        return any({Role("name", one), Role("name", other)} <= set(self.roles) for one, other in pairs)

    def _second_of_strangers(self) -> list[int]:
        """Return the columns of second names under unknown headers, such as red_2 beside red_1, blue_1, blue_2."""
        named = self.at(Role("player", "one"), Role("player", "other"), Role("player"), Role("name"))
        if self._has_two_names or named is not None:
            return []
        members: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for at, header in enumerate(self.header):
            if self.roles[at] is None and (parts := _STRANGER.fullmatch(_spread(header))):
                members[parts[1].strip()][parts[2]] = at
        sides = [places for places in members.values() if {"1", "2"} <= set(places) or {"a", "b"} <= set(places)]
        texts = [self.column(at) for places in sides for at in places.values()]
        if len(sides) != 2 or not all(column and all(map(self._is_name, column)) for column in texts):
            return []
        return [at for places in sides for number, at in places.items() if number not in ("1", "a")]

    def refuse_three(self) -> None:
        """Raise `CatalogueError` for games of three or more, by columns for a third or by cells that list names."""
        more = [at for at, cell in enumerate(self.header) if self._is_third(cell)]
        rows = [row for row, cells in self.body if any(not is_no_name(self.cell(cells, at)) for at in more)]
        if rows:
            headers_text = f"{self.headers_text(more)} {'names' if len(more) == 1 else 'name'}"
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
        """Return the table with a column that names both sides, such as `Elves vs Orcs`, split in two, or None."""
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
        self._ask_which_name()
        keys, numbers, names = numbering.keys, numbering.numbers, numbering.names
        games: defaultdict[object, list[tuple[int, Sequence[str]]]] = defaultdict(list)
        for number, (row, cells) in zip(numbers, self.body, strict=True):
            games[number].append((row, cells))
        if crowd := [rows for rows in games.values() if len(rows) > 2]:
            evidence = f"{show_many(len(crowd), 'game', 'games')} by {names} of three rows or more"
            raise self._three(evidence, crowd[0][2][0])
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


def _spread(header: str) -> str:
    """Return the words and numbers of a header, one blank between them."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", slug(header)))


def _two(way: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return both names of a cell, split where `way` matches; two empty ones for an empty cell."""
    first, *rest = way.split(text)
    return first, rest[0] if rest else ""


def _names_in(text: str) -> list[str]:
    """Return the names in a cell, separated by commas, slashes, "and" or "vs"."""
    return [name for name in _LIST_SEPARATOR.split(text) if name]
