"""What the columns of a log of games mean: found by their headers, or named by options, with every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from balance.base.errors import Fault, comma_list, nearest, unknown
from balance.catalogue.tables.schema import slug
from balance.playtests.words.non_games import flag_kind
from balance.playtests.words.vocabulary import (
    OPPONENT,
    PAIRED_KINDS,
    RESULT_WORDS,
    ROLES,
    Role,
    goes_first,
    is_seated,
    key_of,
    role_of,
)


@dataclass
class Columns:
    """Which column of a log holds what.

    Attributes
    ----------
    header
        The headers as written.
    at
        Role -> position. Names of both sides stand under `one` and `other`, or under `winner` and `loser`.
    gives_mover
        Whether the headers of the two names say who goes first.
    unused
        Headers that mean nothing here.
    players_are_entrants
        Whether the players are what is rated, as there is nothing else.
    flags
        Position of a column that says yes where a row tells of no game -> why it is left out.
    keys
        Kind of what names a game, a round or a table, such as "round" -> position.
    """

    header: tuple[str, ...]
    at: dict[Role, int]
    gives_mover: bool = False
    unused: tuple[str, ...] = ()
    players_are_entrants: bool = False
    flags: Mapping[int, str] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)

    @property
    def sides(self) -> tuple[str, str]:
        """The sides whose names stand in every row."""
        return ("one", "other") if Role("name", "one") in self.at else ("winner", "loser")

    def header_of(self, role: Role) -> str:
        """Return the header of a role as written."""
        return " ".join(self.header[self.at[role]].split())


@dataclass
class _Finding:
    """Headers on the way to their meaning, and what is wrong with them."""

    header: tuple[str, ...]
    path: str
    row: int
    at: dict[Role, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, message: str, name: str = "header", found: str | None = None, tip: str = "") -> None:
        self.faults.append(Fault(message, self.path, self.row, name, found, tip=tip))


def find_columns(
    header: Sequence[str], header_by_role: Mapping[str, str], path: str, row: int, faults: list[Fault]
) -> Columns | None:
    """Find what each column of a log means.

    Parameters
    ----------
    header
        The headers as written.
    header_by_role
        Role, as any header of it may be written -> header; an empty header leaves that role out.
    path, row
        Where the header stands.
    faults
        Grows by everything wrong.

    Returns
    -------
    Columns or None
        None if two names and a result are not found.

    Examples
    --------
    >>> found = find_columns(["Primo", "Secondo", "Vince", "note"], {}, "log.csv", 1, [])
    >>> {str(role): place for role, place in found.at.items()}, found.gives_mover, found.unused
    ({'one': 0, 'other': 1, 'winner': 2}, True, ('note',))
    """
    find = _Finding(tuple(header), path, row)
    left_out, fixed = _take_options(find, header_by_role)
    _take_headers(find, left_out, fixed)
    rates_players = _settle(find)
    if not find.faults:
        _demand(find)
    faults += find.faults
    if find.faults:
        return None
    used_places = set(find.at.values())
    sides = [role for role in find.at if role.kind == "name" and role.side in ("one", "other")]
    words = {place: text for text, place in fixed.items()}
    is_seating = len(sides) == 2 and all(
        is_seated(words.get(find.at[role], header[find.at[role]]), role.side) for role in sides
    )
    spare = {at: cell for at, cell in enumerate(header) if at not in used_places and cell.strip()}
    flags = {at: kind for at, cell in spare.items() if (kind := flag_kind(cell))}
    keys = {kind: at for at, cell in reversed(spare.items()) if (kind := key_of(cell))}
    unused = tuple(" ".join(cell.split()) for at, cell in spare.items() if at not in flags)
    return Columns(find.header, find.at, is_seating, unused, rates_players, flags, keys)


def _take_options(find: _Finding, header_by_role: Mapping[str, str]) -> tuple[set[Role], dict[str, int]]:
    """Take the columns that options name; return the roles left out, and (role as written -> position)."""
    places = {slug(cell): at for at, cell in reversed(list(enumerate(find.header))) if cell.strip()}
    left_out, fixed = set[Role](), dict[str, int]()
    for text, header_text in header_by_role.items():
        role = role_of(text)
        if role is None or (role.kind == "name" and not role.side):
            role_words = ("first", "second", *map(str, ROLES))
            find.faults.append(unknown(text, role_words, "is nothing that a column can hold", "--column"))
        elif not header_text.strip():
            left_out.add(role)
        elif slug(header_text) not in places:
            names = [" ".join(cell.split()) for cell in find.header if cell.strip()]
            find.faults.append(unknown(header_text, names, "is not a column of this log", "--column", field=str(role)))
        else:
            find.at[role] = fixed[text] = places[slug(header_text)]
    return left_out, fixed


def _take_headers(find: _Finding, left_out: set[Role], fixed: Mapping[str, int]) -> None:
    """Give each other column its meaning; two of the same meaning are a fault."""
    taken_places, fixed_roles = set(fixed.values()), set(find.at)
    spare: list[tuple[int, Role]] = []
    for at, cell in enumerate(find.header):
        role = role_of(cell)
        if role is None or at in taken_places or role in fixed_roles or role in left_out:
            continue
        if role in find.at:
            spare.append((at, role))
        else:
            find.at[role] = at
    for at, role in spare:
        if not _means_start(find, at, role) and not _means_player(find, at, role):
            earlier_header = " ".join(find.header[find.at[role]].split())
            tip = f"say which of the two it is: --column {role}={earlier_header!r}"
            find.fault(f"is a second column for {role}, as {earlier_header!r} is", found=find.header[at], tip=tip)


def _means_start(find: _Finding, at: int, role: Role) -> bool:
    """Take one of two columns for the side `one`, such as `first` beside `army_1`, to say who went first, if it can."""
    if role not in (Role("name", "one"), Role("player", "one")) or Role("starts") in find.at:
        return False
    for place, name_place in ((at, find.at[role]), (find.at[role], at)):
        if goes_first(find.header[place]) and not goes_first(find.header[name_place]):
            find.at[Role("starts")], find.at[role] = place, name_place
            return True
    return False


def _means_player(find: _Finding, at: int, role: Role) -> bool:
    """Take a bare header beside one with `faction` for the player: `opponent`, or both `winner` and `loser`."""
    counts = Counter(role_of(cell) for cell in find.header)
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
    """Settle what depends on the other columns, and drop what says nothing; return whether players are rated."""
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
    if Role("date") in at:
        at.setdefault(Role("session"), at.pop(Role("date")))
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
    """Rate the players where nothing else is named on both sides."""
    for first_side, second_side in (("one", "other"), ("winner", "loser")):
        if Role("name", first_side) in at and Role("name", second_side) in at:
            return False
    for first_side, second_side in (("one", "other"), ("winner", "loser")):
        if Role("player", first_side) in at and Role("player", second_side) in at:
            for side in (first_side, second_side):
                at[Role("name", side)] = at.pop(Role("player", side))
            return True
    return False


def _demand(find: _Finding) -> None:
    """Add a fault unless two names and a result are there."""
    at = find.at
    pair = [Role("name", side) in at for side in ("one", "other")]
    has_winner_and_loser = Role("name", "winner") in at and Role("name", "loser") in at
    columns_text = (
        f"the columns are {comma_list(repr(' '.join(cell.split()))[:60] for cell in find.header if cell.strip())}"
    )
    if not all(pair) and not has_winner_and_loser:
        missing_text = "two names" if not any(pair) else f"the name of side {'one' if pair[1] else 'other'}"
        find.fault(
            f"no column holds {missing_text}; {columns_text}", tip=_tip(find, ("first", "second", "winner", "loser"))
        )
    elif all(pair) and not any(_tells(at, kind) for kind in ("name", "result", "score", "points", "wins")):
        find.fault(
            f"no column tells who won; {columns_text}", tip=_tip(find, ("winner", "result", "score", "points_one"))
        )


def _tells(at: Mapping[Role, int], kind: str) -> bool:
    """Return whether columns of this kind tell who won."""
    if kind == "name":
        return Role("name", "winner") in at
    return Role(kind) in at or (Role(kind, "one") in at and Role(kind, "other") in at)


def _tip(find: _Finding, role_words: Sequence[str]) -> str:
    """Name a header that may be meant, or how to name one."""
    spare = [cell for at, cell in enumerate(find.header) if cell.strip() and at not in find.at.values()]
    for word in role_words:
        if (close := nearest(word, [slug(cell) for cell in spare])) is not None:
            header = next(cell for cell in spare if slug(cell) == close)
            return f"is {' '.join(header.split())!r} meant? --column {word}={close}"
    names = ", ".join(role_words[:-1]) + f" or {role_words[-1]}"
    return f"a first row names the columns, such as {names}; or say which they are: --column {role_words[0]}=HEADER"
