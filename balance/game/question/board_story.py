"""A battle on a board as plain records, frame by frame: what a page needs to draw it, for any game.

A cell is numbered ``16 * column + row``, both from 0; odd columns of hexes stand half a cell lower. A `BoardStory` is a
`Ground`, the tokens of two sides, and frames: the first is the position before anybody's turn, each later one what one
action did and the position after it.

>>> cell_name(16 * 3 + 5), cell_name(16 * 27)
('D6', 'AB1')
>>> short_labels(["Nexus", "Trooper", "Trooper"])
('N1', 'T2', 'T3')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, TypeAlias, get_args

from balance.base.errors import Fault, UsageError
from balance.chance.rolls.board import COLUMN_CELLS, MOST_COLUMNS, OFF_BOARD, Shape

MOST_SIDES = 4
OPEN, LIGHT, HEAVY, NO_CELL = range(4)
"""What a cell is: open ground, light cover, heavy cover, or no cell at all."""
ActKind: TypeAlias = Literal["move", "jump", "shot", "own"]
Result: TypeAlias = Literal["", "hit", "miss", "critical"]


def cell_name(cell: int) -> str:
    """Return the name of a cell as on the edge of the board: letters of its column, and its row from 1."""
    column, row = divmod(cell, COLUMN_CELLS)
    letter = chr(ord("A") + column % 26)
    return f"{'A' if column >= 26 else ''}{letter}{row + 1}"


def short_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return labels for the tokens of one side: an initial and the unit's number in its army, from 1."""
    initials = (next((letter for letter in name if letter.isalnum()), "").upper()[:1] for name in names)
    return tuple(f"{initial}{number}" for number, initial in enumerate(initials, 1))


@dataclass(frozen=True)
class Sign:
    """What is written on a cell: a letter or two for what stands there, and its name, such as "Forest"."""

    cell: int
    letters: str
    words: str


@dataclass(frozen=True)
class Ground:
    """The board: its shape, size, terrain, bases and objectives.

    Raises `UsageError` for an unknown shape, too many columns or rows, terrain of another length, or a cell outside.

    * `terrain`: one of OPEN, LIGHT, HEAVY and NO_CELL for each of ``16 * columns`` cells; what is below the last row
      does not matter.
    * `bases`: the cells of each side's base.
    * `objectives`: the cells whose occupants score.
    * `signs`: labels of cells, where the terrain alone does not tell what they are.
    """

    shape: Shape
    columns: int
    rows: int
    terrain: tuple[int, ...]
    bases: tuple[tuple[int, ...], ...] = ((), ())
    objectives: tuple[int, ...] = ()
    title: str = ""
    signs: tuple[Sign, ...] = ()

    def __post_init__(self) -> None:
        if self.shape not in get_args(Shape):
            raise _fault("is no shape of a board", self.shape, ", ".join(get_args(Shape)))
        if not (1 <= self.columns <= MOST_COLUMNS and 1 <= self.rows <= COLUMN_CELLS):
            raise _fault(
                "is no size of a board", f"{self.columns} x {self.rows}", f"1 x 1 to {MOST_COLUMNS} x {COLUMN_CELLS}"
            )
        if len(self.terrain) != COLUMN_CELLS * self.columns:
            raise _fault("is no terrain of this board", f"{len(self.terrain)} cells", f"{COLUMN_CELLS * self.columns}")
        for cell in chain(*self.bases, self.objectives):
            self.demand(cell)

    def cells(self) -> Iterator[int]:
        """Yield the numbers of the cells on the board, column by column."""
        for cell in range(COLUMN_CELLS * self.columns):
            if cell % COLUMN_CELLS < self.rows and self.terrain[cell] != NO_CELL:
                yield cell

    def demand(self, cell: int) -> None:
        """Raise UsageError unless the cell lies within the columns and rows."""
        if not (0 <= cell < COLUMN_CELLS * self.columns and cell % COLUMN_CELLS < self.rows):
            raise _fault("is no cell of this board", str(cell), f"16 * column + row of {self.columns} x {self.rows}")


@dataclass(frozen=True)
class Token:
    """A unit: its name, its side (0 to 3), its label (at most three characters), and its health at the start."""

    name: str
    side: int
    label: str
    health: int

    def __post_init__(self) -> None:
        if self.side not in range(MOST_SIDES):
            raise _fault(f"is no side of {self.name!r}", str(self.side), f"0 to {MOST_SIDES - 1}")
        if not 1 <= len(self.label) <= 3:
            raise _fault(f"is no label of {self.name!r}", repr(self.label), "one to three characters")


@dataclass(frozen=True)
class Mark:
    """A state a unit is in: a sign of one or two characters beside its token, and in words, such as "shield up"."""

    sign: str
    words: str


