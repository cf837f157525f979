"""What the columns of a log of games mean: headers as people write them, in English or Italian.

A header says *what* it holds (a name, a player, points, games won, a cost) and of *which side*: `army_1`, `Fazione A`,
`home_wins`, `punti del vincitore`. Order, case, accents and the words between do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from balance.catalogue.schema import slug
from balance.errors import Fault, listed, nearest, unknown

__all__ = ["Columns", "Role", "find_columns", "known_words", "role_of", "side_of", "word_set"]


class Role(NamedTuple):
    """What a column holds, and of which side: `one`, `other`, `winner`, `loser`, or none for the game as a whole."""

    what: str
    side: str = ""

    def __str__(self) -> str:
        """Return the role as `--column` takes it."""
        if self.what == "name":
            return self.side or "name"
        return f"{self.what}_{self.side}" if self.side else self.what


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_SEATED = {
    "one": word_set("first primo prima home casa white bianco"),
    "other": word_set("second secondo seconda away trasferta ospite ospiti guest visitor visitors black nero"),
}
"""Words for a side that say who went first, too."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GOES_FIRST = word_set("first primo prima white bianco")
_SIDES = {
    "one": word_set("1 one uno a i me my mine io mio mia attacker attaccante") | _SEATED["one"],
    "other": word_set(
        "2 two other due altro altra b ii opponent opp avversario avversaria enemy nemico against contro vs versus "
        "rival rivale defender difensore"
    )
    | _SEATED["other"],
    "winner": word_set("winner winning vincitore vincitrice vincente victor"),
    "loser": word_set("loser losing perdente sconfitto defeated beaten battuto"),
}
_SIDE_OF = {word: side for side, words in _SIDES.items() for word in words}
_LITTLE = word_set("of the s by di del della dei delle da il la lo n")
_COST = word_set("cost costo price prezzo value valore")
_SIZE = word_set("army list roster esercito lista")
_COUNTED = word_set("points pts punti")
_POINTS = _COUNTED | word_set("score scores point punteggio vp pv goal goals gol reti victory vittoria runs")
_WINS = word_set("wins win won vittorie vinte vinti victories")
_PLAYER = word_set("player giocatore giocatrice user p g person persona pilot pilota commander comandante")
_NAME = _SIZE | word_set(
    "faction fazione armata deck mazzo unit unita team squadra side lato entrant name nome race razza card carta hero "
    "eroe character personaggio class classe gang warband banda force forza species specie civ clan build version "
    "versione contestant sfidante fighter combattente parte"
)

_BOTH = ("player", "points", "wins", "cost")
"""What is told of both sides or not at all."""

_PHRASES: dict[Role, str] = {
    Role("name", "winner"): "vince chi_vince chi_ha_vinto ha_vinto won_by who_won vinto_da vittoria victory winner_is",
    Role("name", "loser"): "perde chi_perde chi_ha_perso ha_perso lost_by who_lost",
    Role("result"): "result results risultato esito outcome",
    Role("score"): "score punteggio share",
    Role("draw"): "draw tie patta pareggio pari drawn_game is_draw",
    Role("draws"): "draws ties pareggi patte drawn nulle pareggiate n_draws",
    Role("wins", "one"): "wins won win vittorie vinte vinta vinto n_wins",
    Role("wins", "other"): "losses lost loss sconfitte perse persa perso n_losses defeats",
    Role("n"): "n n_games games partite count n_partite numero_partite num_partite played giocate n_pairs times volte",
    Role("starts"): "starts starter started start first_mover mover moves_first goes_first went_first who_went_first "
    "who_started who_starts begins began who_begins inizia chi_inizia chi_ha_iniziato ha_iniziato iniziato comincia "
    "chi_comincia primo_turno first_turn turn_1 turno_1 first_to_move primo_a_muovere muove_per_primo va_per_primo "
    "muove_prima parte_per_primo chi_parte initiative iniziativa",
    Role("session"): "session sessione serata sera evening night event evento tournament torneo meeting meetup "
    "session_id week settimana giornata",
    Role("date"): "date data day giorno when quando played_on",
    Role("scenario"): "scenario mission missione map mappa mode modalita situation situazione terrain terreno "
    "deployment schieramento",
    Role("low"): "low minimo",
    Role("high"): "high massimo",
    Role("error"): "error errore",
    Role("advantage"): "advantage",
}
_PHRASE_OF = {phrase: role for role, phrases in _PHRASES.items() for phrase in phrases.split()}
ROLES = (
    *(Role("name", side) for side in ("one", "other", "winner", "loser")),
    *(role for role in _PHRASES if role.what not in ("name", "wins", "date", "advantage")),
    *(Role(what, side) for what in ("player", "points", "wins", "cost") for side in ("one", "other")),
)
"""What `--column` can name, as an error lists it."""


