"""Which rows of a log are left out, as they tell of no game between two: by their words, or by words of the user's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from balance.base.errors import Fault, unknown
from balance.catalogue.tables.cells import clean
from balance.playtests.words.headers import Columns
from balance.playtests.words.results import Words, folded, says_yes
from balance.playtests.words.unplayed import (
    DISQUALIFIED,
    MINUS_ONE,
    NO_OPPONENT,
    NO_RESULT,
    is_bye_name,
    is_no_name,
    kind_of,
)
from balance.playtests.words.vocabulary import Role

__all__ = ["LeftOut"]

_TELLING = ("result", "score", "points", "wins", "status")
_BELOW_0, _DIGIT = re.compile(r"[-−]\d"), re.compile(r"\d")
UNTOLD = "as it does not say who won, as the command says"


@dataclass
class LeftOut:
    """Which rows tell of no game, in a log with these columns.

    Attributes
    ----------
    columns
        What they hold.
    own_words
        Words of the user's for what is no game, as written.
    minus_one
        Whether -1 points stand for a disqualification.
    numbers
        Positions of results that hold numbers, so that a dash is no draw there.
    draws_said
        Positions where a draw has a word or numbers, so that an empty cell is none.
    seen
        Which words of the user's were met, folded.
    """

    columns: Columns
    own_words: tuple[str, ...] = ()
    minus_one: bool = False
    numbers: frozenset[int] = frozenset()
    draws_said: frozenset[int] = frozenset()
    seen: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, columns: Columns, rows: Sequence[Sequence[str]], own_words: tuple[str, ...]) -> LeftOut:
        """Learn from all rows what -1 and a dash mean."""
        points = [place for role, place in columns.at.items() if role.what == "points"]
        cells = (cells[place].strip() for place in points for cells in rows if place < len(cells))
        below = {text in MINUS_ONE for text in cells if _BELOW_0.match(text)}
        numbers, drawn = set[int](), set[int]()
        for role in (Role("result"), Role("score"), Role("name", "winner")):
            place = columns.at.get(role, -1)
            texts = {cells[place] for cells in rows if 0 <= place < len(cells)}
            if role.what != "name" and any(_DIGIT.search(text) for text in texts):
                numbers.add(place)
            if any(Words().is_draw(folded(text)) and not is_no_name(text) for text in texts):
                drawn.add(place)
        return cls(columns, own_words, below == {True}, frozenset(numbers), frozenset(drawn | numbers))

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(folded, self.own_words))

    @cached_property
    def _telling(self) -> list[tuple[Role, int]]:
        known = self.columns.at.items()
        return [(role, at) for role, at in known if role.what in _TELLING or role == Role("name", "winner")]

    @cached_property
    def _people(self) -> tuple[list[int], list[int]]:
        """Where the names and players of both sides stand."""
        left, right = self.columns.sides
        roles = [[Role(what, side) for what in ("name", "player")] for side in (left, right)]
        one, other = ([self.columns.at[role] for role in both if role in self.columns.at] for both in roles)
        return one, other

    def why(self, cells: Sequence[str]) -> str:
        """Return why a row is left out; empty if it may tell of a game."""
        if self._own and (word := next((folded(cell) for cell in cells if folded(cell) in self._own - {""}), "")):
            self.seen.add(word)
            return f"with {word!r}, as the command says"
        for place, why in self.columns.flags.items():
            if place < len(cells) and (says_yes(cells[place]) or kind_of(clean(cells[place])) == why):
                return why
        return self._untold(cells) or self._nobody(cells)

    def _untold(self, cells: Sequence[str]) -> str:
        """Return why the cells that should tell who won tell of no game."""
        names: set[str] | None = None
        told, empty = dict[str, bool](), True
        for role, place in self._telling:
            text = clean(cells[place])
            if role.what == "points" and self.minus_one and text in MINUS_ONE:
                return f"{DISQUALIFIED} (-1)"
            why = kind_of(text) or (NO_RESULT if place in self.numbers and is_no_name(text) else "")
            if role.what == "result" and role.side and why == kind_of("abandoned"):
                why = ""  # a side that left the game lost it, as the cell of the other side says
            if text and why:
                names = names or {folded(cells[at]) for both in self._people for at in both}
                why = why if folded(text) not in names else ""
            if why and why != NO_RESULT and text:
                return why
            told[role.what] = told.get(role.what, True) and bool(text) and not why
            empty = empty and not text
        told.pop("status", None)
        drawn = any(role.what == "status" and Words().is_draw(folded(cells[at])) for role, at in self._telling)
        if any(told.values()) or not told or drawn:
            return ""
        if "" in self._own:
            self.seen.add("")
            return UNTOLD
        draws_are_said = "points" in told or any(place in self.draws_said for _, place in self._telling)
        return NO_RESULT if draws_are_said or not empty else ""

    def _nobody(self, cells: Sequence[str]) -> str:
        """Return why a row is left out that names nobody as the second, or a line for a name."""
        one, other = self._people
        if cells_are_empty(cells, other) and not cells_are_empty(cells, one):
            return NO_OPPONENT
        for places in (one, other):
            texts = [clean(cells[place]) for place in places]
            if any(texts) and all(is_no_name(text) for text in texts):
                return NO_OPPONENT
        return ""

    def word_for_nobody(self, cells: Sequence[str]) -> str:
        """Return the word for nobody that stands as a name in a row, as written; empty if there is none."""
        texts = (" ".join(cells[place].split()) for both in self._people for place in both)
        return next((text for text in texts if is_bye_name(text)), "")

    def faults(self) -> list[Fault]:
        """Return a fault for each word of the user's that no row has."""
        unseen = [word for word in self.own_words if folded(word) not in self.seen]
        return [unknown(word, [], "stands in no cell of this log", "--leave-out") for word in unseen]


def cells_are_empty(cells: Sequence[str], places: Iterable[int]) -> bool:
    """Return whether none of these cells holds anything."""
    return not any(cells[place].strip() for place in places)
