"""A `Document` as a tagged, accessible PDF (PDF/UA-1), set by the Typst compiler inside its Python wheel.

The template is fixed and the report enters it as JSON, so no text of a catalogue is ever read as Typst. Only the fonts
inside the wheel are used, and no clock is read: the same document gives the same bytes on every machine. A character
that none of those fonts can draw is printed as its code point, ``[U+1F525]``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from balance.answers.blocks.document import Document
from balance.reporting.figures.theme import LIGHT, swatches
from balance.reporting.page.model import Json, as_model

if TYPE_CHECKING:
    from typst import Fonts

MOST_INLINE = 380.0
"""Height in points up to which a picture of the first section stands where it is told of."""
_PROBE = b"""#set document(title: "probe")
#set text(font: "Libertinus Serif")
#for character in json(bytes(sys.inputs.characters)) [ #character ]
"""


def render_pdf(document: Document) -> bytes:
    """Return the report as the bytes of one PDF; the same document gives the same bytes."""
    return _compile(*typeset(document))


def typeset(document: Document) -> tuple[bytes, dict[str, str]]:
    """Return the source of the Typst template, and its inputs: the document as JSON, `report`."""
    model = as_model(document)
    for block in _figures([*model["front"], *model["rest"]]):
        del block["wide"], block["narrow"], block["marks"]
    for block in _figures(model["front"]):
        block["inline"] = block["paper"][1] <= MOST_INLINE
    model["language"] = model["language"].partition("-")[0]
    model["colours"] = {
        **{name: asdict(LIGHT)[name] for name in ("quiet", "rule", "accent", "tones")},
        "ink": LIGHT.page.ink,
        **{palette: [asdict(tone) for tone in swatches(palette)] for palette in ("sequential", "diverging")},
    }
    source = resources.files("balance.reporting.page").joinpath("templates/report.typ").read_bytes()
    return source, {"report": json.dumps(_drawable(model), ensure_ascii=False)}


def _figures(blocks: list[Json]) -> list[Json]:
    """Return the figures among blocks, also those nested in sections."""
    inner = [figure for block in blocks if block["kind"] == "section" for figure in _figures(block["blocks"])]
    return [block for block in blocks if block["kind"] == "figure"] + inner


@cache
def _fonts() -> Fonts:
    from typst import Fonts

    return Fonts(include_system_fonts=False)


def _compile(source: bytes, inputs: dict[str, str]) -> bytes:
    import typst

    content = typst.compile(
        source, font_paths=_fonts(), sys_inputs=inputs, format="pdf", pdf_standards=["ua-1"], timestamp=0
    )
    if not isinstance(content, bytes):
        raise TypeError(f"typst returned {type(content).__name__}, not the bytes of one PDF")
    return content


def _drawable(model: Json) -> Any:
    """Return the model with each character that no font can draw replaced by its code point."""
    doubtful = sorted({character for text in _texts(model) for character in text if ord(character) > 0x24F})
    table = {ord(character): f"[U+{ord(character):04X}]" for character in _undrawable(doubtful)}
    return _translate(model, table) if table else model


def _texts(node: Any) -> list[str]:
    """Return every string of the tree but the pictures, which hold no text to be drawn."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, dict):
        return [text for key, value in node.items() if key != "svg" for text in _texts(value)]
    return [text for value in node for text in _texts(value)] if isinstance(node, list) else []


def _translate(node: Any, table: dict[int, str]) -> Any:
    if isinstance(node, str):
        return node.translate(table)
    if isinstance(node, dict):
        return {key: value if key == "svg" else _translate(value, table) for key, value in node.items()}
    return [_translate(value, table) for value in node] if isinstance(node, list) else node


def _undrawable(characters: list[str]) -> list[str]:
    """Return the characters that the compiler refuses, found by bisection."""
    import typst

    if not characters:
        return []
    try:
        _compile(_PROBE, {"characters": json.dumps(characters)})
    except typst.TypstError:
        half = len(characters) // 2
        return characters if half == 0 else _undrawable(characters[:half]) + _undrawable(characters[half:])
    return []
