"""What the columns of a log of games mean: found by their headers, or named by options, with every fault at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from shlex import quote

from balance.base.errors import Fault, comma_list, unknown
from balance.base.text import slug
from balance.playtests.words.members import roles_of
from balance.playtests.words.non_games import flag_kind
from balance.playtests.words.vocabulary import (
    KEYS,
    OPPONENT,
    PAIRED_KINDS,
    RESULT_WORDS,
    ROLES,
    SIDE_OF,
    Role,
    goes_first,
    is_seated,
    key_of,
    label_places,
    role_named,
    word_set,
)

_CONTEXT = ("session", "date", "scenario", "status")
"""What decides no game, so that the first of several columns is taken and the others are told."""
_MEANING = {"name": "name", "n": "number of games", "wins": "games won", "starts": "column of who went first"}
"""A kind of column -> how a question calls it, where its kind is no word of the field."""
_WHOSE = {"": "", "one": " of the first side", "other": " of the second side"}

_PARTNER_OF = {"1": "2", "2": "1", "a": "b", "b": "a"}
_PARTNER_OF |= {"blue": "red", "red": "blue", "blu": "rosso", "rosso": "blu"}
_PARTNERS = re.compile(
    r"(?<![a-z0-9])(?:blue|red|blu|rosso)(?![a-z0-9])|(?<![a-z0-9])[ab](?![a-z0-9])|(?<![0-9])[12](?![0-9])|(?<=[a-z])[ab]$"
)
"""What tells the two columns of a pair apart."""
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
SLIP = 0.7
"""How alike a header must be to a usual one to be taken for a slip of the pen."""
_WORD = re.compile(r"[^\W\d_]{3}")
_RESULTS = word_set("win won loss lost draw drawn tie patta pareggio vittoria sconfitta vinta persa home away")
"""Words of a game that may be taken for headers."""


@dataclass
class Columns:
    """Which column of a log holds what.

    * `at`: role -> position. Names of both sides stand under `one` and `other`, or under `winner` and `loser`.
    * `gives_mover`: whether the headers of the two names say who goes first.
    * `unused`: headers that mean nothing here.
    * `players_are_entrants`: whether the players are what is rated, as there is nothing else.
    * `flags`: position of a column that says yes where a row tells of no game -> why it is left out.
    * `keys`: kind of what names a game, a round or a table, such as "round" -> position.
    * `others`: role -> positions of further columns that might hold it; the first one was taken.
    * `session_block`: position of what the names of sessions begin anew in, such as the year of a week; -1 where they
      do not.
    * `further_names`: positions of both sides' further names, by which a winner may be told, too.
    """

    header: tuple[str, ...]
    at: dict[Role, int]
    gives_mover: bool = False
    unused: tuple[str, ...] = ()
    players_are_entrants: bool = False
    flags: Mapping[int, str] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[Role, Sequence[int]] = field(default_factory=dict)
    further_names: Sequence[tuple[int, int]] = ()
    session_block: int = -1

    @property
    def sides(self) -> tuple[str, str]:
        """("one", "other"), or ("winner", "loser") where the columns name these."""
        return ("one", "other") if Role("name", "one") in self.at else ("winner", "loser")

    @property
    def labels(self) -> dict[str, int]:
        """Label of a game, such as "map" -> position, unless the column says whom or how a game decides."""
        taken_places = {at for role, at in self.at.items() if role.kind not in _CONTEXT}
        return {label: at for label, at in label_places(self.header).items() if at not in taken_places}

    def header_of(self, role: Role) -> str:
        """Return the header of a role as written, blanks collapsed; raises `KeyError` if no column has the role."""
        return " ".join(self.header[self.at[role]].split())


@dataclass
class _Finding:
    """Headers on the way to their roles; `at` and `others` are as in `Columns`, `asked` the questions put already."""

    header: tuple[str, ...]
    path: str
    row: int
    at: dict[Role, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    others: dict[Role, list[int]] = field(default_factory=dict)
    asked: list[set[frozenset[str]]] = field(default_factory=list)

    @cached_property
    def roles(self) -> list[Role | None]:
        """The role of each header by itself and its neighbours, before options and cells are looked at."""
        return roles_of(self.header)

    def header_at(self, at: int) -> str:
        return " ".join(self.header[at].split())

    def fault(self, message: str, name: str = "header", found: str | None = None, tip: str = "") -> None:
        self.faults.append(Fault(message, self.path, self.row, name, found, tip=tip))


def find_columns(
    header: Sequence[str],
    header_by_role: Mapping[str, str],
    path: str,
    row: int,
    faults: list[Fault],
    body: Sequence[tuple[int, Sequence[str]]] = (),
) -> Columns | None:
    """Find the role of each column of a log; None, with `faults` added, without two names or a result.

    `header_by_role` maps a role, written as any header of it, to a header; an empty header leaves the role out. `path`
    and `row` are where the header stands, and `body` the rows below with their numbers, for tips on which columns are
    meant.

    >>> found = find_columns(["Primo", "Secondo", "Vince", "note"], {}, "log.csv", 1, [])
    >>> {str(role): place for role, place in found.at.items()}, found.gives_mover, found.unused
    ({'one': 0, 'other': 1, 'winner': 2}, True, ('note',))
    """
    find = _Finding(tuple(header), path, row)
    left_out, fixed = _take_options(find, header_by_role)
    _take_headers(find, left_out, fixed)
    rates_players = _settle(find)
    if not find.faults:
        _demand(find, [cells for _, cells in body])
    faults += find.faults
    if find.faults:
        return None
    used_places = set(find.at.values())
    sides = [role for role in find.at if role.kind == "name" and role.side in ("one", "other")]
    is_seating = len(sides) == 2 and all(is_seated(header[find.at[role]], role.side) for role in sides)
    spare = {at: cell for at, cell in enumerate(header) if at not in used_places and cell.strip()}
    flags = {at: kind for at, cell in spare.items() if (kind := flag_kind(cell))}
    keys = {kind: at for at, cell in reversed(spare.items()) if (kind := key_of(cell))}
    keys |= {role.kind: find.at.pop(role) for role in list(find.at) if role.kind in KEYS}
    unused = tuple(find.header_at(at) for at in spare if at not in flags)
    names = _further_names(find, spare)
    return Columns(find.header, find.at, is_seating, unused, rates_players, flags, keys, find.others, names)


def _further_names(find: _Finding, spare: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return pairs of columns that name both sides and are not rated, such as teams beside armies."""
    one, other = ([at for at in spare if find.roles[at] == Role("name", side)] for side in ("one", "other"))
    stems = {_stem(find.header[at]): at for at in other}
    return [(at, stems[stem]) for at in one if (stem := _stem(find.header[at])) in stems]


