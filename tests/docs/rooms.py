"""The picture of the rooms: the packages of `balance` by layer, drawn from the rule of imports in pyproject.toml."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from tests.docs.pages import DOCS, ROOT

CODE = ROOT / "balance"
PICTURE = DOCS / "images" / "rooms.svg"
PAGE = DOCS / "explanation" / "architecture.md"
BEGIN, END = "<!-- rooms -->", "<!-- end of rooms -->"
NO_ROOMS = ("template", "templates")
"""Folders of what is written elsewhere, such as a new game."""
WIDTH, HEIGHT, GAP, LEFT = 720, 34, 10, 60
STYLE = (
    "text{font:14px sans-serif;fill:#1d2733}.note{fill:#5b6875;font-size:12px}"
    "rect.room{fill:#e8f0f7;stroke:#7f9db9}line,path{stroke:#5b6875;fill:none;stroke-width:1.5}"
)


def layers() -> list[list[str]]:
    """Return the packages and modules of each layer, the highest first, as the checker of imports reads them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = (one for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [layer.replace(":", "|").replace(" ", "").split("|") for layer in contract["layers"]]


def picture() -> str:
    """Return the picture as SVG: a band for each layer, a box for each package, imports downwards only."""
    bands = layers()
    height = len(bands) * (HEIGHT + GAP) + 3 * GAP + 12
    foot = height - GAP - 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The packages of balance by layer; each may import those in layers below it</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        f'<line x1="30" y1="{2 * GAP}" x2="30" y2="{foot - 2 * GAP}"/>',
        f'<path d="M24 {foot - 2 * GAP - 8} L30 {foot - 2 * GAP} L36 {foot - 2 * GAP - 8}"/>',
        *(box for at, names in enumerate(bands) for box in _band(names, 2 * GAP + at * (HEIGHT + GAP))),
        f'<text class="note" x="{LEFT}" y="{height - GAP - 2}">A room may import what lies below it, never what lies'
        " above or beside it.</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _band(names: list[str], top: int) -> list[str]:
    """Return the boxes of a layer, side by side over the whole width."""
    width = (WIDTH - LEFT - 2 * GAP - (len(names) - 1) * GAP) / len(names)
    boxes = []
    for at, name in enumerate(names):
        left = LEFT + at * (width + GAP)
        boxes.append(f'<rect class="room" x="{left:g}" y="{top}" width="{width:g}" height="{HEIGHT}" rx="4"/>')
        boxes.append(f'<text x="{left + width / 2:g}" y="{top + 22}" text-anchor="middle">{escape(name)}</text>')
    return boxes


def rooms_list() -> str:
    """Return what each package is for, in its own words, the highest layer first, with the packages inside it."""
    return "\n".join(line for names in layers() for name in names for line in _lines(CODE / name, 0))


def _lines(path: Path, depth: int) -> Iterator[str]:
    """Yield the line of a package or module, then those of the packages in it."""
    name = f"balance.{path.name}" if depth == 0 else path.name
    yield f"{'  ' * depth}* `{name}`: {_purpose(path)}"
    rooms = (room.parent for room in path.glob("*/__init__.py") if room.parent.name not in NO_ROOMS)
    for room in sorted(rooms):
        yield from _lines(room, depth + 1)


def _purpose(path: Path) -> str:
    """Return the first paragraph of the docstring of a package or module."""
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(source.read_text("utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def page() -> str:
    """Return the page of the architecture with the list of rooms as the packages are now."""
    before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{rooms_list()}\n{end}{after}"


def write() -> None:
    """Write the picture and the list of rooms anew."""
    PICTURE.write_text(picture(), "utf-8")
    PAGE.write_text(page(), "utf-8")
