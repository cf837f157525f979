"""What the columns of a log hold by their cells: where the header is, which headers mislead, what an evening is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from shlex import quote

from balance.base.errors import comma_list
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.catalogue.tables.cells import clean
from balance.playtests.log.rows import Cells, LogSettings
from balance.playtests.words.headers import Columns
from balance.playtests.words.members import roles_of
from balance.playtests.words.naming import natural
from balance.playtests.words.results import Words, fold_name, is_flag, says_yes
from balance.playtests.words.vocabulary import Role, role_named, role_of, word_set

_NUMBER = re.compile(r"-?\d+([.,]\d+)?")
_ZERO = re.compile(r"[-+]?0+([.,]0+)?")
ENOUGH_ROWS = 3
"""Rows that are enough to tell a running number from a count."""
HEADER_ROWS = 10
"""Rows among which the header is looked for, below a title."""
MOST_BESIDE_TITLE = 2
"""Cells of a header below lines of a title that may be as wide, such as `Club, Lions`."""
MOST_DAYS = 4
"""Days of an event that is an evening, or a tournament; one of more days is a kind of evenings, or a league."""
MOST_DAYS_OFF = 3
"""Days from one day of an event to its next; what comes back later is a kind of evenings, or a league."""
_KINDS_OF_EVENT = word_set(
    "weekly monthly casual friendly friendlies competitive ranked unranked league tournament campaign training "
    "practice test playtest open club home online amichevole amichevoli torneo campionato allenamento settimanale "
    "mensile lega campagna prova casa"
)
"""Words for kinds of events, which name no evening."""


def header_at(rows: Sequence[tuple[int, Cells]], settings: LogSettings) -> int:
    """Return the place of the header: the first row in which two columns mean something.

    Where there is none, it is the first row with more than one cell, as a title has one. Below a row as wide there is
    no header, and no header holds numbers: a row of games may hold words that mean something as headers.
    """
    user_slugs = {slug(header) for header in settings.columns.values() if header.strip()}
    wide = [at for at, (_, cells) in enumerate(rows[:HEADER_ROWS]) if _width(cells) > 1]
    widest_above = MOST_BESIDE_TITLE
    for at, (_, cells) in enumerate(rows[:HEADER_ROWS]):
        roles = {role for role in roles_of(cells) if role is not None}
        has_name = any(role.kind in ("name", "player") for role in roles)
        n_user_headers = sum(slug(cell) in user_slugs for cell in cells)
        is_header = n_user_headers or not any(_NUMBER.fullmatch(cell.strip()) for cell in cells)
        if (has_name or n_user_headers) and len(roles) + n_user_headers >= 2 and is_header:
            return at if not wide or at == wide[0] or _width(cells) >= widest_above else wide[0]
        widest_above = max(widest_above, _width(cells) + 1)
    return wide[0] if wide else 0


def _width(cells: Cells) -> int:
    """Return how many cells hold something."""
    return sum(bool(cell.strip()) for cell in cells)


def settle_columns(columns: Columns, body: Sequence[tuple[int, Cells]], settings: LogSettings) -> list[str]:
    """Drop or rename columns whose cells contradict their headers, in `columns` itself, and return notes on that."""
    notes = []
    if _numbers_rows(columns, body):
        header = columns.header_of(Role("n"))
        notes.append(f"The column {header} numbers the games, it does not count them: not used.")
        del columns.at[Role("n")]
    if _tells_no_draws(columns, body, settings):
        header = columns.header_of(Role("draw"))
        notes.append(f"The column {header} does not say yes or no, so it tells no draws: not used.")
        del columns.at[Role("draw")]
    notes += [*_choose_evening(columns, body, settings), *_other_columns(columns), *_unknown_costs(columns, body)]
    if _counts_wins_of_n(columns, body):
        columns.at[Role("wins", "one")] = columns.at.pop(Role("result"))
    wins = [Role("wins", side) for side in columns.sides]
    if all(role in columns.at and _says_yes_or_no(columns.at[role], body) for role in wins):
        columns.at |= {Role("result", role.side): columns.at.pop(role) for role in wins}
    return notes


def _other_columns(columns: Columns) -> list[str]:
    """Return a note for each role that several columns may hold: which was taken, and the option that takes another."""
    return [
        f"{columns.header_of(role)} is taken as the {role.kind}, not {header}; "
        f"§column={role}={quote(header)} takes that."
        for role, places in columns.others.items()
        if role in columns.at
        for header in (" ".join(columns.header[at].split()) for at in places)
    ]


def _unknown_costs(columns: Columns, body: Sequence[tuple[int, Cells]]) -> list[str]:
    """Return a note with the number of rows in which a cost of 0 counts as unknown; nothing if there are none."""
    places = [place for role, place in columns.at.items() if role.kind == "cost"]
    n = sum(any(at < len(cells) and _ZERO.fullmatch(cells[at].strip()) for at in places) for _, cells in body)
    headers = comma_list(" ".join(columns.header[at].split()) for at in places)
    return [f"A cost of 0 counts as not known: {show_many(n, 'row')} ({headers})."] if n else []


# -- evenings ----------------------------------------------------------------------------------------------------------


def _choose_evening(columns: Columns, body: Sequence[tuple[int, Cells]], settings: LogSettings) -> list[str]:
    """Choose the column that tells evenings apart, and return notes; `columns` is changed.

    Of several session columns the one with the most labels is taken. The date replaces it if its labels come back on
    other days; without dates, labels that only name kinds of events count as no evenings.
    """
    session, when = Role("session"), Role("date")
    is_said = any(role_named(text) == session for text in settings.columns)
    if session not in columns.at or is_said:
        columns.at.pop(when, None)
        return []
    places = [columns.at[session], *columns.others.get(session, ())]
    labels = {at: [fold_name(clean(cells[at])) if at < len(cells) else "" for _, cells in body] for at in places}
    place = max(places, key=lambda at: len(set(labels[at])))
    columns.at[session] = place
    columns.others = {**columns.others, session: [at for at in places if at != place]}
    header = columns.header_of(session)
    columns.session_block = _block_of_sessions(columns, labels[place], body)
    dates = (
        [fold_name(clean(cells[columns.at[when]])) if columns.at[when] < len(cells) else "" for _, cells in body]
        if when in columns.at
        else []
    )
    if not any(dates):
        columns.at.pop(when, None)
        if len(set(labels[place]) - {""}) > 1 and set(labels[place]) - {""} <= _KINDS_OF_EVENT:
            del columns.at[session]
            columns.unused = (*columns.unused, header)
            return [f"{header} tells kinds of evenings, not which evening; §column=session={quote(header)} takes it."]
        return []
    if columns.session_block < 0 and _comes_back(labels[place], dates):
        columns.at[session] = columns.at.pop(when)
        return [
            f"{header} comes back on other days, so it is a kind of evening: {columns.header_of(session)} tells the "
            f"evening; §column=session={quote(header)} takes the other."
        ]
    columns.unused = (*columns.unused, columns.header_of(when))
    del columns.at[when]
    return []


def _block_of_sessions(columns: Columns, labels: Sequence[str], body: Sequence[tuple[int, Cells]]) -> int:
    """Return the place of the season, year or league in each of which evenings are numbered anew; -1 for none."""
    place = columns.keys.get("block", -1)
    if place < 0 or not all(label.isdecimal() for label in labels if label):
        return -1
    blocks = [fold_name(clean(cells[place])) if place < len(cells) else "" for _, cells in body]
    together = set(zip(labels, blocks, strict=True))
    return place if len(together) > len({label for label, _ in together}) else -1


def _comes_back(labels: Sequence[str], dates: Sequence[str]) -> bool:
    """Return whether half of the games are of events that pause over `MOST_DAYS_OFF` days or span over `MOST_DAYS`.

    Also if the labels only name kinds of events, or one label covers several days.
    """
    if set(labels) - {""} <= _KINDS_OF_EVENT:
        return True
    order = {day: at for at, day in enumerate(sorted(set(dates) - {""}, key=natural))}
    days_of = defaultdict[str, set[int]](set)
    for label, day in zip(labels, dates, strict=True):
        if label and day:
            days_of[label].add(_day_number(day) or order[day])
    back = {label for label, days in days_of.items() if len(days) > MOST_DAYS or _widest_gap(days) > MOST_DAYS_OFF}
    return 2 * sum(label in back for label in labels) >= len(labels) or (len(days_of) == 1 and len(order) > 1)


def _day_number(text: str) -> int | None:
    """Return the proleptic ordinal of a date, read day first unless the year is; None if not written in numbers."""
    parts = re.match(r"(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})(?!\d)", text)
    if parts is None:
        return None
    numbers = [int(part) for part in parts.groups()]
    year, month, day = numbers if len(parts[1]) == 4 else numbers[::-1]
    if month > 12:
        month, day = day, month
    try:
        return date(year + 2000 if year < 100 else year, month, day).toordinal()
    except ValueError:
        return None


def iso_day(text: str) -> str:
    """Return a day written in numbers as 2026-03-14, and any other text as it is.

    >>> iso_day("14/3/2026"), iso_day("2026-03")
    ('2026-03-14', '2026-03')
    """
    number = _day_number(text)
    return text if number is None else date.fromordinal(number).isoformat()


def _widest_gap(days: set[int]) -> int:
    """Return the most days from one day to the next."""
    return max((after - before for before, after in pairwise(sorted(days))), default=0)


# -- headers that mislead ----------------------------------------------------------------------------------------------


def _says_yes_or_no(place: int, body: Sequence[tuple[int, Cells]]) -> bool:
    """Return whether a column holds only words for yes and no; 0 and 1 are not taken for such words."""
    texts = {cells[place].strip() for _, cells in body if len(cells) > place}
    return not texts & {"0", "1"} and all(says_yes(text) is not None for text in texts) and texts != {""}


def _numbers_rows(columns: Columns, body: Sequence[tuple[int, Cells]]) -> bool:
    """Return whether column `n` numbers the rows (counting on, down, or from 1 anew) and does not count games."""
    place = columns.at.get(Role("n"), -1)
    if place < 0 or "n" not in slug(columns.header[place]).split("_"):
        return False
    texts = [cells[place].strip() for _, cells in body if len(cells) > place]
    if len(texts) < max(ENOUGH_ROWS, len(body)) or not all(text.isdecimal() and len(text) < 10 for text in texts):
        return False
    numbers = list(map(int, texts))
    runs = 1 + sum(after != before + 1 for before, after in pairwise(numbers))
    begun_anew = all(after in (before + 1, 1) for before, after in pairwise(numbers))
    falls = all(after == before - 1 for before, after in pairwise(numbers))
    return falls or (begun_anew and len(numbers) >= ENOUGH_ROWS * runs)


def _tells_no_draws(columns: Columns, body: Sequence[tuple[int, Cells]], settings: LogSettings) -> bool:
    """Return whether column `draw` holds numbers, such as tie-breaks, or mostly something other than yes and no."""
    place = columns.at.get(Role("draw"), -1)
    if place < 0:
        return False
    words = Words.of((), settings.draws)
    texts = [text for _, cells in body if len(cells) > place and (text := cells[place].strip())]
    wrong = [text for text in texts if not is_flag(text, words)]
    return 2 * len(wrong) > len(texts) or any(_NUMBER.fullmatch(text) for text in wrong)


def _counts_wins_of_n(columns: Columns, body: Sequence[tuple[int, Cells]]) -> bool:
    """Return whether column `result` counts the games won of the n in the row: whole numbers, not all 0 or 1."""
    result, n = columns.at.get(Role("result"), -1), columns.at.get(Role("n"), -1)
    if min(result, n) < 0 or (role_of(columns.header[result]) or Role("")).kind != "wins":
        return False
    texts = [cells[result].strip() for _, cells in body if len(cells) > max(result, n)]
    return all(text.isdecimal() for text in texts) and any(text not in ("0", "1") for text in texts)
