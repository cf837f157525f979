"""Where those who took part in a game stand: a column for each, or one cell that lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from balance.base.text import slug
from balance.playtests.log.shapes.joining import HeadedTable
from balance.playtests.log.shapes.several import BETWEEN, Seat, Table, is_named, numbered
from balance.playtests.words.vocabulary import Role, word_set

PLURAL = word_set(
    "players factions teams names armies decks participants competitors giocatori fazioni squadre nomi eserciti "
    "mazzi partecipanti contendenti opponents avversari entrants"
)
ORDERED = word_set(
    "ranking placings placements standings finish order ordine arrivo piazzamenti podium podio classifica"
)
PARTNERS = re.compile(r"\s*[&+/]\s*|\s+(?:and|e|und)\s+", re.IGNORECASE)
_ITEMS, _MARK = re.compile(r"\s*[,;|\n]\s*"), re.compile(r"\s*(\d+)[.)°:]\s*")
_SIDES = re.compile(r"\s+(?:vs?\.?|versus|contro)\s+", re.IGNORECASE)


def tables_of_columns(shape: HeadedTable) -> tuple[list[Table], dict[str, str]] | None:
    """Return the games of a log with a column for each of three or more, and what its columns hold; None for others."""
    columns = {at: mark for at, header in enumerate(shape.header) if (mark := numbered(header))}
    kind = next((k for k in ("name", "player") if {(k, 1), (k, 2), (k, 3)} <= set(columns.values())), "")
    places = {number: at for at, (what, number) in columns.items() if what == kind}
    if not any(is_named(shape.cell(cells, at)) for n, at in places.items() if n > 2 for _, cells in shape.body):
        return None
    others = {("result" if what == "wins" else what, n): at for at, (what, n) in columns.items() if what != kind}
    about = {"name_winner": shape.at(Role("name", "winner"), Role("result")), "starts": shape.at(Role("starts"))}
    has_result = about["name_winner"] is not None or {what for what, _ in others} & {"place", "points", "result"}

    def seat(row: int, cells: Sequence[str], n: int) -> Seat:
        kinds = ("player", "place", "points", "result")
        cells_by_role = {what: shape.cell(cells, others[what, n]) for what in kinds if (what, n) in others}
        return Seat(row, shape.cell(cells, places[n]), str(n), **(cells_by_role if has_result else {"place": str(n)}))

    tables = [
        Table(
            [seat(row, cells, n) for n in places],
            *("" if at is None else shape.cell(cells, at) for at in about.values()),
        )
        for row, cells in shape.body
    ]
    used = {f"{columns[at][0]} {at}": shape.header[at] for at in columns}
    return tables, used | {what: shape.header[at] for what, at in about.items() if at is not None}


def tables_of_lists(shape: HeadedTable) -> tuple[list[Table], dict[str, str]] | None:
    """Return the games of a log that lists who took part in one cell, and what its columns hold; None for others."""
    if (tables_of_two := _winners_and_losers(shape)) is not None:
        return tables_of_two
    for at, header in enumerate(shape.header):
        texts, words = shape.column(at), set(slug(header).split("_"))
        is_ordered = any(">" in text for text in texts) or bool(
            words & ORDERED and any(len(_ITEMS.split(t)) > 2 for t in texts)
        )
        if not is_ordered and not (words & PLURAL and any(len(BETWEEN.split(text)) > 2 for text in texts)):
            continue
        result = None if is_ordered else shape.at(Role("name", "winner"), Role("result"))
        tables = [
            Table(_listed(row, shape.cell(cells, at), is_ordered), "" if result is None else shape.cell(cells, result))
            for row, cells in shape.body
        ]
        return tables, {"name": header} | ({} if result is None else {"name_winner": shape.header[result]})
    return None


def _winners_and_losers(shape: HeadedTable) -> tuple[list[Table], dict[str, str]] | None:
    """Return the games of a log with a cell for all winners and one for all losers, who are teams if several won."""
    winner, loser = (shape.at(Role("name", side), Role("player", side)) for side in ("winner", "loser"))
    if winner is None or loser is None or all(len(BETWEEN.split(text)) < 2 for text in shape.column(loser)):
        return None
    sides = [(row, [BETWEEN.split(shape.cell(cells, at)) for at in (winner, loser)]) for row, cells in shape.body]
    are_teams = any(len(won) > 1 for _, (won, _) in sides)
    fares = "win", "loss"
    tables = [
        Table(
            [
                Seat(row, name, fare if are_teams else name, result=fare)
                for fare, names in zip(fares, both, strict=True)
                for name in names
            ]
        )
        for row, both in sides
    ]
    return tables, {"name_winner": shape.header[winner], "name_loser": shape.header[loser]}


def _listed(row: int, text: str, is_ordered: bool) -> list[Seat]:
    """Return who took part by one cell: sides between `>`, `=`, `vs` or commas, partners between `&`."""
    if not is_ordered and not _SIDES.search(text):
        return [Seat(row, name, name) for name in BETWEEN.split(text)]
    seats, place = list[Seat](), 1
    groups = re.split(r"\s*>\s*", text) if ">" in text else (_ITEMS if is_ordered else _SIDES).split(text)
    for group in groups:
        tied = re.split(r"\s*=\s*", group)
        for side in tied:
            mark = _MARK.match(side)
            seats += [
                Seat(row, name, f"{len(seats)} {side}", place=(mark[1] if mark else str(place)) * is_ordered)
                for name in PARTNERS.split(side[mark.end() :] if mark else side)
            ]
        place += len(tied)
    return seats
