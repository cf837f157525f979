"""Pages of a report on paper are filled: rendered small, no large part of any but the last is blank."""

from __future__ import annotations

import io
from itertools import groupby

import pytest
from PIL import Image

from balance.reporting import Document, Paragraph, Section, table
from balance.reporting.build import build_document
from balance.reporting.page.pdf import _fonts, typeset
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.demo import figures

MOST_BLANK = 1 / 3


def blanks(document: Document) -> list[float]:
    """Return the largest blank band of each page but the last, as a share of the height of its text."""
    import typst

    source, inputs = typeset(document)
    made = typst.compile(source, font_paths=_fonts(), sys_inputs=inputs, format="png", ppi=24.0)
    return [_blank(Image.open(io.BytesIO(page)).convert("L")) for page in made[:-1]] if isinstance(made, list) else []


def _blank(page: Image.Image) -> float:
    """Return the largest run of white rows between the header and the footer, as a share of them all."""
    top, bottom = round(24 / 25.4 * 24), page.height - round(22 / 25.4 * 24)
    white = [page.crop((0, y, page.width, y + 1)).getextrema()[0] > 250 for y in range(top, bottom)]
    return max((len(list(run)) for blank, run in groupby(white) if blank), default=0) / (bottom - top)


@pytest.mark.slow("test_a_half_empty_page_is_found")
@pytest.mark.parametrize("game", ["warforged", "battlelore", "edadh"])
def test_no_page_of_a_shipped_report_is_half_empty(game: str) -> None:
    found = blanks(build_document(load_run(ROOT / "reports" / game)))
    assert len(found) >= 3
    assert max(found) < MOST_BLANK, [round(share, 2) for share in found]


@pytest.mark.slow("test_a_half_empty_page_is_found")
def test_what_follows_a_picture_without_room_fills_the_page() -> None:
    words = Paragraph("Words that fill a line and a little more of the page, over and over. " * 40)
    rows = table(["Unit", "Cost"], [[f"Unit {i}", str(i)] for i in range(40)], "Costs")
    blocks = (Section("A", "a", (words, figures()[0], words, figures()[2], words, rows, words)),)
    found = blanks(Document("t", "", blocks))
    assert max(found) < MOST_BLANK, found


def test_a_half_empty_page_is_found() -> None:
    from balance.reporting import PageBreak

    assert max(blanks(Document("t", "", (Paragraph("One."), PageBreak(), Paragraph("Two."))))) > MOST_BLANK
