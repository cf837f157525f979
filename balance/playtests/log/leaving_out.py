"""Which rows of a log are left out, as they tell of no game between two: by their words, or by words of the user's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from balance.base.errors import Fault
from balance.catalogue.tables.cells import clean
from balance.playtests.words.headers import Columns
from balance.playtests.words.non_games import (
    DISQUALIFICATION,
    MINUS_ONE,
    NO_OPPONENT,
    NO_RESULT,
    is_bye_name,
    is_no_name,
    kind_of,
)
from balance.playtests.words.results import Words, fold_name, says_yes
from balance.playtests.words.vocabulary import Role

_RESULT_KINDS = ("result", "score", "points", "wins", "status")
_BELOW_0, _DIGIT = re.compile(r"[-−]\d"), re.compile(r"\d")
NO_WINNER_BY_COMMAND = "as it does not say who won, as the command says"


@dataclass
class LeftOut:
    """Which rows tell of no game, in a log with these columns.

    * `own_words`: words of the user's for what is no game, as written.
    * `minus_one`: whether -1 points stand for a disqualification.
    * `numbers`: positions of results that hold numbers, so that a dash is no draw there.
    * `draws_said`: positions where a draw has a word or numbers, so that an empty cell is none.
    * `matched_words`: the user's words that occurred, folded by `fold_name`.
    """

    columns: Columns
    own_words: tuple[str, ...] = ()
    minus_one: bool = False
    numbers: frozenset[int] = frozenset()
    draws_said: frozenset[int] = frozenset()
    matched_words: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, columns: Columns, rows: Sequence[Sequence[str]], own_words: tuple[str, ...]) -> LeftOut:
        """Return the rules of a log, learnt from all its rows: what -1, a dash and an empty cell mean in it.

        `own_words` are the user's own words for a row that is no game.
        """
        points = [place for role, place in columns.at.items() if role.kind == "points"]
        cells = (cells[place].strip() for place in points for cells in rows if place < len(cells))
        below = {text in MINUS_ONE for text in cells if _BELOW_0.match(text)}
        numbers, draw_places = set[int](), set[int]()
        for role in (Role("result"), Role("score"), Role("name", "winner")):
            place = columns.at.get(role, -1)
            texts = {cells[place] for cells in rows if 0 <= place < len(cells)}
            if role.kind != "name" and any(_DIGIT.search(text) for text in texts):
                numbers.add(place)
            if any(Words().is_draw(fold_name(text)) and not is_no_name(text) for text in texts):
                draw_places.add(place)
        return cls(columns, own_words, below == {True}, frozenset(numbers), frozenset(draw_places | numbers))

    @cached_property
    def _folded_words(self) -> frozenset[str]:
        return frozenset(map(fold_name, self.own_words))

    @cached_property
    def _result_columns(self) -> list[tuple[Role, int]]:
        roles = self.columns.at.items()
        return [(role, at) for role, at in roles if role.kind in _RESULT_KINDS or role == Role("name", "winner")]

    @cached_property
    def _people(self) -> tuple[list[int], list[int]]:
        """The positions of names and players, first side and second side."""
        first_side, second_side = self.columns.sides
        roles = [[Role(kind, side) for kind in ("name", "player")] for side in (first_side, second_side)]
        first_places, second_places = (
            [self.columns.at[role] for role in side_roles if role in self.columns.at] for side_roles in roles
        )
        return first_places, second_places

    def reason_for(self, cells: Sequence[str]) -> str:
        """Return why a row is left out, as the end of "rows ...", and note matched user words; "" for a game."""
        if self._folded_words and (
            word := next((fold_name(cell) for cell in cells if fold_name(cell) in self._folded_words - {""}), "")
        ):
            self.matched_words.add(word)
            return f"with {word!r}, as the command says"
        for place, reason in self.columns.flags.items():
            if place < len(cells) and (says_yes(cells[place]) or kind_of(clean(cells[place])) == reason):
                return reason
        return self._missing_result(cells) or self._missing_opponent(cells)

    def _missing_result(self, cells: Sequence[str]) -> str:
        """Return why the result cells of a row tell of no game, such as a walkover; "" if they may tell of one."""
        names: set[str] | None = None
        has_result, empty = dict[str, bool](), True
        for role, place in self._result_columns:
            text = clean(cells[place])
            if role.kind == "points" and self.minus_one and text in MINUS_ONE:
                return f"{DISQUALIFICATION} (-1)"
            reason = kind_of(text) or (NO_RESULT if place in self.numbers and is_no_name(text) else "")
            if role.kind == "result" and role.side and reason == kind_of("abandoned"):
                reason = ""  # a side that left the game lost it, as the cell of the other side says
            if text and reason:
                names = names or {fold_name(cells[at]) for places in self._people for at in places}
                reason = reason if fold_name(text) not in names else ""
            if reason and reason != NO_RESULT and text:
                return reason
            has_result[role.kind] = has_result.get(role.kind, True) and bool(text) and not reason
            empty = empty and not text
        has_result.pop("status", None)
        has_draw_status = any(
            role.kind == "status" and Words().is_draw(fold_name(cells[at])) for role, at in self._result_columns
        )
        if any(has_result.values()) or not has_result or has_draw_status:
            return ""
        if "" in self._folded_words:
            self.matched_words.add("")
            return NO_WINNER_BY_COMMAND
        draws_are_said = "points" in has_result or any(place in self.draws_said for _, place in self._result_columns)
        return NO_RESULT if draws_are_said or not empty else ""

    def _missing_opponent(self, cells: Sequence[str]) -> str:
        """Return why a row is left out whose second side is empty, or one of whose names is a dash; else ""."""
        first_places, second_places = self._people
        if cells_are_empty(cells, second_places) and not cells_are_empty(cells, first_places):
            return NO_OPPONENT
        for places in (first_places, second_places):
            texts = [clean(cells[place]) for place in places]
            if any(texts) and all(is_no_name(text) for text in texts):
                return NO_OPPONENT
        return ""

    def word_for_nobody(self, cells: Sequence[str]) -> str:
        """Return the word for a bye that stands in place of a name, as written; empty if there is none."""
        texts = (" ".join(cells[place].split()) for places in self._people for place in places)
        return next((text for text in texts if is_bye_name(text)), "")

    def faults(self) -> list[Fault]:
        """Return a fault for each `--leave-out` word that occurs in no cell."""
        absent_words = [word for word in self.own_words if fold_name(word) not in self.matched_words]
        return [Fault("stands in no cell of this log", "§leave_out", found=word) for word in absent_words]


def cells_are_empty(cells: Sequence[str], places: Iterable[int]) -> bool:
    """Return whether the cells at these places are all blank."""
    return not any(cells[place].strip() for place in places)