@lru_cache(maxsize=4096)
def role_of(header: str) -> Role | None:
    """Return what a header means; None for one that means nothing to us.

    >>> [str(role_of(header)) for header in ("Fazione A", "home_wins", "playerTwo", "Chi inizia?")]
    ['one', 'wins_one', 'player_other', 'starts']
    >>> role_of("weather") is None
    True
    """
    text = slug(_HUMP.sub(" ", header))
    if text in _PHRASE_OF:
        return _PHRASE_OF[text]
    words = re.findall(r"[^\W\d_]+|\d+", text)
    sides = {_SIDE_OF[word] for word in words if word in _SIDE_OF}
    what = _what([word for word in words if word not in _SIDE_OF and word not in _LITTLE])
    if len(sides) > 1 or what is None or not words:
        return None
    return Role(what, *sides)


def _what(words: Sequence[str]) -> str | None:
    """Return what words hold that name no side."""
    found = set(words)
    if found - _COST - _POINTS - _WINS - _PLAYER - _NAME:
        return None
    if found & _COST or (found & _SIZE and found & _COUNTED):
        return "cost"
    for what, known in (("points", _POINTS), ("wins", _WINS)):
        if found & known:
            return what
    return "player" if found and found <= _PLAYER else "name"


def side_of(text: str) -> str:
    """Return the side that a cell names by a word, such as `2`, `second` or `Player 2`; empty if it names none.

    >>> side_of("secondo"), side_of("Player 1"), side_of("the Elves")
    ('other', 'one', '')
    """
    role = role_of(text)
    return role.side if role is not None and role.what in ("name", "player") else ""


def is_seated(header: str, side: str) -> bool:
    """Return whether a header says of its side that it goes first, or second.

    >>> is_seated("Home team", "one"), is_seated("team_1", "one")
    (True, False)
    """
    return any(word in _SEATED[side] for word in re.findall(r"[^\W\d_]+", slug(_HUMP.sub(" ", header))))


def known_words(header: Sequence[str], told: Iterable[str]) -> set[str]:
    """Return the slugs in a header that mean something: they decide which separator a file uses."""
    return {slug(cell) for cell in header if role_of(cell)} | {slug(text) for text in told}


@dataclass
class Columns:
    """Which column of a log holds what.

    Attributes
    ----------
    header
        The headers as written.
    at
        Role -> position. Names of both sides stand under `one` and `other`, or under `winner` and `loser`.
    seated
        Whether the headers of the two names say who goes first.
    unused
        Headers that mean nothing here.
    promoted
        Whether the players are what is rated, as there is nothing else.
    """

    header: tuple[str, ...]
    at: dict[Role, int]
    seated: bool = False
    unused: tuple[str, ...] = ()
    promoted: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        """The sides whose names stand in every row."""
        return ("one", "other") if Role("name", "one") in self.at else ("winner", "loser")

    def named(self, role: Role) -> str:
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
    header: Sequence[str], told: Mapping[str, str], path: str, row: int, faults: list[Fault]
) -> Columns | None:
    """Find what each column of a log means.

    Parameters
    ----------
    header
        The headers as written.
    told
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
    >>> {str(role): place for role, place in found.at.items()}, found.seated, found.unused
    ({'one': 0, 'other': 1, 'winner': 2}, True, ('note',))
    """
    find = _Finding(tuple(header), path, row)
    left_out, fixed = _take_told(find, told)
    _take_headers(find, left_out, fixed)
    promoted = _settle(find)
    if not find.faults:
        _demand(find)
    faults += find.faults
    if find.faults:
        return None
    used = set(find.at.values())
    sides = [role for role in find.at if role.what == "name" and role.side in _SEATED]
    words = {place: text for text, place in fixed.items()}
    seated = len(sides) == 2 and all(
        is_seated(words.get(find.at[role], header[find.at[role]]), role.side) for role in sides
    )
    unused = tuple(" ".join(cell.split()) for at, cell in enumerate(header) if at not in used and cell.strip())
    return Columns(find.header, find.at, seated, unused, promoted)


def _take_told(find: _Finding, told: Mapping[str, str]) -> tuple[set[Role], dict[str, int]]:
    """Take the columns that options name; return the roles left out, and (role as written -> position)."""
    places = {slug(cell): at for at, cell in reversed(list(enumerate(find.header))) if cell.strip()}
    left_out, fixed = set[Role](), dict[str, int]()
    for text, wanted in told.items():
        role = role_of(text)
        if role is None or (role.what == "name" and not role.side):
            known = ("first", "second", *map(str, ROLES))
            find.faults.append(unknown(text, known, "is nothing that a column can hold", "--column"))
        elif not wanted.strip():
            left_out.add(role)
        elif slug(wanted) not in places:
            names = [" ".join(cell.split()) for cell in find.header if cell.strip()]
            find.faults.append(unknown(wanted, names, "is not a column of this log", "--column", field=str(role)))
        else:
            find.at[role] = fixed[text] = places[slug(wanted)]
    return left_out, fixed


