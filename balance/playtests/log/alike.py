"""Rows of a log that differ only in who played, when and where, and by how many points one side won: read once.

A log of 100,000 rows has few kinds of rows in this sense. What may differ is looked up cell by cell; a row with an odd
cell there, and one whose result may name a player, is like no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from balance.catalogue.tables.cells import BadCell, clean
from balance.playtests.log.leaving_out import LeftOut
from balance.playtests.words.headers import Columns
from balance.playtests.words.naming import check_name
from balance.playtests.words.non_games import MINUS_ONE, is_bye_name, is_no_name, kind_of
from balance.playtests.words.results import fold_name, number
from balance.playtests.words.vocabulary import Role

Key: TypeAlias = tuple[object, ...]


class Label(NamedTuple):
    """A name of a player, a session or a scenario, as spelt and as names are compared."""

    name: str
    folded: str


class Kind(NamedTuple):
    """What a row is but for its labels and points; `key` is equal for rows that are read alike.

    `labels` are those of `LABELS`, empty where the log has no such column.
    """

    key: Key
    labels: tuple[Label, Label, Label, Label]
    points: tuple[float, float] | None


LABELS = ("player", "player", "session", "scenario")
"""What the labels of a row are of, the players of both sides first."""
NO_LABEL = Label("", "")


@dataclass
class Likeness:
    """Finds what kind of row a row of a log is."""

    columns: Columns
    left_out: LeftOut
    comma: bool
    _labels: dict[tuple[str, str], Label | None] = field(default_factory=dict)
    _points: dict[str, float | None] = field(default_factory=dict)
    _texts: dict[Key, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at, sides = self.columns.at, self.columns.sides
        roles = [*(Role("player", side) for side in sides), Role("session"), Role("scenario")]
        self._label_places = [(role.kind, at.get(role, -1)) for role in roles]
        points = [at[role] for role in (Role("points", side) for side in sides) if role in at]
        self._point_places = points if len(points) == 2 else []
        others = {place for role, place in at.items() if role not in roles and place not in self._point_places}
        others |= {*self.columns.flags, *(place for pair in self.columns.further_names for place in pair)}
        names = {at[Role("name", side)] for side in sides}
        self._key_places = sorted(others)
        self._text_places = [rank for rank, place in enumerate(self._key_places) if place not in names]
        self._pick = itemgetter(*self._key_places)
        self._width = max([*at.values(), *others]) + 1
        self._usable = not self.left_out.own_words and self.columns.session_block < 0

    def of(self, cells: tuple[str, ...]) -> Kind | None:
        """Return the kind of a row; None for a row that is not to be taken for like any other."""
        if not self._usable or not self._width <= len(cells) <= len(self.columns.header):
            return None
        key = self._pick(cells)
        labels = []
        for kind, place in self._label_places:
            if place < 0:
                labels.append(NO_LABEL)
                continue
            text = cells[place]
            if (label := self._labels.get((kind, text), _NEW)) is _NEW:
                label = self._labels[kind, text] = self._label(kind, text)
            if label is None:
                return None
            labels.append(label)
        points = None
        if self._point_places:
            first, second = (self._point(cells[place]) for place in self._point_places)
            if first is None or second is None:
                return None
            points, key = (first, second), (key, first > second, first == second)
        if (told := self._texts.get(key)) is None:
            told = self._texts[key] = "\n".join(fold_name(cells[self._key_places[rank]]) for rank in self._text_places)
        for label in labels[:2]:
            if label.folded and label.folded in told:
                return None
        return Kind(key, (labels[0], labels[1], labels[2], labels[3]), points)

    def _label(self, kind: str, text: str) -> Label | None:
        name = clean(text)
        if not name:
            return Label("", "")
        try:
            name = " ".join(check_name(name).split())
        except BadCell:
            return None
        return None if kind == "player" and is_bye_name(name) else Label(name, fold_name(name))

    def _point(self, text: str) -> float | None:
        if text not in self._points:
            plain = clean(text)
            is_odd = bool(kind_of(plain)) or is_no_name(plain) or (self.left_out.minus_one and plain in MINUS_ONE)
            try:
                self._points[text] = None if is_odd else number(plain, "points", self.comma, -1e9)
            except BadCell:
                self._points[text] = None
        return self._points[text]


_NEW = Label("\0", "\0")
"""Stands for a label that was not looked up yet."""
