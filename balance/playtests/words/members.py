"""The roles of all headers of a log, read together: several names of one side are told from the names of two sides.

`home1`, `home2`, `away1`, `away2` are two sides of two; `player_1`, `player_2` are two sides of one. So a header that
names a side and a number, such as `Winner 2` or `Team 1 Player 2`, is a further name of its side where others bear it
out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from balance.base.text import slug
from balance.playtests.words.vocabulary import HUMP, SIDE_OF, Role, role_of, word_set

NUMBERS = {"1": 1, "one": 1, "uno": 1, "a": 1, "i": 1, "first": 1, "primo": 1, "prima": 1, "1st": 1}
NUMBERS |= {"2": 2, "two": 2, "due": 2, "b": 2, "ii": 2, "second": 2, "secondo": 2, "seconda": 2, "2nd": 2}
NUMBERS |= {"3": 3, "three": 3, "tre": 3, "c": 3, "iii": 3, "third": 3, "3rd": 3, "terzo": 3, "terza": 3}
NUMBERS |= {"4": 4, "four": 4, "quattro": 4, "d": 4, "iv": 4, "fourth": 4, "4th": 4, "quarto": 4, "quarta": 4}
NUMBERS |= {"5": 5, "6": 6, "7": 7, "8": 8, "e": 5, "f": 6, "v": 5}
"""Numbers as headers write them."""
_PARTNER = word_set(
    "partner partners teammate teammates mate ally allies allied alleato alleata alleati compagno compagna socio helper"
)
_TEAM = word_set("team side squadra lato t s coppia pair couple duo")
_ENTRANTS = ("name", "player")


@dataclass(frozen=True)
class _Mark:
    """The side and the number of a member on it that one header tells, such as `home2`.

    `by_word` is whether a word such as `home` names the side, and not a number or a letter.
    """

    kind: str
    side: str
    member: int
    by_word: bool


def roles_of(headers: Sequence[str]) -> list[Role | None]:
    """Return the role of each header among the others, so that `home2` is a second member; None for an unknown one.

    >>> [str(role) for role in roles_of(["home1", "home2", "away1", "away2", "score_home"])]
    ['one', 'one (member 2)', 'other', 'other (member 2)', 'points_one']
    >>> [str(role) for role in roles_of(["player_1", "player_2", "winner"])]
    ['player_one', 'player_other', 'winner']
    """
    roles = [role_of(header) for header in headers]
    marks = {at: mark for at, header in enumerate(headers) if (mark := _mark_of(header)) is not None}
    for by_word in (True, False):
        group = {at: mark for at, mark in marks.items() if mark.by_word == by_word}
        if _are_sides_of_several(group, headers, roles):
            for at, mark in group.items():
                roles[at] = _role_among(mark, headers, roles, group)
            continue
        for at, mark in group.items():
            if roles[at] is None and by_word:
                roles[at] = Role(mark.kind, mark.side)
    for at, header in enumerate(headers):
        if (side := _side_of_partner(header)) and (kind := _named_kind(roles, side)):
            roles[at] = Role(kind, side, 2)
    return roles


def tokens_of(header: str) -> list[str]:
    """Return the words and numbers of a header, ordinals such as `1st` whole."""
    return re.findall(r"\d+(?:st|nd|rd|th)|[^\W\d_]+|\d+", slug(HUMP.sub(" ", header)))


def _mark_of(header: str) -> _Mark | None:
    """Return the side and member number in a header; None unless it has both."""
    tokens = tokens_of(header)
    if not any(token.isalpha() for token in tokens):
        return None
    numbers = [at for at, token in enumerate(tokens) if token in NUMBERS]
    words = [at for at, token in enumerate(tokens) if token in SIDE_OF and token not in NUMBERS]
    if len(words) == 1 and len(numbers) == 1:
        side_at, member_at, by_word = words[0], numbers[0], True
        side = SIDE_OF[tokens[side_at]]
    elif not words and len(numbers) == 2:
        by_word, (side_at, member_at) = False, numbers
        if _beside_team(tokens, member_at) and not _beside_team(tokens, side_at):
            side_at, member_at = member_at, side_at
        side = {1: "one", 2: "other"}.get(NUMBERS[tokens[side_at]], "")
    else:
        return None
    rest = [token for at, token in enumerate(tokens) if at not in (side_at, member_at)]
    role = role_of(" ".join(["player" if token == "p" else token for token in rest if token not in _TEAM] or ["name"]))
    if not side or role is None or role.side or role.kind not in (*_ENTRANTS, "points", "score", "cost", "result"):
        return None
    kind = "points" if role.kind == "score" else role.kind
    return _Mark(kind, side, NUMBERS[tokens[member_at]], by_word)


def _beside_team(tokens: Sequence[str], at: int) -> bool:
    return at > 0 and tokens[at - 1] in _TEAM


def _are_sides_of_several(group: Mapping[int, _Mark], headers: Sequence[str], roles: Sequence[Role | None]) -> bool:
    """Return whether marks give a side several members while the other side is there too."""
    members: dict[str, set[int]] = {}
    for mark in group.values():
        if mark.kind in _ENTRANTS:
            members.setdefault(mark.side, set()).add(mark.member)
    bare = {
        role.side
        for at, role in enumerate(roles)
        if role is not None and role.kind in _ENTRANTS and at not in group and _by_word(headers[at]) == _is_word(group)
    }
    if set(members) == {"other"} and Role("player", "one") in roles:
        bare.add("one")  # player_1, player_2 against opponent_1, opponent_2
    sides = [side for side, numbers in members.items() if len(numbers) > 1 or (side in bare and numbers != {1})]
    present = {*members, *bare}
    pairs = ({"one", "other"}, {"winner", "loser"})
    return any(pair <= present and side in pair for pair in pairs for side in sides)


def _is_word(group: Mapping[int, _Mark]) -> bool:
    return any(mark.by_word for mark in group.values())


def _by_word(header: str) -> bool:
    """Return whether a word such as `home` names the side of a header."""
    return any(token in SIDE_OF and token not in NUMBERS for token in tokens_of(header))


def _role_among(
    mark: _Mark, headers: Sequence[str], roles: Sequence[Role | None], group: Mapping[int, _Mark]
) -> Role | None:
    """Return the role of a marked header: the lowest number of a side stands for it, the others are further members."""
    own = Role(mark.kind, mark.side)
    has_bare = any(role == own for at, role in enumerate(roles) if at not in group and headers[at].strip())
    first = min(other.member for other in group.values() if (other.kind, other.side) == (mark.kind, mark.side))
    if mark.member == first and not has_bare:
        return own
    return Role(mark.kind, mark.side, max(mark.member, 2))


def _side_of_partner(header: str) -> str:
    """Return the side that a header such as `partner` or `opponent's ally` adds a name to; empty for any other."""
    tokens = tokens_of(header)
    if not set(tokens) & _PARTNER:
        return ""
    rest = [token for token in tokens if token not in _PARTNER]
    role = role_of(" ".join(rest)) if rest else Role("name", "one")
    return "" if role is None or role.kind not in _ENTRANTS else role.side or "one"


def _named_kind(roles: Sequence[Role | None], side: str) -> str:
    """Return "player" or "name", whichever the side has a column of, players first; empty for neither."""
    return next((kind for kind in ("player", "name") if Role(kind, side) in roles or Role(kind) in roles), "")
