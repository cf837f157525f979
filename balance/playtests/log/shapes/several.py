"""Games among three or more as people write them: on which side each took part, and who came in where.

Who was on which side is never guessed: where two of three or more won, and nothing says whether as a team or tied, the
log is refused.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeAlias

from balance.base.errors import CatalogueError, Fault, comma_list
from balance.base.numbers import show_many
from balance.catalogue.tables.cells import BadCell
from balance.playtests.contests import Contests, Side
from balance.playtests.log.shapes.joining import NUMBER, PLACE_WORDS
from balance.playtests.words.members import NUMBERS, tokens_of
from balance.playtests.words.naming import Names, check_name
from balance.playtests.words.non_games import is_bye_name, is_no_name, kind_of
from balance.playtests.words.results import Words, fold_name, says_yes, side_score, starts_in
from balance.playtests.words.vocabulary import role_of

BETWEEN = re.compile(r"\s*[,;|/&+\n]\s*|\s+(?:and|e|und|vs?\.?)\s+", re.IGNORECASE)
_PLACE = re.compile(r"[=t]?(\d+)\.?(?:st|nd|rd|th|o|a|°|º|ª)?=?(?: place| posto)?")
_TIED = re.compile(r"\s*=\s*|\W*\b(?:tied|tie|draw|pari|patta|pareggio)\b\W*", re.IGNORECASE)
SAY_SIDES = "write one row per player, with a column team; or, if they tied, with a column place: 1, 1, 3"
Scores: TypeAlias = list[float | None]
"""Of each side, more is better; None is behind all others."""


class Seat(NamedTuple):
    """Who took part in a game, in the cells of a log, "" for none; equal `team`s are on one side."""

    row: int
    name: str
    team: str
    player: str = ""
    place: str = ""
    points: str = ""
    result: str = ""
    starts: str = ""


class Table(NamedTuple):
    """A game as a log tells it: who took part, and the cells that name who won and who went first."""

    seats: list[Seat]
    winner: str = ""
    starts: str = ""


@dataclass
class TableReader:
    """Reads games of several sides, and collects faults and what is left out on the way."""

    path: str
    faults: list[Fault] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    skips: Counter[str] = field(default_factory=Counter)
    orders: dict[str, int] = field(default_factory=dict)
    points: set[float] = field(default_factory=set)

    def contests(self, tables: Iterable[Table]) -> tuple[Contests, list[str]]:
        """Return the games, and notes on what was left out; raises `CatalogueError` with all faults."""
        games = [sides for table in tables if (sides := self._sides(table))]
        if len(self.orders) > 1 or "" in self.orders:
            tip = "mend one of them, or take the points out of the log"
            row = self.orders.get("", max(self.orders.values()))
            self.faults.append(Fault("points tell another order than the rest of the row", self.path, row, tip=tip))
        if not games and not self.faults:
            tip = "add a column place, points or winner"
            self.faults.append(Fault("no row of the log tells who won a game", self.path, tip=tip))
        if self.faults:
            raise CatalogueError(self.faults)
        usual, notes = self.names.usual_spellings(), self.names.merge_notes()
        notes += [f"Left out: {show_many(n, 'game')} {reason}." for reason, n in self.skips.items()]
        large = [sorted(side.place for side in game) for game in games if len(game) > 2]
        if large and self.points <= {0.0, 1.0} and all(places[:2] == [1, 2] and places[-1] == 2 for places in large):
            notes.append("No game tells more than who won: the order of the others is not known.")
            games = [[side._replace(place=side.place % 2) for side in game] for game in games]
        named = [
            [side._replace(entrants=tuple(usual[name] for name in side.entrants)) for side in game] for game in games
        ]
        return Contests.of(named), notes

    def _sides(self, table: Table) -> list[Side]:
        """Return the sides of a game; none, with a fault or a skip counted, if it tells no winner."""
        teams = defaultdict[str, list[Seat]](list)
        for seat in table.seats:
            if not (is_no_name(seat.name) or is_bye_name(seat.name)):
                teams[seat.team].append(seat)
        who = Counter((fold_name(seat.name), fold_name(seat.player)) for seat in table.seats)
        if twice := [name for (name, player), n in who.items() if n > 1 and not player]:
            tip = "add a column player; or, where numbers begin anew, one such as season or evening"
            self._add_fault(table.seats[0], "stands twice in one game", twice[0], tip)
        seats, n_faults = [*teams.values()], len(self.faults)
        scores = self._scores(table, seats) if len(seats) > 1 else []
        known = [score for score in scores if score is not None]
        if not known and len(self.faults) == n_faults:
            self.skips["in which nobody won, or all" if len(seats) > 1 else "with one side"] += 1
        if not known or len(self.faults) > n_faults:
            return []
        first = self._first(table, seats)
        return [
            Side(
                tuple(fold_name(self._name(seat)) for seat in team),
                0 if score is None else 1 + sum(other > score for other in known),
                first == {at},
            )
            for at, (team, score) in enumerate(zip(seats, scores, strict=True))
        ]

    def _first(self, table: Table, teams: list[list[Seat]]) -> set[int]:
        """Return the sides that went first, by a name, by marks, or by the lowest number of an order of turns."""
        if not is_no_name(table.starts):
            return self._who(table.starts, teams)
        starts = [next((seat.starts for seat in team if seat.starts), "") for team in teams]
        if all(text.isdecimal() for text in starts):
            return {at for at, text in enumerate(starts) if int(text) == min(map(int, starts))}
        return {at for at, text in enumerate(starts) if says_yes(text) or starts_in(text) > 0}

    def _add_fault(self, seat: Seat, message: str, found: str, tip: str) -> None:
        self.faults.append(Fault(message, self.path, seat.row, found=found, tip=tip))

    def _name(self, seat: Seat) -> str:
        try:
            return self.names.note(check_name(seat.name))
        except BadCell as bad:
            self._add_fault(seat, bad.message, seat.name, bad.tip)
            return seat.name

    def _scores(self, table: Table, teams: list[list[Seat]]) -> Scores:
        """Return the score of each side by places, or by who won and points; it is noted how points go with these."""
        places = [None if place is None else -place for place in self._numbers("place", teams)]
        points = self._numbers("points", teams)
        self.points |= {value for value in points if value is not None}
        fares, is_draw = self._fares(table, teams)
        order = places if set(places) != {None} else fares
        known = [score for score in order if score is not None]
        if not known:
            return points
        top = [at for at, score in enumerate(order) if score == max(known)]
        values = [value for value in points if value is not None]
        if len(values) == len(teams) and len(set(values)) > 1:
            best = {values[at] for at in top}
            kind = {max(values): "most", min(values): "least"}.get(min(best), "") if len(best) == 1 else ""
            self.orders.setdefault(kind, teams[0][0].row)
            if order is fares and kind:
                sign = 1 if kind == "most" else -1
                return [math.inf if at in top else sign * value for at, value in enumerate(values)]
        if order is fares and not is_draw and len(top) > 1:
            if len(top) == len(teams):
                return [None] * len(teams)
            message = "some won, and nothing says whether as a team or tied"
            won = table.winner or ", ".join(teams[at][0].name for at in top)
            self._add_fault(teams[0][0], message, won, SAY_SIDES)
        return order

    def _numbers(self, kind: str, teams: list[list[Seat]]) -> Scores:
        """Return the place or the points of each side; None for empty cells, and for who did not finish.

        Points of partners are added up, unless all partners have the same.
        """
        numbers: list[list[float]] = [[] for _ in teams]
        for at, seat in ((at, seat) for at, team in enumerate(teams) for seat in team):
            text = fold_name(getattr(seat, kind))
            number = _PLACE.fullmatch(text) if kind == "place" else NUMBER.fullmatch(text)
            if number is not None:
                numbers[at].append(float(number[number.lastindex or 0].replace(",", ".")))
            elif not (is_no_name(text) or kind_of(text)):
                tip = "write 1, 2, 3, or nothing where nobody knows"
                self._add_fault(seat, f"is no {'place' if kind == 'place' else 'number of points'}", text, tip)
        are_alike = all(len(set(of_side)) < 2 for of_side in numbers)
        if kind == "place" or are_alike:
            return [min(of_side, default=None) for of_side in numbers]
        return [sum(of_side) if of_side else None for of_side in numbers]

    def _fares(self, table: Table, teams: list[list[Seat]]) -> tuple[Scores, bool]:
        """Return 1 for each side that won, None for the others, and whether it is a draw that the log calls one."""
        names = {fold_name(seat.name) for seat in table.seats}
        results = [[seat.result for seat in team if seat.result] for team in teams]
        named = [text for texts in results for text in texts if fold_name(text) in names]
        if text := table.winner or next(iter(named), ""):
            is_draw = Words().is_draw(fold_name(text))
            who = set(range(len(teams))) if is_draw else self._who(text, teams)
            return [1.0 if at in who else None for at in range(len(teams))], is_draw or bool(_TIED.search(text))
        try:
            scores = [max((_fare(text) for text in texts), default=0.0) for texts in results]
        except BadCell as bad:
            self._add_fault(teams[0][0], bad.message, ", ".join(chain(*results)), bad.tip)
            return [None] * len(teams), False
        best = max(scores)
        return [1.0 if score == best > 0 else None for score in scores], best == 0.5

    def _who(self, text: str, teams: list[list[Seat]]) -> set[int]:
        """Return the sides that a cell names; none, with a fault, if it names somebody else."""
        keys = [
            (key, at) for at, team in enumerate(teams) for seat in team for key in (seat.team, seat.player, seat.name)
        ]
        place = {fold_name(key): at for key, at in keys}

        def side(part: str) -> int | None:
            mark = numbered(part)
            return place.get(fold_name(part), place.get(str(mark[1])) if mark else None)

        sides = [
            side(part) for part in ([text] if side(text) is not None else BETWEEN.split(_TIED.sub(",", text))) if part
        ]
        if None in sides:
            tip = f"write who won as in the row: {comma_list(seat.name for team in teams for seat in team)}"
            self._add_fault(teams[0][0], "is none of those who took part", text, tip)
        return {at for at in sides if at is not None}


def _fare(text: str) -> float:
    """Return how a side fared by its own cell: 1, 0.5 or 0; nothing for who did not finish."""
    is_yes = says_yes(text)
    return float(is_yes) if is_yes is not None else 0.0 if kind_of(text) else side_score(text) or 0.0


def is_named(text: str) -> bool:
    """Return whether a cell may name somebody: it is no bye, no dash and no number."""
    return not (is_no_name(text) or is_bye_name(text) or NUMBER.fullmatch(text))


def numbered(header: str) -> tuple[str, int] | None:
    """Return what a header such as `player 3` or `punti terzo` holds, and of which player; None for any other."""
    tokens = tokens_of(header)
    numbers = [NUMBERS[token] for token in tokens if token in NUMBERS]
    if len(numbers) != 1 or header.strip().isdecimal():
        return None
    if set(tokens) & PLACE_WORDS:
        return "place", numbers[0]
    role = role_of(" ".join("1" if token in NUMBERS else token for token in tokens))
    return None if role is None or role.side != "one" else (role.kind, numbers[0])
