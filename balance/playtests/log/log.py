"""A log of games as people keep it, read into `Games`: every fault at once, and all that was assumed told.

One row per game, with two names and who won, is enough; `balance.playtests.words.vocabulary` says what columns may be
called and `balance.playtests.words.results` what may stand in them. Score tables (`docs/how-to/scores.md`), tables of
games won and lost, and the table `tasks` of a run are read too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import CatalogueError, Fault, as_typed, comma_list
from balance.base.limits import MOST_FAULTS, MOST_LOG_NAMES, MOST_LOG_ROWS
from balance.base.numbers import show_many
from balance.catalogue.tables.columns import RawTable
from balance.playtests.contests import Contests
from balance.playtests.games import AS_EXACT, Games, labels_of
from balance.playtests.log.columns import header_at, iso_day, settle_columns
from balance.playtests.log.duplicates import merge_duplicates
from balance.playtests.log.frames import read_parquet
from balance.playtests.log.leaving_out import LeftOut
from balance.playtests.log.rows import Cells, Line, LogSettings, RowReader
from balance.playtests.log.shapes.game_tables import GameTable, to_game_table
from balance.playtests.log.shapes.teams import JOINED, are_people, teams_of
from balance.playtests.log.sheets import Sheet, read_sheet, too_long
from balance.playtests.source import LogSource
from balance.playtests.words.headers import Columns, find_columns
from balance.playtests.words.naming import Names, natural
from balance.playtests.words.non_games import is_no_name
from balance.playtests.words.results import Words, fold_name
from balance.playtests.words.vocabulary import Role, is_seated, role_of

PARQUET = ".parquet"
_ISO_DAY = re.compile(r"\d{4}-\d\d(-\d\d)?$")

__all__ = ["Log", "LogSettings", "log_of", "read_log"]


@dataclass(frozen=True)
class Log:
    """The games of a log, and how they were read.

    `contests`: the games of a log with three or more a game, or with teams that change; `games` has none of the former.
    `people`: their names, whether they are rated or play what is. `mirrors`: with the games of an entrant against
    itself, whose points tell of the players; None without such games.
    """

    games: Games
    source: LogSource
    contests: Contests | None = None
    people: tuple[str, ...] = ()
    mirrors: Games | None = None


def read_log(path: Path | str, settings: LogSettings | None = None) -> Log:
    """Read a log of games from a CSV, TSV or Parquet file or a workbook; the default settings infer all that they can.

    Raises `CatalogueError` with every fault: file, row, column, what was found, what is allowed, a tip.
    """
    settings = settings or LogSettings()
    return log_of(sheet_at(Path(path), settings), settings)


def sheet_at(path: Path, settings: LogSettings) -> Sheet:
    """Return the rows of a file that holds a log; raises `CatalogueError` as `read_sheet` and `read_parquet` do."""
    if path.suffix.lower() == PARQUET:
        return read_parquet(path)
    return read_sheet(path, settings.sheet, settings.columns.values())


def log_of(sheet: Sheet, settings: LogSettings | None = None) -> Log:
    """Return the log in rows of text, which a file or a frame was read into; raises as `read_log` does."""
    settings = settings or LogSettings()
    once, repeats = _header_once(sheet.table, header_at(sheet.table.rows, settings))
    whole = to_game_table(once, header_at(once.rows, settings), settings.columns)
    if whole.contests is not None:
        return _log_of_contests(sheet, whole, whole.contests, repeats, settings)
    reader, body = _open_reader(whole, repeats, settings)
    lines: list[Line] = []
    for row, cells in body:
        if len(reader.faults) >= MOST_FAULTS:
            message = f"after {MOST_FAULTS:,} faults the rest of the log was not looked at"
            reader.faults.append(Fault(message, reader.path, row))
            break
        lines += reader.read(row, cells)
    lines = sorted([*lines, *byes], key=lambda line: line.row) if (byes := reader.settle_byes()) else lines
    reader.faults += reader.left_out.faults()
    lines, mirrors = ([line for line in lines if (line.side_a == line.side_b) is same] for same in (False, True))
    _check_all(reader, lines)
    merged_log = merge_duplicates(lines, reader.headers, _is_seated(reader), reader.settings.each_game)
    if faults := [*reader.faults, *merged_log.faults]:
        raise CatalogueError(faults)
    mirrors = mirrors if len(merged_log.lines) == len(lines) else []
    lines = merged_log.lines
    reader.notes[:0] = merged_log.notes
    log = _LogBuilder(sheet, reader, whole.shape, body, *_movers_by_order(reader, lines), mirrors).log
    if (contests := teams_of(log.games, log.source.columns, whole.shape == JOINED)) is None:
        return log
    note = "Partners change: the names of a side are taken apart, and a team counts as the sum of its members."
    source, people = (
        replace(log.source, notes=(*log.source.notes, note)),
        contests.names if are_people(log.source.columns) else (),
    )
    return replace(log, source=source, contests=contests, people=people)


def _log_of_contests(
    sheet: Sheet, whole: GameTable, contests: Contests, repeats: Sequence[str], settings: LogSettings
) -> Log:
    """Return a log of games among three or more, whose games of two alone are none."""
    n_games, who_first = len(contests.n_sides), whole.columns.get("starts")
    if settings.first == "nobody":
        who_first, contests = None, replace(contests, went_first=np.zeros(len(contests.place), np.bool_))
    first = f"Who went first stands under {who_first}." if who_first else "Nobody says who went first."
    notes = tuple(map(as_typed, (*repeats, *whole.notes)))
    n_rows = len(whole.table.rows) - 1
    source = LogSource(sheet.path, sheet.sha256, whole.shape, n_rows, n_games, 0, whole.columns, (first,), notes)
    none, nothing = np.zeros(0, np.int64), np.zeros(0)
    games = Games(contests.names, none, none, nothing, nothing, np.zeros(0, np.int8), none)
    rated = [
        role_of(whole.columns[what]) for kind in ("name", "player") for what in whole.columns if what.startswith(kind)
    ]
    are_people = rated[0] is None or rated[0].kind == "player"
    return Log(games, source, contests, contests.names if are_people else ())


def _is_seated(reader: RowReader) -> bool:
    """Return whether the side a name stands on says who goes first, by the headers or by the command."""
    return reader.settings.first in ("one", "other") or (reader.columns.gives_mover and not reader.has("starts"))


def _open_reader(
    whole: GameTable, repeats: Sequence[str], settings: LogSettings
) -> tuple[RowReader, Sequence[tuple[int, Cells]]]:
    """Return a reader that knows the columns, and the rows below the header.

    Raises `CatalogueError` if the header lacks a role, or there are no rows or too many.
    """
    faults = list[Fault]()
    table, at = whole.table, header_at(whole.table.rows, settings)
    row, header = table.rows[at]
    body = table.rows[at + 1 :]
    columns = find_columns(header, whole.columns, table.path, row, faults, body)
    if not body:
        faults.append(Fault("the log has a header but no games", table.path))
    if len(body) > MOST_LOG_ROWS:
        faults.append(too_long(table.path, MOST_LOG_ROWS))
    if columns is not None and columns.sides[0] == "winner" and settings.first in ("one", "other"):
        tip = "add a column starts, which says it of each game"
        faults.append(Fault("has nothing to name: the first of a row is its winner", "§first_goes", tip=tip))
    if faults or columns is None:
        raise CatalogueError(faults)
    notes = [*repeats, *whole.notes, *settle_columns(columns, body, settings)]
    left_out = LeftOut.of(columns, [cells for _, cells in body], settings.leave_out)
    words = _words(columns, body, settings)
    return RowReader(table.path, table.comma, columns, settings, words, left_out, notes=notes), body


def _header_once(table: RawTable, at: int) -> tuple[RawTable, list[str]]:
    """Return a table without rows that repeat its header, as files joined end to end have them, and a note."""
    if at >= len(table.rows):
        return table, []
    header = _folded(table.rows[at][1])
    first = header[0] if header else ""
    rows = [
        (row, cells)
        for place, (row, cells) in enumerate(table.rows)
        if place <= at or (cells and cells[0].strip().casefold() != first) or _folded(cells) != header
    ]
    if not (n := len(table.rows) - len(rows)):
        return table, []
    return replace(table, rows=tuple(rows)), [f"Left out: {show_many(n, 'row repeats', 'rows repeat')} the header."]


def _folded(cells: Cells) -> list[str]:
    return [cell.strip().casefold() for cell in cells]


def _words(columns: Columns, body: Sequence[tuple[int, Cells]], settings: LogSettings) -> dict[Role, Words]:
    """Return what short words such as P or 1 mean in each column that tells a result, learnt from its cells."""
    result_roles = (Role("name", "winner"), Role("result"), Role("score"), Role("draw"))
    places = {role: columns.at[role] for role in result_roles if role in columns.at}
    return {
        role: Words.of(
            (cells[place] for _, cells in body if place < len(cells)),
            settings.draws,
            columns.header_of(role),
            columns.gives_mover,
        )
        for role, place in places.items()
    }


def _check_all(reader: RowReader, lines: Sequence[Line]) -> None:
    """Add faults of the log as a whole: too many different names, or no game at all."""
    limits = {"entrants": (reader.names, MOST_LOG_NAMES)}
    limits |= {f"{kind}s": (names, 10 * MOST_LOG_NAMES) for kind, names in reader.labels.items() if kind != "player"}
    for kind, (names, max_names) in limits.items():
        if len(names) > max_names:
            tip = "is the right column taken? §column says which one holds what"
            reader.faults.append(
                Fault(f"names {len(names):,} {kind}; at most {max_names:,} are read", reader.path, tip=tip)
            )
    if not reader.faults and not lines:
        reader.faults.append(Fault("no row of the log tells of a game between two", reader.path))


def _movers_by_order(reader: RowReader, lines: list[Line]) -> tuple[list[Line], int]:
    """Return lines in which the first of a score table's pair goes first if both orders occur, and how many."""
    table = reader.has("n") and reader.has("score") and not reader.has("name", "winner")
    is_stated = reader.settings.first or reader.columns.gives_mover or reader.has("starts") or reader.has("advantage")
    if is_stated or not table:
        return lines, 0
    pairs = {(line.side_a, line.side_b) for line in lines}
    has_reverse = [(line.side_b, line.side_a) in pairs for line in lines]
    seated_lines = [line._replace(mover=int(is_mover)) for line, is_mover in zip(lines, has_reverse, strict=True)]
    return seated_lines, sum(has_reverse)