def roles_with_options(header: Sequence[str], header_by_role: Mapping[str, str]) -> list[Role | None]:
    """Return the role of each header; `header_by_role` is as in `find_columns`.

    >>> [str(role) for role in roles_with_options(["team", "army", "vp"], {"name": "army", "points_one": "vp"})]
    ['None', 'name', 'points_one']
    """
    find = _Finding(tuple(header), "", 0)
    left_out, _ = _take_options(find, header_by_role)
    said = {at: role for role, at in find.at.items()}
    taken = {*left_out, *said.values()}
    return [said.get(at, None if role in taken else role) for at, role in enumerate(find.roles)]


def _take_options(find: _Finding, header_by_role: Mapping[str, str]) -> tuple[set[Role], dict[str, int]]:
    """Assign the columns that options name; return the roles left out, and role as written -> position."""
    places = {slug(cell): at for at, cell in reversed(list(enumerate(find.header))) if cell.strip()}
    left_out, fixed = set[Role](), dict[str, int]()
    for text, header_text in header_by_role.items():
        role = role_named(text)
        if role is None:
            find.faults.append(unknown(text, map(str, ROLES), "is nothing that a column can hold", "§column"))
        elif not header_text.strip():
            left_out.add(role)
        elif slug(header_text) not in places:
            names = [" ".join(cell.split()) for cell in find.header if cell.strip()]
            find.faults.append(unknown(header_text, names, "is not a column of this log", "§column", field=str(role)))
        else:
            place = places[slug(header_text)]
            says_start = goes_first(text) and goes_first(find.header[place]) and find.roles.count(role) > 1
            find.at[Role("starts") if says_start else role] = fixed[text] = place
    return left_out, fixed


