"""Sides of several: the columns of their names joined, and the names in one cell taken apart where partners change."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, product

from balance.base.limits import MOST_LOG_ROWS
from balance.catalogue.tables.columns import RawTable
from balance.playtests.contests import Contests, Side
from balance.playtests.games import Games
from balance.playtests.log.shapes.joining import HeadedTable
from balance.playtests.log.shapes.seats import PARTNERS
from balance.playtests.log.shapes.several import BETWEEN, is_named
from balance.playtests.words.members import NUMBERS, tokens_of
from balance.playtests.words.results import fold_name
from balance.playtests.words.vocabulary import SIDE_OF, Role, word_set

JOINED = "one row per game; several columns name a side"
TEAM = word_set("team teams squadra squadre pair pairs coppia coppie duo side player players giocatore giocatori")
_IN_WORDS = re.compile(r"\s*[&/]\s*|\s+(?:\+|and|e|und)\s+", re.IGNORECASE)
"""Between partners in a cell that somebody wrote: a plus without blanks is part of a name, such as trooper+rifle."""
_STRANGER = re.compile(r"(.+?) ?(?:[1-4]|[a-d])")


def joined_teams(shape: HeadedTable) -> tuple[RawTable, dict[str, str]] | None:
    """Return a table with the names of each of two sides in one cell, such as `Ann & Ben`, and what its columns hold.

    None unless both sides have columns for several, and some row names a second.
    """
    sides = _columns_by_side(shape)
    if not any(is_named(shape.cell(cells, at)) for _, places in sides for at in places[1:] for _, cells in shape.body):
        return None
    second = {at for _, places in sides for at in places[1:]}
    words = {
        places[0]: f"side {number}" for number, (_, places) in enumerate(sides, 1) if shape.roles[places[0]] is None
    }
    header = tuple("" if at in second else words.get(at, text) for at, text in enumerate(shape.header))
    results = [at for at, role in enumerate(shape.roles) if role in (Role("name", "winner"), Role("result"))]
    rows = []
    for row, cells in shape.body:
        new = [*cells, *[""] * (len(header) - len(cells))]
        for _, places in sides:
            names = [text for at in places if is_named(text := shape.cell(cells, at))]
            new[places[0]] = " & ".join(sorted(names, key=fold_name)) or new[places[0]]
            stem = tokens_of(shape.header[places[0]])[:-1] if places[0] in words else []
            for at in results:
                won = set(map(fold_name, BETWEEN.split(shape.cell(cells, at))))
                if won <= set(stem) or won <= set(map(fold_name, names)):
                    new[at] = new[places[0]]
        rows.append((row, tuple(new)))
    paired = {
        str(role): shape.header[at]
        for at, role in enumerate(shape.roles)
        if role and role.side and not role.member and at not in chain(*(places for _, places in sides))
    }
    columns = paired | {side: header[places[0]] for side, places in sides}
    return replace(shape.table, rows=((shape.row, header), *rows)), columns


def _columns_by_side(shape: HeadedTable) -> list[tuple[str, list[int]]]:
    """Return the two sides, as options name them, each with the columns of its names; nothing for one name a side."""
    members = defaultdict[Role, list[tuple[int, int]]](list)
    for at, role in enumerate(shape.roles):
        if role is not None and role.kind in ("name", "player") and role.side:
            members[Role(role.kind, role.side)].append((role.member, at))
    for kind, pair in product(("name", "player"), (("one", "other"), ("winner", "loser"))):
        both = [(str(Role(kind, side)), sorted(members.get(Role(kind, side), ()))) for side in pair]
        if all(columns for _, columns in both) and any(member for _, columns in both for member, _ in columns):
            return [(side, [at for _, at in columns]) for side, columns in both]
    allies = members.get(Role("player", "one"), []) + members.get(Role("player", "other"), [])
    if len(allies) > 1 and any(member for member, _ in members.get(Role("name", "other"), ())):  # player_2, opponent_2
        return [
            (side, [at for _, at in columns])
            for side, columns in (("one", allies), ("other", members[Role("name", "other")]))
        ]
    strangers = defaultdict[str, list[int]](list)
    for at, header in enumerate(shape.header):
        if shape.roles[at] is None and (parts := _STRANGER.fullmatch(" ".join(tokens_of(header)))):
            strangers[parts[1]].append(at)
    full = {at for at in chain(*strangers.values()) if (texts := shape.column(at)) and all(map(is_named, texts))}
    sides = [places for places in strangers.values() if len(places) > 1 and full.issuperset(places)]
    named = shape.at(Role("player", "one"), Role("player", "other"), Role("player"), Role("name"))
    return [("one", sides[0]), ("other", sides[1])] if len(sides) == 2 and named is None else []


def teams_of(games: Games, columns: Mapping[str, str], is_joined: bool) -> Contests | None:
    """Return the games of sides that name partners, such as `Ann & Ben`, if somebody changes partners; else None.

    Cells are taken apart under headers for teams or players, or where they were joined from several columns.
    """
    if not is_joined and not any(TEAM & set(tokens_of(header)) for header in _headers_of_names(columns)):
        return None
    if games.players is not None:  # what is rated is played by people, so that it is none
        return None
    way = PARTNERS if is_joined else _IN_WORDS
    partners = [tuple(filter(None, way.split(name))) for name in games.names]
    several = Counter(chain(*(set(names) for names in partners if len(names) > 1)))
    if not games.whole or games.n_games > MOST_LOG_ROWS or max(several.values(), default=0) < 2:
        return None
    columns_of_games = games.side_a, games.side_b, games.score, games.mover, games.count.astype(int)
    return Contests.of(
        [
            [Side(partners[a], 1 + (score == 0), mover > 0), Side(partners[b], 1 + (score == 1), mover < 0)]
            for a, b, score, mover, count in zip(*(column.tolist() for column in columns_of_games), strict=True)
            for _ in range(count)
        ]
    )


def are_people(columns: Mapping[str, str]) -> bool:
    """Return whether the headers of the names, such as `home 1` or `team`, name nothing but who plays."""
    words = {token for header in _headers_of_names(columns) for token in tokens_of(header)}
    return words - SIDE_OF.keys() - NUMBERS.keys() <= TEAM


def _headers_of_names(columns: Mapping[str, str]) -> list[str]:
    return [columns.get(side, "") for side in ("one", "other", "winner", "loser")]