@dataclass(frozen=True)
class TokenState:
    """The cell of a unit after a frame, OFF_BOARD while it waits or once it has fallen, its health and its marks."""

    cell: int
    health: int
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Blast:
    """An explosion: where, and every cell it reaches, its centre too."""

    centre: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Act:
    """What to draw of an action.

    * `kind`: `move` along a path, `jump` straight, `shot` at somebody, `own` for what a unit does where it stands.
    * `unit`: the number of the token that acts.
    * `path`: the cells from where it stood to where it went, both of them; of a shot, its own and the target's; of
      `own`, its own.
    * `result`: of a shot: hit, critical or miss.
    """

    kind: ActKind
    unit: int
    path: tuple[int, ...]
    result: Result = ""
    blasts: tuple[Blast, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(ActKind):
            raise _fault("is no kind of action", self.kind, ", ".join(get_args(ActKind)))
        if self.result not in get_args(Result):
            raise _fault("is no result of a shot", self.result, ", ".join(filter(None, get_args(Result))))
        if len(self.path) < (1 if self.kind == "own" else 2):
            raise _fault(f"cells are no path of a {self.kind}", str(len(self.path)), "where it begins, where it ends")


@dataclass(frozen=True)
class Frame:
    """One action and the position after it; the first frame is the start position.

    * `moment`: such as "Round 2"; frames with the same words form a round.
    * `side`: whose turn it is: 0, 1, and so on, or -1 for nobody's (the start, the end of a round).
    * `actor` and `text`: such as "N1 Nexus" and "attacks T2 Trooper with Assault Rifle: hit, 2 damage"; the text may be
      empty.
    * `standings`: the state of each token of the story, in the order of the tokens.
    * `act`: what to draw; None for the start, the end of a turn, units that enter.
    * `dice`: each throw in words, such as "D10 precision 4 (hit: below 7)".
    * `score`: more rows of the score, each with its value for every side, such as ("rounds held", "0", "2"); units lost
      and health left are counted by the page.
    * `events`: the same action as plain data, one event after the other, if the game provides it.
    """

    moment: str
    side: int
    actor: str
    text: str
    standings: tuple[TokenState, ...]
    act: Act | None = None
    dice: tuple[str, ...] = ()
    score: tuple[tuple[str, ...], ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()

    def sentence(self) -> str:
        """Return who did what, as one sentence without its full stop."""
        return f"{self.actor}{': ' if self.actor and self.text else ''}{self.text}"


@dataclass(frozen=True)
class BoardStory:
    """A whole battle: the ground, what the sides are called, their tokens, and the frames.

    Raises `UsageError` without a frame, or for one without a state for each token, an action of nobody, or a cell
    outside.
    """

    ground: Ground
    sides: tuple[str, ...]
    tokens: tuple[Token, ...]
    frames: tuple[Frame, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.frames:
            raise UsageError("the story of a battle has no frame; the first is the position at first")
        for number, frame in enumerate(self.frames):
            if len(frame.standings) != len(self.tokens):
                raise _fault(f"standings in frame {number}", str(len(frame.standings)), f"{len(self.tokens)}")
            if frame.act is not None and not 0 <= frame.act.unit < len(self.tokens):
                raise _fault(f"is no unit, in frame {number}", str(frame.act.unit), f"0 to {len(self.tokens) - 1}")
            for cell in _cells_of(frame):
                self.ground.demand(cell)

    def turn_of(self, number: int) -> str:
        """Return the moment and the side of a frame: "Round 2, Blue"."""
        frame = self.frames[number]
        return f"{frame.moment}, {self.sides[frame.side]}" if frame.side >= 0 else frame.moment

    def health_left(self, number: int) -> tuple[int, ...]:
        """Return the health left of each side after a frame."""
        return self._sums(number, lambda unit: unit.health)

    def units_lost(self, number: int) -> tuple[int, ...]:
        """Return how many units of each side have fallen by a frame."""
        return self._sums(number, lambda unit: int(unit.health <= 0))

    def _sums(self, number: int, count: Callable[[TokenState], int]) -> tuple[int, ...]:
        pairs = list(zip(self.tokens, self.frames[number].standings, strict=True))
        sides = range(len(self.sides))
        return tuple(sum(count(unit) for token, unit in pairs if token.side == side) for side in sides)


def _cells_of(frame: Frame) -> Iterator[int]:
    """Yield every cell that a frame names."""
    yield from (unit.cell for unit in frame.standings if unit.cell != OFF_BOARD)
    if frame.act is not None:
        yield from frame.act.path
        for blast in frame.act.blasts:
            yield from (blast.centre, *blast.cells)


def _fault(problem: str, value: str, limit: str) -> UsageError:
    return UsageError(Fault(problem, "board story", found=value, allowed=limit))