def _take_headers(find: _Finding, left_out: set[Role], fixed: Mapping[str, int]) -> None:
    """Assign roles to the columns that options do not name; two columns for a decisive role are a fault."""
    taken_places, fixed_roles = set(fixed.values()), set(find.at)
    spare: dict[Role, list[int]] = {}
    for at, role in enumerate(find.roles):
        if role is None or role.member or at in taken_places or role in left_out:
            continue
        if role in fixed_roles:
            _ = Role("starts") in left_out or _means_start(find, at, role)
        elif role in find.at:
            spare.setdefault(role, []).append(at)
        else:
            find.at[role] = at
    for role, places in spare.items():
        rest = [at for at in places if not _means_start(find, at, role) and not _means_player(find, at, role)]
        if rest and _decides_nothing(find, role):
            find.others[role] = rest
        elif rest and role.kind == "points" and {Role("name", "winner"), Role("result")} & set(find.at):
            del find.at[role]
        elif rest and not _like_its_sibling(find, role, [find.at[role], *rest], fixed):
            _ask_which(find, role, [find.at[role], *rest])


def _decides_nothing(find: _Finding, role: Role) -> bool:
    """Return whether a role is mere context, such as the session, so that the first of two columns will do."""
    has_names = any(other.kind == "name" and other.side for other in find.at)
    return role.kind in _CONTEXT or (role.kind == "player" and has_names)


def _like_its_sibling(find: _Finding, role: Role, places: Sequence[int], fixed: Mapping[str, int]) -> bool:
    """Assign, of several columns for a side, the one headed like the column that an option names for the other side."""
    siblings = [
        (header_role, at)
        for at, header_role in enumerate(find.roles)
        if header_role is not None and header_role.kind == role.kind and at in fixed.values()
    ]
    stems = {_stem(find.header[at]) for header_role, at in siblings if header_role.side != role.side}
    alike = [at for at in places if _stem(find.header[at]) in stems]
    if len(alike) != 1:
        return False
    find.at[role] = alike[0]
    return True


def _stem(header: str) -> frozenset[str]:
    """Return the words and numbers of a header but for those that name a side."""
    return frozenset(word for word in re.findall(r"[^\W\d_]+|\d+", slug(header)) if word not in SIDE_OF)


def _ask_which(find: _Finding, role: Role, places: Sequence[int]) -> None:
    """Add a fault with a tip for each of several columns that may hold a role.

    It is asked once for both sides: the answer for one settles the other, whose header is alike.
    """
    headers = [find.header_at(at) for at in places]
    stems = {_stem(header) for header in headers}
    if stems in find.asked and len(stems) == len(headers):
        return
    find.asked.append(stems)
    choices = " or ".join(f"§column={role}={quote(header)}" for header in headers)
    both = "both" if len(headers) == 2 else "all"
    meaning = f"{_MEANING.get(role.kind, role.kind)}{_WHOSE.get(role.side, f' of the {role.side}')}"
    message = f"{' and '.join(map(repr, headers))} may {both} be the {meaning}"
    find.fault(message, tip=f"say which it is: {choices}")


def _means_start(find: _Finding, at: int, role: Role) -> bool:
    """Assign `starts` to one of two columns of side `one` if its header says so, such as `first` beside `army_1`."""
    if role not in (Role("name", "one"), Role("player", "one")) or Role("starts") in find.at:
        return False
    free = set(range(len(find.header))) - set(find.at.values())
    if any(find.roles[place] == Role(role.kind, "other") and is_seated(find.header[place], "other") for place in free):
        return False  # `first` and `second` beside other names are two names, too
    for place, name_place in ((at, find.at[role]), (find.at[role], at)):
        if goes_first(find.header[place]) and not goes_first(find.header[name_place]):
            find.at[Role("starts")], find.at[role] = place, name_place
            return True
    return False


def _means_player(find: _Finding, at: int, role: Role) -> bool:
    """Assign the player to a bare header, such as `opponent`, beside one of the same side with `faction`."""
    counts = Counter(find.roles)
    has_pairs = counts[Role("name", "winner")] > 1 and counts[Role("name", "loser")] > 1
    if role == Role("name", "other"):
        bare_words, is_player = OPPONENT, Role("player") in counts or Role("player", "one") in counts
    else:
        bare_words, is_player = RESULT_WORDS, role.kind == "name" and role.side in ("winner", "loser") and has_pairs
    bare = [place for place in (at, find.at[role]) if not set(slug(find.header[place]).split("_")) - bare_words]
    player = Role("player", role.side)
    if not is_player or len(bare) != 1 or player in find.at:
        return False
    find.at[role] = at if bare[0] != at else find.at[role]
    find.at[player] = bare[0]
    return True


