"""SVG written by hand: tags, lengths to a tenth, short texts; everything escaped, the same text every time.

>>> tag("circle", r=2.04, stroke_width=1, class_="a&b")
'<circle r="2" stroke-width="1" class="a&amp;b"/>'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from balance.answers.blocks.text import clean

Point = tuple[float, float]


def num(value: float) -> str:
    """Return a length as SVG has it, to a tenth.

    >>> num(12.0), num(1 / 3), num(-0.01)
    ('12', '0.3', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def place(*points: Point) -> str:
    """Return points as the lines of a path between them.

    >>> place((1, 2.5), (3, 4))
    '1 2.5L3 4'
    """
    return "L".join(f"{num(x)} {num(y)}" for x, y in points)


def points_around(centre: Point, reach: float, n_points: int, begin: float = 0.0) -> list[Point]:
    """Return evenly spaced points on a circle of radius `reach`, clockwise; `begin` is in degrees from the right."""
    turns = (math.radians(begin + 360 / n_points * number) for number in range(n_points))
    return [(centre[0] + reach * math.cos(turn), centre[1] + reach * math.sin(turn)) for turn in turns]


def tag(name: str, inner: str = "", /, **attributes: str | float) -> str:
    """Return an element; ``_`` in the name of an attribute is ``-``, and at its end nothing. `inner` is SVG already."""
    pairs = (
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else num(value)}"'
        for key, value in attributes.items()
    )
    head = f"<{name}{''.join(pairs)}"
    return f"{head}>{inner}</{name}>" if inner else f"{head}/>"


def stroke(path: str, colour: str, width: float, halo: str = "", **more: str | float) -> str:
    """Return a path, the text of its `d`, drawn and not filled, on a line 3 units broader of colour `halo` if any.

    `more` are further attributes of the line.
    """
    under = tag("path", d=path, fill="none", stroke=halo, stroke_width=width + 3) if halo else ""
    return under + tag("path", d=path, fill="none", stroke=colour, stroke_width=width, **more)


def text_at(x: float, y: float, text: str) -> str:
    """Return a text element at the start of its base line, or at its middle inside a `text_group`."""
    return tag("text", escape(drawable(text)), x=x, y=y)


def drawable(text: str) -> str:
    """Return a short text with ? for each character that the fonts for paper may lack.

    >>> drawable("N1"), drawable("字7")
    ('N1', '?7')
    """
    return "".join(sign if sign == "−" or ord(sign) <= 0x24F else "?" for sign in clean(text))


def pill(centre: Point, text: str, fill: str, size: float = 8.0, ink: str = "#fff", rim: str = "#fff") -> str:
    """Return a short text on a rounded ground of colour `fill` around `centre`; `rim` is the colour of its edge."""
    x, y = centre
    high = size + 3.5
    wide = max(len(text) * 0.64 * size + 5.0, high)
    ground = tag("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=high / 2, fill=fill, stroke=rim)
    return ground + text_group(text_at(x, y + 0.36 * size, text), size, ink)


def text_group(texts: str, size: float, ink: str, weight: str = "bold") -> str:
    """Return elements from `text_at` in a group of one type, each centred on its point."""
    return tag("g", texts, font_size=size, font_weight=weight, text_anchor="middle", fill=ink)


def layer_group(layers: Sequence[str], centre: Point, **more: str | float) -> str:
    """Return layers drawn around (0, 0), the lowest first, moved to `centre`; `more` are attributes of the group."""
    return tag("g", "".join(layers), transform=f"translate({place(centre)})", **more)
