"""Reads a log row by row: whom a row names, who won, who went first, in how many games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from balance.base.errors import Fault, UsageError
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, clean
from balance.chance.trials.estimate import LEVEL
from balance.chance.trials.stopping import normal_width
from balance.playtests.games import AS_EXACT
from balance.playtests.log.alike import LABELS, Key, Kind, Likeness
from balance.playtests.log.leaving_out import LeftOut
from balance.playtests.words.headers import Columns
from balance.playtests.words.naming import Names, check_name
from balance.playtests.words.non_games import BYE, is_bye_name
from balance.playtests.words.results import (
    Game,
    Words,
    flag,
    fold_name,
    number,
    pair_of,
    side_score,
    starter,
    verdict_of,
)
from balance.playtests.words.vocabulary import Role

T = TypeVar("T")
role_as = cache(Role)
"""A role, made once: there are twenty in each of 100,000 rows."""
Cells: TypeAlias = tuple[str, ...]
FirstGoes: TypeAlias = Literal["", "one", "other", "nobody"]
EachGame: TypeAlias = Literal["", "once", "twice"]
PAIRS_COLUMN = "n_pairs"
"""Header of a run's table `tasks`, where 0 means that the score is exact."""
NO_GAMES = "of no games"
SELF_PLAY = "of one against itself, which says nothing of strength"


