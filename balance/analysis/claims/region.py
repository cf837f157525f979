"""Which verdicts hold while results on dice faces are replaced by others, over a grid of two such replacements.

Faces are the entries of a table that differ in one column only, a list, such as the results a face shows. A *turn* puts
one result in the place of another on up to five faces of a die, those that show fewest results first; backwards, the
other way round. The two turns that move the number farthest, and that touch no face in common, span a grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import Annotated

from balance.analysis.claims.assumptions import Place
from balance.analysis.claims.conclusion import Bench, Outcome
from balance.base.answers import BEHIND, Chance, Doc, formula

MOST_TURNED = 5
"""Faces that are turned either way."""
Faces = tuple[tuple[str, str], ...]
"""Where each face stands, as a patch writes it, and what it shows when it is turned."""


@dataclass(frozen=True)
class Turn:
    """Faces of one die on which a result becomes another, and how many of them; backwards below 0."""

    of: Annotated[tuple[str, ...], Doc("What the faces have in common, such as the die.")]
    old: Annotated[str, Doc("The result that is replaced.")]
    new: Annotated[str, Doc("What it becomes.")]
    forward: Faces = field(metadata=BEHIND)
    """(path, new value) of the faces on which `old` may become `new`."""
    backward: Faces = field(metadata=BEHIND)
    """Of those on which `new` may become `old`."""

    @formula
    def steps(self) -> Annotated[tuple[int, ...], Doc("Numbers of faces that may be turned.")]:
        """Return how many faces may be turned; negative ones are turned backwards."""
        return tuple(range(-len(self.backward), len(self.forward) + 1))

    @property
    def face_paths(self) -> set[str]:
        """Paths of all faces that it may turn."""
        return {path for path, _ in (*self.forward, *self.backward)}

    def __str__(self) -> str:
        """Return the die and both results in words.

        >>> str(Turn(("red",), "HIT", "MIS", (), ()))
        'faces of red from HIT to MIS'
        """
        die = " ".join(filter(None, self.of))
        return f"faces{' of ' if die else ''}{die} from {self.old} to {self.new}"

    def values(self, n: int) -> dict[str, str]:
        """Return path -> text for the first n faces turned, backwards if n is below 0.

        >>> Turn(("red",), "HIT", "MIS", (("faces.a.results", "MIS"), ("faces.b.results", "MIS;ABI")), ()).values(1)
        {'faces.a.results': 'MIS'}
        """
        return dict(self.forward[:n] if n >= 0 else self.backward[:-n])


@dataclass(frozen=True)
class Region:
    """The number for faces of two dice that are turned, those that move it farthest."""

    across: Annotated[Turn, Doc("By column.")]
    down: Annotated[Turn, Doc("By row.")]
    cells: Annotated[
        tuple[tuple[Outcome | None, ...], ...], Doc("The number in each; null where the catalogue refuses such faces.")
    ]

    @formula
    def stands(self) -> Annotated[Chance, Doc("In which share of the cells the conclusion stands.")]:
        """Return the share of the legal cells whose verdict is that with no face turned."""
        legal_cells = [cell for row in self.cells for cell in row if cell is not None]
        base = self.cells[self.down.steps.index(0)][self.across.steps.index(0)]
        return sum(base is not None and cell.verdict == base.verdict for cell in legal_cells) / len(legal_cells)


def region(bench: Bench, places: Sequence[Place]) -> Region | None:
    """Return the grid of the two turns of farthest reach; None where there are no two that move anything."""
    reach = {turn: _reach(bench, turn) for turn in _turns(places)}
    order = sorted((turn for turn in reach if reach[turn] > 0), key=lambda turn: (-reach[turn], turn.of, turn.old))
    across = next(iter(order), None)
    down = next((turn for turn in order if across is not None and not turn.face_paths & across.face_paths), None)
    if across is None or down is None:
        return None
    rows = (tuple(bench.after(across.values(x) | down.values(y)) for x in across.steps) for y in down.steps)
    return Region(across, down, tuple(rows))


def _turns(places: Sequence[Place]) -> Iterator[Turn]:
    """Yield every turn of the faces of every die, each pair of results once: from the one that more faces show."""
    lists = [place for place in places if place.alike is not None]
    for _, group in groupby(sorted(lists, key=_die), key=_die):
        faces = sorted(group, key=lambda place: (place.old.count(";"), place.old, place.path))
        results = {result for face in faces for text in (face.old, *face.texts) for result in text.split(";") if result}
        for pair in combinations(sorted(results) if len(faces) > 1 else (), 2):
            old, new = sorted(pair, key=lambda result: -len(_turned_faces(faces, result, "")))
            yield Turn(faces[0].alike or (), old, new, _turned_faces(faces, old, new), _turned_faces(faces, new, old))


def _die(place: Place) -> tuple[str, str, tuple[str, ...]]:
    return place.table, place.field, place.alike or ()


def _turned_faces(faces: Sequence[Place], old: str, new: str) -> Faces:
    """Return (path, new value) of the first faces that show a result, with its first occurrence replaced."""
    face_results = [(face.path, face.old.split(";")) for face in faces]
    able = [(path, results, results.index(old)) for path, results in face_results if old in results]
    return tuple((path, ";".join([*rest[:at], new, *rest[at + 1 :]])) for path, rest, at in able[:MOST_TURNED])


def _reach(bench: Bench, turn: Turn) -> float:
    """Return the absolute difference of the number between both ends of a turn."""
    ends = [bench.after(turn.values(turn.steps[end])) for end in (0, -1)]
    low, high = (bench.base if end is None else end for end in ends)
    return round(abs(high.value.value - low.value.value), 9)