@dataclass(frozen=True)
class _LogBuilder:
    """A log whose rows have all been read, on the way to arrays; `by_order`: the movers set by `_movers_by_order`."""

    sheet: Sheet
    reader: RowReader
    shape: str
    body: Sequence[tuple[int, Cells]]
    lines: list[Line]
    by_order: int = field(default=0)
    mirrors: Sequence[Line] = ()

    @property
    def log(self) -> Log:
        columns, games = self.reader.columns, self.games
        roles = sorted(columns.at, key=lambda role: columns.at[role])
        source = LogSource(
            self.sheet.path,
            self.sheet.sha256,
            self.shape,
            len(self.body),
            games.n_games,
            len(games.session_names),
            {str(role): columns.header_of(role) for role in roles} | self._context_headers,
            (as_typed(self._who_first(games)), *map(as_typed, self._assumptions())),
            tuple(map(as_typed, self._notes())),
        )
        rated = games.names if columns.players_are_entrants else ()
        whole = replace(self, lines=[*self.lines, *self.mirrors]).games if self.mirrors else None
        return Log(games, source, None, (*rated, *(whole or games).player_names), whole)

    # -- as arrays --------------------------------------------------------------------------------------------------

    @property
    def games(self) -> Games:
        lines, spelling = self.lines, self.reader.names.usual_spellings()
        names = sorted({spelling[key] for line in lines for key in (line.side_a, line.side_b)})
        place = {name: at for at, name in enumerate(names)}
        session, session_names = self._places("session", [line.session for line in lines])
        scenario, scenario_names = self._places("scenario", [line.scenario for line in lines])
        players, player_names = self._places("player", [label for line in lines for label in line.players])
        cost: FloatArray = np.array([line.cost for line in lines], np.float64)
        return Games(
            tuple(names),
            np.array([place[spelling[line.side_a]] for line in lines], np.int64),
            np.array([place[spelling[line.side_b]] for line in lines], np.int64),
            np.array([line.score for line in lines], np.float64),
            np.array([line.n for line in lines], np.float64),
            np.array([line.mover for line in lines], np.int8),
            np.array([line.row for line in lines], np.int64),
            session,
            session_names,
            None if players is None else players.reshape(-1, 2),
            player_names,
            scenario,
            scenario_names,
            None if np.isnan(cost).all() else cost,
            self._point_pairs(),
            labels_of(self._label_texts),
            self._game_ids,
        )

    def _point_pairs(self) -> FloatArray | None:
        """Return the points of both, NaN where they do not fit the result; None if they only repeat who won."""
        points: FloatArray = np.array([line.points for line in self.lines], np.float64).reshape(-1, 2)
        margin = points[:, 0] - points[:, 1]
        score = np.array([line.score for line in self.lines])
        points[np.sign(margin) != np.sign(score - 0.5)] = np.nan
        margins = np.unique(np.abs(margin[np.isfinite(points[:, 0]) & (margin != 0)]))
        return points if len(margins) > 1 else None

    @cached_property
    def _label_texts(self) -> dict[str, list[str]]:
        """Label -> the text of each line, in its usual spelling and days as 2026-03-14; the month of days, too."""
        texts = {label: self._column(at) for label, at in self.reader.columns.labels.items()}
        session = self.reader.columns.at.get(Role("session"))
        if "date" not in texts and session is not None:
            days = [iso_day(text) for text in self._column(session)]
            texts |= {"date": days} if all(_ISO_DAY.match(day) for day in days if day) else {}
        if "date" in texts:
            texts["date"] = [iso_day(text) for text in texts["date"]]
            months = [day[:7] if _ISO_DAY.match(day) else "" for day in texts["date"]]
            texts = {**({"month": months} if any(months) else {}), **texts}
        return {label: column for label, column in texts.items() if any(column)}

    @cached_property
    def _game_ids(self) -> tuple[str, ...] | None:
        """What the log calls each game; None unless every row has a name of its own."""
        ids = self._column(self.reader.columns.keys["game"]) if "game" in self.reader.columns.keys else []
        n_rows = len({line.row for line in self.lines})
        return tuple(ids) if ids and "" not in ids and len(set(ids)) == n_rows else None

    def _column(self, at: int) -> list[str]:
        """Return the cell of each line in a column, in its usual spelling; "" where it says nothing."""
        cells_by_row, names = dict(self.body), Names()
        texts = [cells[at] if at < len(cells := cells_by_row[line.row]) else "" for line in self.lines]
        for text, n in Counter(texts).items():
            names.spellings[fold_name(text)][" ".join(text.split())] += n
        spelling = names.usual_spellings()
        usual = {text: "" if is_no_name(text) else spelling[fold_name(text)] for text in set(texts)}
        return [usual[text] for text in texts]

    @property
    def _context_headers(self) -> dict[str, str]:
        """Label, or "game" for what names it -> its header, of each column that says nothing else."""
        columns = self.reader.columns
        used_places = columns.at.values()
        places = {
            kind: at for kind, at in columns.labels.items() if kind in self._label_texts and at not in used_places
        }
        if self._game_ids is not None:
            places["game"] = columns.keys["game"]
        return {kind: " ".join(columns.header[at].split()) for kind, at in places.items()}

    def _places(self, kind: str, labels: Sequence[str]) -> tuple[IntArray | None, tuple[str, ...]]:
        """Return places among the sorted names, -1 for none, and the names; None where there are none at all."""
        spelling = self.reader.labels[kind].usual_spellings()
        names = sorted({spelling[label] for label in labels if label}, key=natural)
        place = {name: at for at, name in enumerate(names)}
        if not names:
            return None, ()
        return np.array([place[spelling[label]] if label else -1 for label in labels], np.int64), tuple(names)

    # -- in words ---------------------------------------------------------------------------------------------------

    def _who_first(self, games: Games) -> str:
        """Return one sentence on who was taken to go first, and on whose word."""
        first_header, second_header = self.reader.headers
        setting, columns = self.reader.settings.first, self.reader.columns
        if setting == "nobody":
            return "Who went first is left out, as the command says."
        if setting:
            header = first_header if setting == "one" else second_header
            return f"The one under {header} went first in every game, as the command says."
        if self.reader.has("starts"):
            n_unknown = int((games.mover == 0).sum())
            more = f"; {n_unknown:,} of {show_many(len(games.mover), 'row')} do not say" if n_unknown else ""
            return f"Who went first stands under {columns.header_of(Role('starts'))}{more}."
        if columns.gives_mover:
            return f"The one under {first_header} went first, the one under {second_header} second, as the headers say."
        if self.by_order:
            rows = show_many(self.by_order, "row")
            return f"In {rows} of pairs that stand in both orders, the one under {first_header} went first."
        if games.knows_mover:
            return "The games are mirrored pairs: each of the two went first in half of them."
        if said := [word for word in self.reader.settings.columns if is_seated(word, "one")]:
            return (
                f"Nobody says who went first: §column={said[0]} says whose name stands first in a row. If the one "
                f"under {first_header} also went first in every game, add §first_goes=one."
            )
        return (
            "Nobody says who went first, so that going first cannot be measured. If the first name of every row went "
            "first, say §first_goes=one; if it varies, add a column `starts`."
        )

    def _assumptions(self) -> list[str]:
        sentences = []
        if self.reader.columns.players_are_entrants:
            sentences.append("The players are rated, as the log names nothing else on both sides.")
        if any(words.p_seen for words in self.reader.words.values()):
            p_is_draw = any(words.p_is_draw for words in self.reader.words.values())
            meaning = "a draw (pareggio)" if p_is_draw else "a game lost (persa); §draw=P would make it a draw"
            sentences.append(f"P is {meaning}.")
        sentences += [sentence for words in self.reader.words.values() for sentence in words.assumptions()]
        if any(line.n >= AS_EXACT / 2 and line.score not in (0, 0.5, 1) for line in self.lines):
            sentences.append(f"A score that is exact counts as {AS_EXACT:,} games.")
        return sentences

    def _notes(self) -> list[str]:
        reader = self.reader
        notes = [*self.sheet.notes, *reader.notes]
        if left_out := [f"{show_many(n, 'row')} {reason}" for reason, n in reader.skip_counts.items()]:
            notes.append(f"Left out: {'; '.join(left_out)}.")
        notes += [note for names in (reader.names, *reader.labels.values()) for note in names.merge_notes()]
        notes += reader.names.alike(self._games_by_name())
        if n_without_session := sum(not line.session for line in self.lines) if reader.has("session") else 0:
            rows = show_many(n_without_session, "row names", "rows name")
            notes.append(f"{rows} no session; write it in every row of an evening.")
        if unused := [header for header in reader.columns.unused if header not in self._context_headers.values()]:
            notes.append(f"Not used: {comma_list(unused)}.")
        return notes

    def _games_by_name(self) -> dict[str, float]:
        """Return the games of each name as folded for comparison, a row counting as often as it stands for games."""
        games_by_name: dict[str, float] = {}
        for line in self.lines:
            for key in (line.side_a, line.side_b):
                games_by_name[key] = games_by_name.get(key, 0.0) + line.n
        return games_by_name