def _settle(find: _Finding) -> bool:
    """Settle roles that depend on other columns, drop those of no use, and return whether the players are rated."""
    at = find.at
    for lone in (Role("name"), Role("player")):
        if lone in at and Role("name", "other") in at and Role("name", "one") not in at:
            at[Role("name", "one")] = at.pop(lone)
    if Role("points", "other") in at and Role("points", "one") not in at and Role("score") in at:
        at[Role("points", "one")] = at.pop(Role("score"))
    for kind in PAIRED_KINDS:
        if Role(kind) in at and Role(kind, "other") in at:
            at.setdefault(Role(kind, "one"), at.pop(Role(kind)))
    for kind in ("player", "name"):
        alone = Role(kind, "one") in at and Role(kind, "other") not in at
        if alone and Role("starts") not in at and goes_first(find.header[at[Role(kind, "one")]]):
            at[Role("starts")] = at.pop(Role(kind, "one"))
    if Role("wins", "one") in at and Role("wins", "other") not in at:
        at.setdefault(Role("result"), at.pop(Role("wins", "one")))
    if Role("date") in at and Role("session") not in at:
        at[Role("session")] = at.pop(Role("date"))
        find.others[Role("session")] = find.others.pop(Role("date"), [])
    if Role("result", "one") in at and Role("result", "other") not in at:
        at.setdefault(Role("result"), at.pop(Role("result", "one")))
    if any(_tells(at, kind) for kind in ("name", "result", "score", "points")):
        at.pop(Role("wins", "one"), None)  # games won within a match, which somebody else won
    rates_players = _promote(at)
    sides = ("one", "other") if Role("name", "one") in at else ("winner", "loser")
    for role in list(at):
        lacks_side = not role.side and role.kind in ("name", *PAIRED_KINDS) and role.kind != "result"
        lacks_partner = (
            role.side and role.kind in PAIRED_KINDS and any(Role(role.kind, side) not in at for side in sides)
        )
        foreign = role.side and role.side not in sides and role != Role("name", "winner")
        if lacks_side or lacks_partner or foreign:
            del at[role]
    return rates_players


def _promote(at: dict[Role, int]) -> bool:
    """Make players the rated names where no others stand on both sides; return whether it did."""
    for first_side, second_side in (("one", "other"), ("winner", "loser")):
        if Role("name", first_side) in at and Role("name", second_side) in at:
            return False
    for first_side, second_side in (("one", "other"), ("winner", "loser")):
        if Role("player", first_side) in at and Role("player", second_side) in at:
            for side in (first_side, second_side):
                at[Role("name", side)] = at.pop(Role("player", side))
            return True
    return False


def _demand(find: _Finding, body: Sequence[Sequence[str]]) -> None:
    """Add a fault unless both names and a result have a column."""
    at = find.at
    pair = [Role("name", side) in at for side in ("one", "other")]
    has_winner_and_loser = Role("name", "winner") in at and Role("name", "loser") in at
    columns_text = (
        f"the columns are {comma_list(repr(' '.join(cell.split()))[:60] for cell in find.header if cell.strip())}"
    )
    tells = any(_tells(at, kind) for kind in ("name", "result", "score", "points", "wins"))
    if has_winner_and_loser or (all(pair) and tells):
        return
    if _is_a_game(find, body):
        message = f"the first row looks like a game, not like the names of columns: {columns_text}"
        find.fault(message, tip="put a row above it that names them, such as army 1, army 2, winner")
        return
    names = "two names" if not any(pair) else f"the name of side {'one' if pair[1] else 'other'}"
    lacks = [*([] if all(pair) else [f"holds {names}"]), *([] if tells else ["tells who won"])]
    roles = [*([] if pair[0] else ["one"]), *([] if pair[1] else ["other"]), *([] if tells else ["winner"])]
    find.fault(f"no column {' and none '.join(lacks)}; {columns_text}", tip=_tip(find, roles, body))