@dataclass(frozen=True)
class LogSettings:
    """How a log is to be read where it does not say it itself; raises `UsageError` for words other than those below.

    * `columns`: what a column holds, such as "winner" or "player_one" -> its header; an empty header leaves it out.
    * `draws`: words of the log for a draw.
    * `sheet`: of a workbook, the sheet; the first one without it.
    * `first`: which of the two sides went first in every game, "one" or "other"; "nobody" if going first is not to
      count; "" as the log says.
    * `leave_out`: words of the log for what is no game: a row with one of them in any cell is left out.
    * `each_game`: whether the log tells each game "once", or "twice", from both sides; "" to find out.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    draws: tuple[str, ...] = ()
    sheet: str = ""
    first: FirstGoes = ""
    leave_out: tuple[str, ...] = ()
    each_game: EachGame = ""

    def __post_init__(self) -> None:
        if self.each_game not in ("", "once", "twice"):
            raise UsageError(Fault("is no number of times", "§each_game", found=self.each_game, allowed="once, twice"))
        if self.first not in ("", "one", "other", "nobody"):
            raise UsageError(Fault("is no side", "§first_goes", found=self.first, allowed="one, other, nobody"))


class Result(NamedTuple):
    """What the first name scored in so many games, and who went first in them if that is told with it, else 0."""

    score: float
    games: float = 1.0
    mover: int = 0


class Line(NamedTuple):
    """Games of one row, all alike; names, players, session and scenario as `Names` compares them, "" for none.

    `points` are those of both, `key` is what names its round and its table, and `game` what names the game.
    """

    row: int
    side_a: str
    side_b: str
    score: float
    n: float
    mover: int
    session: str
    scenario: str
    players: tuple[str, str]
    cost: tuple[float, float]
    points: tuple[float, float] = (math.nan, math.nan)
    key: str = ""
    game: str = ""


class _Reading(NamedTuple):
    """What a kind of row was read as: its lines, the spellings of its entrants, and why it was left out, if it was.

    `is_named` says that its labels count, too.
    """

    lines: list[Line]
    names: list[tuple[Counter[str], str]]
    skip: str
    is_named: bool


@dataclass
class Bye:
    """A row with a word for a bye in place of a name, read as if the word named an entrant.

    `is_won` says that the bye would win: then the word is an entrant's name after all.
    """

    word: str
    lines: list[Line]
    faults: list[Fault]
    is_won: bool


@dataclass
class RowReader:
    """Reads rows by what the columns mean, and collects faults and notes on the way.

    * `path`: what to call the file, or the sheet, in a fault.
    * `comma`: whether a comma may be the decimal mark.
    * `words`: what the short words of each column mean.
    * `names` and `labels`: all names so far; those of sessions, scenarios and players.
    * `skip_counts`: why rows were left out -> how many.
    * `byes`: rows with a word for nobody in place of a name, so far.
    """

    path: str
    comma: bool
    columns: Columns
    settings: LogSettings
    words: Mapping[Role, Words]
    left_out: LeftOut
    faults: list[Fault] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    labels: dict[str, Names] = field(default_factory=lambda: {k: Names() for k in ("session", "scenario", "player")})
    skip_counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    _readings: dict[Key, _Reading] = field(default_factory=dict, repr=False)
    _row_names: list[tuple[Names, str]] = field(default_factory=list, repr=False)
    _last_skip: str = ""

    def has(self, kind: str, side: str = "") -> bool:
        """Return whether some column has a role, such as "score", or "wins" of side "one"."""
        return role_as(kind, side) in self.columns.at

    @property
    def headers(self) -> tuple[str, str]:
        """The headers of the two columns of names."""
        side_a, side_b = self.sides
        return self.columns.header_of(role_as("name", side_a)), self.columns.header_of(role_as("name", side_b))

    def read(self, row: int, cells: Cells) -> list[Line]:
        """Return the games of a row; none if something is wrong with it (a fault is added), or it tells of no game.

        Rows that are alike are parsed once.
        """
        kind = self._likeness.of(cells)
        key = (None, cells) if kind is None else kind.key
        if (reading := self._readings.get(key)) is not None:  # rows are often alike, and reading one takes long
            return self._read_again(row, cells, reading, kind)
        self._row_names, before = [], (len(self.faults), len(self.byes), sum(self.skip_counts.values()))
        lines = self._read_anew(row, cells)
        n_skipped = sum(self.skip_counts.values()) - before[2]
        if lines or (kind and n_skipped and (len(self.faults), len(self.byes)) == before[:2]):
            entrants = [
                (names.spellings[fold_name(text)], " ".join(text.split()))
                for names, text in self._row_names
                if kind is None or names is self.names
            ]
            skip = self._last_skip if n_skipped else ""
            self._readings[key] = _Reading(lines, entrants, skip, bool(self._row_names))
        return lines

    def _read_again(self, row: int, cells: Cells, reading: _Reading, kind: Kind | None) -> list[Line]:
        """Return the games of a row like an earlier one, and count its names as `_read_anew` would."""
        for spellings, name in reading.names:
            spellings[name] += 1
        if reading.skip:
            self._skip(reading.skip)
        if kind is None:
            return [line._replace(row=row) for line in reading.lines]
        if reading.is_named:
            for what, label in zip(LABELS, kind.labels, strict=True):
                if label.name:
                    self.labels[what].spellings[label.folded][label.name] += 1
        one, other, session, scenario = kind.labels
        keys = self._keys(cells)
        return [
            Line(
                row, line.side_a, line.side_b, line.score, line.n, line.mover, session.folded, scenario.folded,
                (one.folded, other.folded), line.cost, kind.points or line.points, *keys,
            )
            for line in reading.lines
        ]  # fmt: skip

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.columns, self.left_out, self.comma)

    def _keys(self, cells: Cells) -> tuple[str, str]:
        """Return what names the round and the table of a row, and what names the game."""
        if not self.columns.keys:
            return "", ""
        game = self._key(cells, "block", "game") if "game" in self.columns.keys else ""
        return self._key(cells, "round", "table"), game

    def _read_anew(self, row: int, cells: Cells) -> list[Line]:
        """Return the games of a row unlike all before; none, with a fault or a skip counted, if it has none."""
        if self._ragged(row, cells):
            return []
        if reason := self.left_out.reason_for(cells):
            return self._skip(reason)
        if word := self.left_out.word_for_nobody(cells):
            faults, self.faults = self.faults, []
            lines = self._games(row, cells)
            is_won = any(
                (line.score > 0.5) == (is_bye_name(line.side_a) or is_bye_name(line.players[0])) for line in lines
            )
            whole = any(line.score != 0.5 for line in lines)
            self.byes.append(Bye(word, lines, self.faults, is_won and whole))
            self.faults = faults
            return []
        return self._games(row, cells)

    def settle_byes(self) -> list[Line]:
        """Return the games of byes that are entrants after all, since that word wins; count the others as byes."""
        lines: list[Line] = []
        entrant_words = {bye.word for bye in self.byes if bye.is_won}
        for bye in self.byes:
            if bye.word in entrant_words:
                lines += bye.lines
                self.faults += bye.faults
            else:
                self._skip(f"{BYE} ({bye.word})")
        words_text = ", ".join(sorted(repr(word) for word in entrant_words))
        if entrant_words:
            self.notes.append(
                f"{words_text} wins, so that it is taken for an entrant; §leave_out leaves such rows out."
            )
        return lines

    def _games(self, row: int, cells: Cells) -> list[Line]:
        """Return the games of a row, one line for each result; none after a fault or of one against itself."""
        before = len(self.faults)
        side_a, side_b = self.sides
        names = self._name(row, cells, side_a), self._name(row, cells, side_b)
        players = self._label(row, cells, "player", side_a), self._label(row, cells, "player", side_b)
        further_names = tuple((clean(cells[at_a]), clean(cells[at_b])) for at_a, at_b in self.columns.further_names)
        game = Game(names, players, self.sides, self.headers, further_names)
        sound = len(self.faults) == before
        results = self._results(row, cells, game) if sound else []
        mover = self._mover(row, cells, game) if sound else 0
        session, scenario = self._session(row, cells), self._label(row, cells, "scenario")
        cost = [self._cost(row, cells, role_as("cost", side)) for side in (side_a, side_b)]
        if len(self.faults) > before:
            return []
        key_a, key_b = fold_name(names[0]), fold_name(names[1])
        people, costs = (fold_name(players[0]), fold_name(players[1])), (_or_nan(cost[0]), _or_nan(cost[1]))
        key, game_key = self._keys(cells)
        points = self._points(row, cells)
        point_pair = self._pair(cells) or (_or_nan(points[0]), _or_nan(points[1]))
        if key_a == key_b:
            self._skip(SELF_PLAY)
            if not (any(people) and people[0] != people[1] and math.isfinite(sum(point_pair))):
                return []
        return [
            Line(
                row, key_a, key_b, score, games, first or mover, fold_name(session), fold_name(scenario), people, costs,
                point_pair, key, game_key,
            )
            for score, games, first in results
        ]  # fmt: skip

    def _key(self, cells: Cells, *kinds: str) -> str:
        """Return the folded cells of some key columns, joined by tabs; "" where the log has none."""
        places = [self.columns.keys.get(kind, len(cells)) for kind in kinds]
        return "\t".join(fold_name(cells[place]) for place in places if place < len(cells))

    # -- cells ------------------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> tuple[str, str]:
        """("one", "other"), or ("winner", "loser") where the columns name these."""
        return self.columns.sides

    @cached_property
    def _widest(self) -> int:
        further = [at for pair in self.columns.further_names for at in pair]
        return max(*self.columns.at.values(), *further)

    def _ragged(self, row: int, cells: Cells) -> bool:
        """Return True, and add a fault, if a row lacks a needed cell or has a filled one beyond the header."""
        n = len(self.columns.header)
        if self._widest >= len(cells):
            self.faults.append(Fault(f"the row has {len(cells)} cells, the header has {n}", self.path, row))
            return True
        if stray := [cell.strip() for cell in cells[n:] if cell.strip()]:
            tip = "put quotation marks around a text that holds the separator"
            self.faults.append(Fault("stands under no header", self.path, row, found=stray[0], tip=tip))
            return True
        return False

    def _skip(self, reason: str) -> list[Line]:
        self._last_skip = reason
        self.skip_counts[reason] = self.skip_counts.get(reason, 0) + 1
        return []

    def _read(self, row: int, cells: Cells, role: Role, read: Callable[[str], T]) -> T | None:
        """Return what `read` makes of a role's cell; None without such a column, and after a fault (`BadCell`)."""
        place = self.columns.at.get(role)
        if place is None:
            return None
        text = clean(cells[place])
        try:
            return read(text)
        except BadCell as bad:
            header = self.columns.header_of(role)
            self.faults.append(Fault(bad.message, self.path, row, header, text or None, bad.allowed, bad.tip))
            return None

    def _name(self, row: int, cells: Cells, side: str) -> str:
        """Return the name of a side with blanks collapsed; "" after a fault."""
        return self._read(row, cells, role_as("name", side), lambda text: self._note(self.names, text)) or ""

    def _label(self, row: int, cells: Cells, kind: str, side: str = "") -> str:
        """Return the name of a session, scenario or player, with blanks collapsed; "" without a cell or column."""
        names = self.labels[kind]
        return self._read(row, cells, role_as(kind, side), lambda text: self._note(names, text) if text else "") or ""

    def _session(self, row: int, cells: Cells) -> str:
        """Return the evening; with the block in which its name begins anew, such as `2026, week 3`."""
        block = self.columns.session_block
        if block < 0 or block >= len(cells) or not (before := clean(cells[block])):
            return self._label(row, cells, "session")
        return (
            self._read(
                row,
                cells,
                role_as("session"),
                lambda text: self._note(self.labels["session"], f"{before}, {text}") if text else "",
            )
            or ""
        )

    def _note(self, names: Names, text: str) -> str:
        """Count a spelling, and remember it for later rows with equal cells, which are not read again."""
        self._row_names.append((names, text))
        return names.note(check_name(text))

    def _number(self, row: int, cells: Cells, role: Role, low: float = 0.0, high: float = 1e9) -> float | None:
        return self._read(row, cells, role, lambda text: number(text, str(role), self.comma, low, high))

    def _cost(self, row: int, cells: Cells, role: Role) -> float | None:
        """Return the cost of an army in points; None where it is unknown: an empty cell, or 0."""
        return self._number(row, cells, role) or None

    def _whole(self, row: int, cells: Cells, role: Role, otherwise: float | None) -> float | None:
        """Return a whole number of games; `otherwise` for an empty cell, which is a fault if that is None."""

        def read(text: str) -> float:
            value = number(text, str(role), self.comma)
            value = otherwise if value is None else value
            if value is None:
                raise BadCell("is empty", "say how many games the row stands for")
            if not value.is_integer():
                raise BadCell("is not a whole number")
            return value

        return self._read(row, cells, role, read)

    def _mover(self, row: int, cells: Cells, game: Game) -> int:
        """Return 1 if the first of the two names went first, -1 if the second did, 0 if unknown or ignored."""
        if self.settings.first:
            return {"one": 1, "other": -1, "nobody": 0}[self.settings.first]
        if self.has("starts"):
            return self._read(row, cells, role_as("starts"), lambda text: starter(text, game)) or 0
        return int(self.columns.gives_mover)

    # -- who won ----------------------------------------------------------------------------------------------------

    def _results(self, row: int, cells: Cells, game: Game) -> list[Result]:
        """Return who won, as scores of the first name with numbers of games; none after a fault or for no games."""
        before = len(self.faults)
        if self.has("wins", "one"):
            return self._won_and_lost(row, cells)
        scores = self._scores_by_column(row, cells, game)
        games = self._whole(row, cells, role_as("n"), None)
        if len(self.faults) > before:
            return []
        exact = games == 0 and slug(self.columns.header_of(role_as("n"))) == PAIRS_COLUMN
        if games == 0 and not (exact and scores):
            self._skip(NO_GAMES)
            return []
        if not scores:
            tip = "write draw where nobody won, and leave out games that were not finished: §leave_out=''"
            self.faults.append(Fault("does not say who won", self.path, row, self._result_header(), tip=tip))
            return []
        return self._weighted_results(row, cells, scores, float(AS_EXACT) if exact else games)

    def _result_header(self) -> str:
        """Return the header of the first column that could say who won, for a fault."""
        side_a = self.sides[0]
        order = (
            role_as("name", "winner"),
            role_as("result"),
            role_as("score"),
            role_as("points", side_a),
            role_as("result", side_a),
        )
        return next(self.columns.header_of(role) for role in order if role in self.columns.at)

    def _scores_by_column(self, row: int, cells: Cells, game: Game) -> dict[Role, float]:
        """Return the score of the first name by each column that tells it; columns that disagree are a fault."""
        scores: dict[Role, float] = {}
        winner, draw = role_as("name", "winner"), role_as("draw")
        by_names = self.sides[0] == "winner"
        for role in (
            (role_as("result"), role_as("score")) if by_names else (winner, role_as("result"), role_as("score"))
        ):
            words = self.words.get(role, Words())
            if (score := self._read(row, cells, role, partial(verdict_of, game=game, words=words))) is not None:
                scores[role] = score
        points_a, points_b = self._points(row, cells)
        if points_a is not None and points_b is not None:
            scores[role_as("points", self.sides[0])] = _score(points_a, points_b)
        if (by_sides := self._by_sides(row, cells)) is not None:
            scores[role_as("result", self.sides[0])] = by_sides
        if draw in self.columns.at and self._read(row, cells, draw, lambda text: flag(text, self.words[draw])):
            scores[draw] = 0.5
        elif by_names and not scores:
            scores[winner] = 1.0
        if not scores and self._is_drawn_by_status(cells):
            scores[role_as("status")] = 0.5
        self._contradictions(row, scores, game)
        return scores

    def _is_drawn_by_status(self, cells: Cells) -> bool:
        """Return whether the status column says that nobody won, such as a chess server's "stalemate"."""
        place = self.columns.at.get(role_as("status"))
        return place is not None and bool(cells[place].strip()) and Words().is_draw(fold_name(cells[place]))

    def _points(self, row: int, cells: Cells) -> tuple[float | None, float | None]:
        """Return the points of both sides; None for an empty cell or no column."""
        side_a, side_b = self.sides
        return self._number(row, cells, role_as("points", side_a), -1e9), self._number(
            row, cells, role_as("points", side_b), -1e9
        )

    def _pair(self, cells: Cells) -> tuple[float, float] | None:
        """Return the points of both sides where one cell of the result has them, such as 2-1; None otherwise."""
        places = [self.columns.at.get(role_as(kind)) for kind in ("result", "score")]
        return next((pair for at in places if at is not None and (pair := pair_of(cells[at])) is not None), None)

    def _by_sides(self, row: int, cells: Cells) -> float | None:
        """Return the score of the first name where each side has a result column of its own; None without both."""
        role_a, role_b = (role_as("result", side) for side in self.sides)
        if role_a not in self.columns.at or role_b not in self.columns.at:
            return None
        score_a, score_b = self._read(row, cells, role_a, side_score), self._read(row, cells, role_b, side_score)
        if score_a is None or score_b is None:
            return None
        if score_a == score_b and max(score_a, score_b) >= 1 and score_a in (0.0, 1.0):
            header, tip = self.columns.header_of(role_b), "one wins and one loses, or both draw"
            self.faults.append(Fault("says that both won", self.path, row, header, tip=tip))
        return _score(score_a, score_b)

    def _contradictions(self, row: int, scores: Mapping[Role, float], game: Game) -> None:
        """Add a fault where two columns do not agree on who won, or one says that the winner lost."""
        words = (f"{game.names[0]} won", "nobody won", f"{game.names[1]} won")
        winners = [(role, _winner(score)) for role, score in scores.items()]
        if self.sides[0] == "winner":
            wrong = [(role, winner) for role, winner in winners if winner == 2]
            otherwise = f"{self.headers[1]} that it lost"
        else:
            wrong = [(role, winner) for role, winner in winners if winner != winners[0][1]]
            otherwise = f"{self.columns.header_of(winners[0][0])} that {words[winners[0][1]]}" if winners else ""
        for role, winner in wrong[:1]:
            header, tip = self.columns.header_of(role), f"mend one of them, or leave this column out: §column={role}="
            self.faults.append(Fault(f"says that {words[winner]}, {otherwise}", self.path, row, header, tip=tip))

    def _weighted_results(
        self, row: int, cells: Cells, scores: Mapping[Role, float], games: float | None
    ) -> list[Result]:
        """Return the results of a row that tells one score, for one game or as a share of `games`.

        With a column `advantage` the score is split into two halves, one for each order of moving.
        """
        role, score = next(iter(scores.items()))
        count = self._by_error(row, cells, score) if games is None else games
        if count is None and score not in (0.0, 0.5, 1.0):
            header, tip = self.columns.header_of(role), "say in a column n how many games it stands for"
            fault = Fault("is not the result of one game", self.path, row, header, f"{score:g}", "0, 0.5 or 1", tip)
            self.faults.append(fault)
        advantage = self._number(row, cells, role_as("advantage"), -1.0, 1.0)
        if advantage is None or self.settings.first:
            return [Result(score, 1.0 if count is None else count)]
        shares = [(min(1.0, max(0.0, score + seat * advantage / 2)), seat) for seat in (1, -1)]
        return [Result(share, (count or 1.0) / 2, seat) for share, seat in shares]

    def _by_error(self, row: int, cells: Cells, score: float) -> float | None:
        """Return the games n for which s (1 - s) / n is the squared error of score s; None where no error is told.

        The error is told itself or by an interval. At most `AS_EXACT`; s (1 - s) counts as at least 0.01.
        """
        low, high, error = (self._number(row, cells, role_as(kind)) for kind in ("low", "high", "error"))
        if error is None and low is not None and high is not None:
            error = (high - low) / 2 / normal_width(LEVEL)
        if error is None:
            return None
        variance = max(score * (1 - score), 0.01)
        return float(min(AS_EXACT, max(1.0, variance / error**2))) if error > 0 else float(AS_EXACT)

    def _won_and_lost(self, row: int, cells: Cells) -> list[Result]:
        """Return the results of a row that counts games won, lost and drawn; a missing count follows from `n`."""
        roles = role_as("wins", "one"), role_as("wins", "other"), role_as("draws")
        wins, losses, draws = (self._whole(row, cells, role, 0.0) or 0.0 for role in roles)
        games = self._whole(row, cells, role_as("n"), 0.0)
        if games and roles[1] not in self.columns.at:
            losses = games - wins - draws
        elif games and roles[2] not in self.columns.at:
            draws = games - wins - losses
        if (games and games != wins + losses + draws) or min(losses, draws) < 0:
            header = self.columns.header_of(role_as("n"))
            tip = "mend one of them, or leave this column out: §column=n="
            fault = Fault(
                "is not the sum of the games won, lost and drawn", self.path, row, header, f"{games:g}", tip=tip
            )
            self.faults.append(fault)
            return []
        all_results = [Result(score, games) for score, games in ((1.0, wins), (0.0, losses), (0.5, draws))]
        results = [result for result in all_results if result.games > 0]
        if not results:
            self._skip(NO_GAMES)
        return results


def _score(points_a: float, points_b: float) -> float:
    """Return the score of the first side by points: 1 for more, 0.5 for as many, 0 for fewer."""
    return 0.5 if points_a == points_b else float(points_a > points_b)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _winner(score: float) -> int:
    """Return 0 where the first name won, 1 where nobody did, 2 where the second did."""
    return 1 if score == 0.5 else 0 if score > 0.5 else 2
