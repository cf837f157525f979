"""How a log was read, before anything is rated: what each column holds, and how rows make games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from balance.base.errors import CatalogueError
from balance.base.numbers import show_many
from balance.base.readings import FileReading, Reading
from balance.base.text import slug
from balance.playtests.log.columns import header_at
from balance.playtests.log.log import PARQUET, Log, LogSettings, log_of, sheet_at
from balance.playtests.log.shapes.joining import PLACE_WORDS
from balance.playtests.log.shapes.seats import ORDERED, PLURAL
from balance.playtests.log.shapes.teams import JOINED
from balance.playtests.log.sheets import Sheet
from balance.playtests.words.headers import roles_with_options
from balance.playtests.words.vocabulary import LABELS, Role, key_of, role_named

SUFFIXES = (".csv", ".tsv", ".xlsx", ".xlsm", ".json", ".jsonl", ".pgn", PARQUET)
KIND = "log of games"
_MEANINGS = {
    "name_one": "the name of one side",
    "name_other": "the name of the other side",
    "name": "the name of the side that the row tells of",
    "name_winner": "who won",
    "name_loser": "who lost",
    "player": "who played",
    "points": "points: more points win",
    "wins": "games won or lost",
    "cost": "what the army costs; empty or 0 is not known",
    "result": "the result",
    "place": "the place: 1 is the best",
    "team": "who is on one side",
    "score": "the result, as a score",
    "draw": "whether nobody won",
    "draws": "games drawn",
    "n": "how many games the row stands for",
    "starts": "who went first",
    "session": "the evening",
    "date": "the date",
    "scenario": "the scenario",
    "status": "whether the game was played to its end",
    "low": "the lower end of the score's interval",
    "high": "the upper end of the score's interval",
    "error": "the error of the score",
    "advantage": "how much more going first scores",
    "game": "the number of the game",
    "round": "the round",
    "table": "the table",
    "month": "the month",
    "patch": "the patch",
    "event": "the event",
    "deployment": "the deployment",
    "map": "the map",
    "mission": "the mission",
    "block": "the season, league or group in which numbers begin anew",
}
"""Kind of a column, with its side for names -> what it holds."""
_WHOSE = {"": "", "one": ", of the first name", "other": ", of the second name", "winner": ", of the winner"}
_WHOSE |= {"loser": ", of the loser"}
_OF_RESULTS = ("wins", "draws", "n", "score", "result", "points", "session", "date")


def log_reading(path: Path, settings: LogSettings | None = None) -> FileReading | None:
    """Return how a file was read as a log of games, with its faults; None for a file that is none."""
    settings = settings or LogSettings()
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return None
    try:
        sheet = sheet_at(path, settings)
    except CatalogueError:
        return None
    rows = sheet.table.rows
    header = rows[header_at(rows, settings)][1] if rows else ()
    roles = roles_with_options(header, settings.columns)
    return _reading(sheet, settings, header, roles) if _is_log(header, roles) else None


def _is_log(header: Sequence[str], roles: Sequence[Role | None]) -> bool:
    """Return whether headers are those of a log: two names, or a name beside a result, or totals."""
    present = {role for role in roles if role is not None}
    if {"id", "name"} <= set(map(slug, header)):
        return False  # a table of a catalogue
    if {Role("name", "winner"), Role("name", "loser")} <= present:
        return True
    kinds = {role.kind for role in present}
    fares = len(kinds.intersection(_OF_RESULTS)) + (Role("name", "winner") in present)
    words = {word for cell in header for word in slug(cell).split("_")}
    fares += bool(words & PLACE_WORDS and "player" in kinds)
    if {"1st", "2nd", "3rd"} <= words or (words & (ORDERED | PLURAL) and fares):
        return True
    for kind in ("name", "player"):
        if {Role(kind, "one"), Role(kind, "other")} <= present:
            return fares > 0
    if not {Role("name"), Role("player")} & present:
        return False
    has_opponent = bool({Role("name", "other"), Role("player", "other")} & present)
    has_number = any(key_of(cell) in ("game", "table") for cell in header)
    return fares >= (1 if has_opponent or has_number else 2)


def _reading(sheet: Sheet, settings: LogSettings, header: Sequence[str], roles: Sequence[Role | None]) -> FileReading:
    try:
        log = log_of(sheet, settings)
    except CatalogueError as error:
        pieces = _pieces(header, [None if role is None else _meaning(role) for role in roles], "not known")
        return FileReading(KIND, show_many(len(sheet.table.rows), "row"), pieces, faults=tuple(error.faults))
    used = _used(log)
    meanings = [
        used.get(" ".join(cell.split())) or _meaning_of_rest(cell, role, log)
        for cell, role in zip(header, roles, strict=True)
    ]
    names = (log.contests or log.games).names
    count = f"{show_many(round(log.source.n_games), 'game')} of {show_many(len(names), 'entrant')}"
    games = Reading("games", log.source.shape, count)
    first = Reading("who went first", "", log.source.assumptions[0])
    summary = f"{count}, {log.source.shape}"
    notes = (*log.source.assumptions[1:], *log.source.notes)
    return FileReading(KIND, summary, (*_pieces(header, meanings, "not used"), games, first), notes)


def _pieces(header: Sequence[str], meanings: Sequence[str | None], otherwise: str) -> tuple[Reading, ...]:
    return tuple(
        Reading(f"column {at}", " ".join(cell.split()), meaning or otherwise)
        for at, (cell, meaning) in enumerate(zip(header, meanings, strict=True), start=1)
        if cell.strip()
    )


def _used(log: Log) -> Mapping[str, str]:
    """Return the header of each used column -> what it holds; of joined rows without the number of the side."""
    is_joined = log.source.shape.startswith("one row per player")
    used = dict[str, str]()
    for text, header in log.source.columns.items():
        kind = text.partition(" ")[0]
        role = Role(kind) if kind in _MEANINGS else role_named(text)
        if role is None or (is_joined and text in LABELS and key_of(header)):
            continue
        own_header = header.removesuffix(" 1").removesuffix(" 2") if is_joined else header
        used.setdefault(own_header, _meaning(Role(role.kind, "") if is_joined and role.side else role))
    return used


def _meaning(role: Role) -> str:
    if role.member:
        return "a further name on one side"
    if role.kind == "name":
        return _MEANINGS[f"name_{role.side}" if role.side else "name"]
    return f"{_MEANINGS[role.kind]}{_WHOSE[role.side]}"


def _meaning_of_rest(header: str, role: Role | None, log: Log) -> str | None:
    """Return what a column beside those of the games holds, such as the number of a game; None if it was not used."""
    if not log.source.shape.startswith("one row per player"):
        rest = "" if log.source.shape == JOINED else ", empty in all rows"
        return f"a further name on one side{rest}" if role is not None and role.member else None
    names = log.source.shape.partition(" the same ")[2].removesuffix(" are one game")
    if " ".join(header.split()) in names.split(" and "):
        return _MEANINGS[key_of(header) or "game"]
    is_fare = role is not None and (role.kind in ("result", "starts", "wins") or role == Role("name", "winner"))
    return _MEANINGS["result" if role is not None and role.kind != "starts" else "starts"] if is_fare else None
