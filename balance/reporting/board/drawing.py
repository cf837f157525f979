"""The board of a battle as SVG text: its cells, and the units on them.

Columns of hexes stand upright and odd ones half a cell lower, as a `Ground` numbers them. Every colour has a shape
beside it: the first side's tokens are round and its base has a whole line, the second side's are square and its base
has a broken one, and so on; cover is drawn with blades or with hatching. The paper of a board is light in both schemes
of a page.

>>> from balance.game.question.board_story import Ground
>>> plan = BoardLayout(Ground("hex", 3, 2, (0,) * 48))
>>> plan.centre(16)[0] - plan.centre(0)[0] == 1.5 * SIZE
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from balance.answers.blocks.text import clean
from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.game.question.board_story import HEAVY, LIGHT, Ground, Mark, Token, TokenState, cell_name
from balance.reporting.page.svg import (
    Point,
    layer_group,
    num,
    pill,
    place,
    points_around,
    stroke,
    tag,
    text_at,
    text_group,
)

SIZE = 24.0
"""From the centre of a hex to its corner."""
EDGE = 42.0
"""The edge of a square cell."""
MARGIN = 18.0
"""Room beside the cells, for the names of columns and rows."""
TOKEN = 13.0
"""From the centre of a token to its edge."""
BAR = 26.0
"""The width of a full bar of health."""
MOST_MARKS = 4

INK, PAPER = "#26221c", "#fffdf8"
SIDES = ("#00629b", "#a84300", "#6b3fa0", "#00705a")
BASES = ("#d9e9f4", "#f8e2d0", "#e6dcf2", "#d5eee7")
DASHES = ("none", "5 3", "1.5 2.5", "8 2 2 2")
"""Lines of the bases of each side."""
GOLD, GOLD_RIM = "#c99700", "#6b5000"
CELLS = {LIGHT: "#d5e8c3", HEAVY: "#8d877c"}
OPEN_CELL, CELL_RIM = "#f3efe4", "#b9b2a1"
BLADES, HEALTH, MARK = "#47752f", "#2c7a3d", "#ffe27a"
FONT = "system-ui, 'DejaVu Sans Mono', sans-serif"

_MARK_PLACES: tuple[Point, ...] = ((12.0, -14.0), (-12.0, -14.0), (16.0, -2.0), (-16.0, -2.0))
_TUFTS: tuple[Point, ...] = ((-10.0, 3.0), (9.0, 0.0), (0.0, 16.0))


@dataclass(frozen=True)
class BoardLayout:
    """Where the cells of a ground are on its picture, in units in which a hex has the side `SIZE`."""

    ground: Ground

    @property
    def hexes(self) -> bool:
        """Whether the cells are hexes."""
        return self.ground.shape == "hex"

    @property
    def size(self) -> Point:
        """The width and height of the picture."""
        columns, rows = self.ground.columns, self.ground.rows
        if not self.hexes:
            return EDGE * columns + 2 * MARGIN, EDGE * rows + 2 * MARGIN
        lower = 0.5 if columns > 1 else 0.0
        return SIZE * (1.5 * columns + 0.5) + 2 * MARGIN, math.sqrt(3) * SIZE * (rows + lower) + 2 * MARGIN

    def centre(self, cell: int) -> Point:
        """Return the middle of a cell."""
        column, row = divmod(cell, COLUMN_CELLS)
        if not self.hexes:
            return MARGIN + EDGE * (column + 0.5), MARGIN + EDGE * (row + 0.5)
        height = math.sqrt(3) * SIZE
        return MARGIN + SIZE * (1 + 1.5 * column), MARGIN + height * (row + 0.5 + column % 2 / 2)

    def outline(self, cell: int, inset: float = 0.0) -> str:
        """Return the SVG path around a cell, `inset` units within its edge; cells are numbered as by `Ground`."""
        middle = self.centre(cell)
        if self.hexes:
            return f"M{place(*points_around(middle, SIZE - inset * 2 / math.sqrt(3), 6))}z"
        return f"M{place(*points_around(middle, (EDGE / 2 - inset) * math.sqrt(2), 4, 45))}z"


def whole_svg(plan: BoardLayout, layers: Iterable[str], alt: str, share: float = 1.0, crop: float = 0.0) -> str:
    """Return a picture that stands alone, of layers from the lowest up; `alt` is its text alternative.

    `share` is the factor from units of the plan to points, and `crop` is cut off at each edge, in units of the plan.
    """
    wide, high = (length - 2 * crop for length in plan.size)
    title = tag("title", escape(clean(alt)))
    return tag(
        "svg",
        title + "".join(layers),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{num(crop)} {num(crop)} {num(wide)} {num(high)}",
        width=f"{num(share * wide)}pt",
        height=f"{num(share * high)}pt",
        role="img",
        font_family=FONT,
    )


def draw_ground(plan: BoardLayout) -> str:
    """Return the paper, every cell, the bases, the objectives, and the names of columns and rows."""
    wide, high = plan.size
    ground = plan.ground
    paper = tag("rect", width=wide, height=high, rx=6, fill=PAPER)
    cells = "".join(_cell(plan, cell) for cell in ground.cells())
    bases = "".join(_base(plan, side) for side, cells in enumerate(ground.bases) if cells)
    stars = "".join(_objective(plan, cell) for cell in ground.objectives)
    return paper + cells + bases + stars + _signs(plan) + _names(plan)


def _cell(plan: BoardLayout, cell: int) -> str:
    kind = plan.ground.terrain[cell]
    fill = CELLS.get(kind, OPEN_CELL)
    for side, base_cells in enumerate(plan.ground.bases):
        fill = BASES[side] if cell in base_cells else fill
    x, y = plan.centre(cell)
    picture = tag("path", d=plan.outline(cell), fill=fill, stroke=CELL_RIM)
    if kind == LIGHT:
        blades = "".join(f"M{num(x + at)} {num(y + foot)}l-3.5 -8m3.5 8v-10m0 10l3.5 -8" for at, foot in _TUFTS)
        picture += stroke(blades, BLADES, 1.3)
    elif kind == HEAVY:
        hatch = "".join(f"M{num(x + at - 8)} {num(y + 8)}l16 -16" for at in (-8.0, 0.0, 8.0))
        picture += stroke(plan.outline(cell, 2.5) + hatch, INK, 1.6)
    return picture


def _base(plan: BoardLayout, side: int) -> str:
    """Return an inner rim for each cell of a base: a whole line for the first side, broken ones for others."""
    path = "".join(plan.outline(cell, 2.5) for cell in plan.ground.bases[side])
    return stroke(path, SIDES[side], 1.6, stroke_dasharray=DASHES[side])


def _objective(plan: BoardLayout, cell: int) -> str:
    """Return a star on the cell, and a rim that shows beside a token."""
    outer, inner = (points_around(plan.centre(cell), reach, 5, turn) for reach, turn in ((11, -90), (4.6, -54)))
    star = place(*(point for pair in zip(outer, inner, strict=True) for point in pair))
    rim = stroke(plan.outline(cell, 2.5), GOLD, 3.2, stroke_dasharray="2 2.4")
    return rim + tag("path", d=f"M{star}z", fill=GOLD, stroke=GOLD_RIM)


def _signs(plan: BoardLayout) -> str:
    """Return the letters that are written on cells, at their lower edge, where a token leaves them free."""
    letters: dict[int, str] = {}
    for sign in plan.ground.signs:
        letters[sign.cell] = letters.get(sign.cell, "") + sign.letters
    marks = (text_at(plan.centre(cell)[0], plan.centre(cell)[1] - 13, text) for cell, text in letters.items())
    return text_group("".join(marks), 8.5, BLADES) if letters else ""


def _names(plan: BoardLayout) -> str:
    """Return the letters of the columns above them and the numbers of the rows at the left."""
    across = (COLUMN_CELLS * column for column in range(plan.ground.columns))
    letters = "".join(text_at(plan.centre(cell)[0], 12, cell_name(cell)[:-1]) for cell in across)
    numbers = "".join(text_at(9, plan.centre(row)[1] + 3.2, str(row + 1)) for row in range(plan.ground.rows))
    return text_group(letters + numbers, 9, "#5f594e", "normal")


def token_shape(side: int, reach: float, **style: str | float) -> str:
    """Return the outline of a side's token around (0, 0), `reach` from middle to edge: a circle for 0, a square for 1.

    For 2 it is a square on its corner, for 3 a hexagon. `style` holds attributes of the element, such as `fill`.
    """
    if side == 0:
        return tag("circle", cy=-3, r=reach, **style)
    if side > 1:
        points = points_around((0.0, -3.0), reach + 1.5, *((4, 0) if side == 2 else (6, 0)))
        return tag("path", d=f"M{place(*points)}z", stroke_linejoin="round", **style)
    half = reach - 0.8
    return tag("rect", x=-half, y=-3 - half, width=2 * half, height=2 * half, rx=2.5, **style)


def draw_token(token: Token, health: int) -> str:
    """Return a token around (0, 0): its shape, its label, and a bar with the health it has left."""
    shape = token_shape(token.side, TOKEN, fill=SIDES[token.side], stroke=PAPER, stroke_width=1.5)
    label = text_group(text_at(0, 1, token.label), 11 if len(token.label) < 3 else 9.5, "#fff")
    bar = tag("rect", x=-BAR / 2 - 1, y=11, width=BAR + 2, height=6, rx=1.5, fill=PAPER, stroke=INK, stroke_width=0.8)
    level = tag("rect", class_="left", x=-BAR / 2, y=12, width=health_bar(token, health), height=4, fill=HEALTH)
    return shape + label + bar + level


def health_bar(token: Token, health: int) -> float:
    """Return the length of a token's health bar, in units of the plan, at this health.

    >>> health_bar(Token("Nexus", 0, "N1", 8), 2)
    6.5
    """
    return BAR * min(1.0, max(0, health) / max(1, token.health))


def draw_marks(marks: Sequence[Mark]) -> str:
    """Return the signs of a unit's states around (0, 0), at most four: of more, the last is a plus."""
    signs = [mark.sign[:2] for mark in marks]
    if len(signs) > MOST_MARKS:
        signs = [*signs[: MOST_MARKS - 1], "+"]
    places = zip(_MARK_PLACES, signs, strict=False)
    return "".join(pill(spot, sign, MARK, 7.5, INK, INK) for spot, sign in places)


def draw_units(plan: BoardLayout, tokens: Sequence[Token], standings: Sequence[TokenState]) -> str:
    """Return every unit on the board with its states; `standings` are in the order of `tokens`."""
    return "".join(
        layer_group((draw_token(token, state.health), draw_marks(state.marks)), plan.centre(state.cell))
        for token, state in zip(tokens, standings, strict=True)
        if state.cell != OFF_BOARD
    )
