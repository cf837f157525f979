"""The picture of the rooms: the packages of `balance` by layer, drawn from the rule of imports in pyproject.toml."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

from tests.docs.pages import DOCS, ROOT

__all__ = ["PICTURE", "layers", "picture", "rooms_table", "write"]

PICTURE = DOCS / "images" / "rooms.svg"
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


def rooms_table() -> str:
    """Return what each package is for, in its own words, the highest layer first."""
    rows = [f"| `balance.{name}` | {_purpose(name)} |" for names in layers() for name in names]
    return "\n".join(["| room | what it is for |", "|---|---|", *rows])


def _purpose(name: str) -> str:
    """Return the first paragraph of the docstring of a package or module."""
    home = ROOT / "balance" / name
    path = home / "__init__.py" if home.is_dir() else Path(f"{home}.py")
    told = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(told.partition("\n\n")[0].split()).replace("|", "\\|")


def write() -> None:
    """Write the picture anew."""
    PICTURE.write_text(picture(), "utf-8")