def _is_a_game(find: _Finding, body: Sequence[Sequence[str]]) -> bool:
    """Return whether the header looks like a row of games: most of its cells occur in the rows below."""
    words = [cell for cell, role in zip(find.header, find.roles, strict=True) if role is not None]
    if any(_WORD.search(cell) and slug(cell) not in _RESULTS for cell in words):
        return False
    texts = {slug(cell) for cells in body for cell in cells if cell.strip()}
    filled = [slug(cell) for cell in find.header if cell.strip()]
    return len(body) > 1 and 2 * sum(text in texts for text in filled) > len(filled)


def _tells(at: Mapping[Role, int], kind: str) -> bool:
    """Return whether columns of this kind tell who won; those that each side has must be there for both."""
    if kind == "name":
        return Role("name", "winner") in at
    return Role(kind) in at or (Role(kind, "one") in at and Role(kind, "other") in at)


def _tip(find: _Finding, roles: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return which spare columns may hold the missing roles, or how to name them by options."""
    spare = {at: cell for at, cell in enumerate(find.header) if cell.strip() and at not in find.at.values()}
    meant = _numbered(find, spare, roles, body)
    for role, at in _alike(spare, roles).items():
        if at not in meant.values() and not (role in ("winner", "result") and "points_one" in meant):
            meant.setdefault(role, at)
    if "winner" in roles and not {"winner", "result", "points_one"} & set(meant):
        meant |= _naming_one_of_two(find, {**{str(role): at for role, at in find.at.items()}, **meant}, spare, body)
    if meant:
        names = comma_list(repr(find.header_at(at)) for at in meant.values())
        options = " ".join(f"§column={role}={quote(find.header_at(at))}" for role, at in meant.items())
        return f"{'is' if len(meant) == 1 else 'are'} {names} meant? {options}"
    options = " ".join(f"§column={role}=HEADER" for role in roles)
    return f"a first row names the columns, such as army 1, army 2, winner; or say which they are: {options}"


def _alike(spare: Mapping[int, str], roles: Sequence[str]) -> dict[str, int]:
    """Return role -> position of spare headers that look like misspellings of usual ones."""
    meant = dict[str, int]()
    usual = {"one": ("first", "home"), "other": ("second", "opponent"), "winner": ("winner", "result", "score")}
    for role in roles:
        for word in usual[role]:
            like = get_close_matches(word, [slug(cell) for cell in spare.values()], n=1, cutoff=SLIP)
            at = next((at for at, cell in spare.items() if slug(cell) in like and at not in meant.values()), None)
            if at is not None:
                meant.setdefault("result" if word in ("result", "score") else role, at)
    return meant


def _naming_one_of_two(
    find: _Finding, at: Mapping[str, int], spare: Mapping[int, str], body: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return "winner" -> the first spare column that mostly names one of the two of its row; empty without one."""
    if "one" not in at or "other" not in at:
        return {}
    for place in sorted(set(spare) - set(at.values())):
        rows = [cells for cells in body if max(place, at["one"], at["other"]) < len(cells)]
        named = [slug(cells[place]) in {slug(cells[at[side]]) for side in ("one", "other")} for cells in rows]
        if named and 2 * sum(named) >= len(named):
            return {"winner": place}
    return {}


def _numbered(
    find: _Finding, spare: Mapping[int, str], roles: Sequence[str], body: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return role -> position of two spare columns headed alike but for 1 and 2: names if texts, points if numbers."""
    places = {slug(cell): at for at, cell in spare.items()}
    meant = dict[str, int]()
    for word, at in places.items():
        partner = _PARTNERS.sub(lambda found: _PARTNER_OF[found[0]], word, count=1)
        if partner == word or partner not in places or meant.get("one") == places[partner]:
            continue
        texts = [cells[place].strip() for cells in body for place in (at, places[partner]) if place < len(cells)]
        are_points = bool(texts) and all(_NUMBER.fullmatch(text) for text in texts if text)
        kinds = ("points_one", "points_other") if are_points else ("one", "other")
        if kinds[0] not in meant and at < places[partner] and ("winner" if are_points else "one") in roles:
            meant |= dict(zip(kinds, (at, places[partner]), strict=True))
    return meant