def _take_headers(find: _Finding, left_out: set[Role], fixed: Mapping[str, int]) -> None:
    """Give each other column its meaning; two of the same meaning are a fault."""
    taken, told = set(fixed.values()), set(find.at)
    spare: list[tuple[int, Role]] = []
    for at, cell in enumerate(find.header):
        role = role_of(cell)
        if role is None or at in taken or role in told or role in left_out:
            continue
        if role in find.at:
            spare.append((at, role))
        else:
            find.at[role] = at
    for at, role in spare:
        if not _means_start(find, at, role):
            other = " ".join(find.header[find.at[role]].split())
            tip = f"say which of the two it is: --column {role}={other!r}"
            find.fault(f"is a second column for {role}, as {other!r} is", found=find.header[at], tip=tip)


def _means_start(find: _Finding, at: int, role: Role) -> bool:
    """Take one of two columns for the side `one`, such as `first` beside `army_1`, to say who went first, if it can."""
    if role not in (Role("name", "one"), Role("player", "one")) or Role("starts") in find.at:
        return False
    for place, kept in ((at, find.at[role]), (find.at[role], at)):
        if _goes_first(find.header[place]) and not _goes_first(find.header[kept]):
            find.at[Role("starts")], find.at[role] = place, kept
            return True
    return False


def _goes_first(header: str) -> bool:
    """Return whether a header says `first` or the like, with at most the word for a player beside it."""
    words = set(slug(_HUMP.sub(" ", header)).split("_"))
    return bool(words & _GOES_FIRST) and words <= _GOES_FIRST | _PLAYER


def _settle(find: _Finding) -> bool:
    """Settle what depends on the other columns, and drop what says nothing; return whether players are rated."""
    at = find.at
    for lone in (Role("name"), Role("player")):
        if lone in at and Role("name", "other") in at and Role("name", "one") not in at:
            at[Role("name", "one")] = at.pop(lone)
    if Role("player") in at and Role("player", "other") in at:
        at.setdefault(Role("player", "one"), at.pop(Role("player")))
    for what in ("player", "name"):
        alone = Role(what, "one") in at and Role(what, "other") not in at
        if alone and Role("starts") not in at and _goes_first(find.header[at[Role(what, "one")]]):
            at[Role("starts")] = at.pop(Role(what, "one"))
    if Role("wins", "one") in at and Role("wins", "other") not in at:
        at.setdefault(Role("result"), at.pop(Role("wins", "one")))
    if Role("date") in at:
        at.setdefault(Role("session"), at.pop(Role("date")))
    if any(_tells(at, what) for what in ("name", "result", "score", "points")):
        at.pop(Role("wins", "one"), None)  # games won within a match, which somebody else won
    promoted = _promote(at)
    sides = ("one", "other") if Role("name", "one") in at else ("winner", "loser")
    for role in list(at):
        unsaid = not role.side and role.what in ("name", *_BOTH)
        halved = role.side and role.what in _BOTH and any(Role(role.what, side) not in at for side in sides)
        foreign = role.side and role.side not in sides and role != Role("name", "winner")
        if unsaid or halved or foreign:
            del at[role]
    return promoted


def _promote(at: dict[Role, int]) -> bool:
    """Rate the players where nothing else is named on both sides."""
    for one, other in (("one", "other"), ("winner", "loser")):
        if Role("name", one) in at and Role("name", other) in at:
            return False
    for one, other in (("one", "other"), ("winner", "loser")):
        if Role("player", one) in at and Role("player", other) in at:
            for side in (one, other):
                at[Role("name", side)] = at.pop(Role("player", side))
            return True
    return False


def _demand(find: _Finding) -> None:
    """Add a fault unless two names and a result are there."""
    at = find.at
    pair = [Role("name", side) in at for side in ("one", "other")]
    beaten = Role("name", "winner") in at and Role("name", "loser") in at
    shown = f"the columns are {listed(repr(' '.join(cell.split()))[:60] for cell in find.header if cell.strip())}"
    if not all(pair) and not beaten:
        lacking = "two names" if not any(pair) else f"the name of side {'one' if pair[1] else 'other'}"
        find.fault(f"no column holds {lacking}; {shown}", tip=_tip(find, ("first", "second", "winner", "loser")))
    elif all(pair) and not any(_tells(at, what) for what in ("name", "result", "score", "points", "wins")):
        find.fault(f"no column tells who won; {shown}", tip=_tip(find, ("winner", "result", "score", "points_one")))


def _tells(at: Mapping[Role, int], what: str) -> bool:
    """Return whether columns of this kind tell who won."""
    if what == "name":
        return Role("name", "winner") in at
    if what in ("points", "wins"):
        return Role(what, "one") in at and Role(what, "other") in at
    return Role(what) in at


def _tip(find: _Finding, wanted: Sequence[str]) -> str:
    """Name a header that may be meant, or how to name one."""
    spare = [cell for at, cell in enumerate(find.header) if cell.strip() and at not in find.at.values()]
    for word in wanted:
        if (close := nearest(word, [slug(cell) for cell in spare])) is not None:
            header = next(cell for cell in spare if slug(cell) == close)
            return f"is {' '.join(header.split())!r} meant? --column {word}={close}"
    names = ", ".join(wanted[:-1]) + f" or {wanted[-1]}"
    return f"a first row names the columns, such as {names}; or say which they are: --column {wanted[0]}=HEADER"
