from __future__ import annotations

import json
import re

import pytest

from balance.reporting import Cell, Column, Document, Figure, PageBreak, Paragraph, Picture, Section, Table, render_pdf
from balance.reporting.page.pdf import _drawable, _texts, typeset
from tests.reporting.demo import HOSTILE, duel_matrix, hostile_section, weapon_table, wide_table
from tests.reporting.reading import pdf_pages

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100pt" height="50pt"><rect width="90" height="9"/></svg>'


def test_it_is_a_tagged_accessible_pdf(paper: bytes) -> None:
    assert paper.startswith(b"%PDF-1.7")
    assert b"/StructTreeRoot" in paper
    assert b"pdfuaid" in paper
    assert b"(Is Warforged fair?)" in paper
    assert b"/Outlines" in paper


def test_no_page_is_empty(paper: bytes) -> None:
    pages = pdf_pages(paper)
    assert 10 <= len(pages) <= 20
    numbers = [re.sub(r"\d+/\d+$|Is Warforged fair\?", "", text.replace(" ", "")) for text in pages]
    assert all(len(text) > 30 for text in numbers)


def test_no_date_is_kept(paper: bytes) -> None:
    assert b"/CreationDate" not in paper
    assert b"/ModDate" not in paper


def test_the_alt_text_reaches_the_reader() -> None:
    paper = render_pdf(Document("t", "", (Figure(Picture(SVG), "A grey bar", "A bar."),)))
    assert b"/Alt(A grey bar)" in paper


def test_the_head_of_a_long_table_repeats() -> None:
    pages = pdf_pages(render_pdf(Document("t", "", (weapon_table(80),))))
    assert len(pages) == 2
    assert all("Damage per action" in text for text in pages)


def test_few_tall_rows_break_as_many_low_ones_do() -> None:
    """Else a table of a few long sentences leaves the rest of its page empty."""
    rows = tuple((Cell(f"Card {at}"), Cell(f"sentence {at} " * 100)) for at in range(8))
    long_table = Table((Column("Card"), Column("Why")), rows, "Reasons.")
    first, *_ = pdf_pages(render_pdf(Document("t", "", (Paragraph("word " * 700), long_table))))
    assert "Card 0" in first
    assert "Card 7" not in first


@pytest.mark.slow("test_no_page_is_empty")
def test_a_large_matrix_splits_into_panels_that_say_which() -> None:
    pages = pdf_pages(render_pdf(Document("t", "", (duel_matrix(80),))))
    panels = [
        found[0] for text in pages if (found := re.findall(r"Rows \d+ to \d+ of 80, columns \d+ to \d+ of 80", text))
    ]
    assert panels == [
        f"Rows {rows} of 80, columns {columns} of 80"
        for rows in ("1 to 40", "41 to 80")
        for columns in ("1 to 40", "41 to 80")
    ]


def test_a_heading_goes_along_with_the_turned_page_it_heads() -> None:
    inner = Section("Inner head", "inner", (wide_table(),))
    blocks = (Section("First", "first", (Paragraph("x"),)), Section("Outer head", "outer", (inner,)))
    pages = pdf_pages(render_pdf(Document("t", "", blocks)))
    assert "Outer head" in pages[-1]
    assert "Inner head" in pages[-1]
    assert "A wide table." in pages[-1]


def test_a_page_break_starts_a_page_and_none_is_left_empty() -> None:
    blocks = (Section("A", "a", (Paragraph("one"),)), Section("B", "b", (PageBreak(), Paragraph("two"))), PageBreak())
    pages = pdf_pages(render_pdf(Document("t", "", blocks)))
    assert "two" in pages[-1]
    assert not any("one" in text and "two" in text for text in pages)


@pytest.mark.parametrize("name", [*HOSTILE, "\x00\x07\x1b[0m", "\ud800", "\u202eabc", "a" * 3000, "👩‍👩‍👧", "\ufffe"])
def test_a_hostile_name_anywhere_compiles(name: str) -> None:
    document = Document(name, name, (hostile_section(), Section(name, name, (Paragraph(name),))), ((name, name),), "it")
    assert render_pdf(document).startswith(b"%PDF")


def test_a_picture_that_is_no_picture_is_not_drawn_in_silence() -> None:
    with pytest.raises(Exception, match="SVG"):
        render_pdf(Document("t", "", (Figure(Picture("<svg"), "alt", "c"),)))


def test_the_contents_stand_on_the_first_page() -> None:
    long = Section("Rows", "rows", (weapon_table(80),))
    for first in (Section("Short", "short", (Paragraph("One page."),)), long):
        pages = pdf_pages(render_pdf(Document("t", "", (first, Section("Method", "method", (Paragraph("x"),))))))
        assert "Contents" in pages[0]


def test_words_between_two_turned_pages_do_not_have_a_page_alone() -> None:
    blocks = (Paragraph("one"), wide_table(), Paragraph("two"), wide_table(), Paragraph("three"))
    pages = pdf_pages(render_pdf(Document("t", "", (Section("A", "a", blocks),))))
    assert len(pages) == 2
    assert all(word in pages[0] for word in ("one", "two", "three"))


def test_only_what_no_font_draws_is_told_by_its_code_and_no_picture_is_touched() -> None:
    fire, ball = "\U0001f525", "\u26bd"
    model = {"a": [f"{fire}b", 1, None, {"svg": fire, "text": f"é{ball}{fire}"}], "c": "−…α"}
    found = _drawable(model)
    assert found["a"][3]["svg"] == fire
    assert (found["a"][0], found["a"][1:3], found["c"]) == ("[U+1F525]b", [1, None], "−…α")
    assert found["a"][3]["text"].endswith("[U+1F525]")
    assert _texts(model) == [f"{fire}b", f"é{ball}{fire}", "−…α"]
    drawn = {"svg": fire, "text": "plain"}
    assert _drawable(drawn) is drawn


def test_the_template_is_handed_the_wide_pictures_the_language_and_the_colours() -> None:
    inner = Section("B", "b", (Figure(Picture(SVG, SVG), "alt", "c"),))
    figure = Figure(Picture(SVG), "alt", "c")
    _, inputs = typeset(Document("t", "", (figure, Section("A", "a", (inner, figure))), (), "pt-BR"))
    report = json.loads(inputs["report"])
    assert report["language"] == "pt"
    first, section = report["front"]
    for block in (first, section["blocks"][0]["blocks"][0], section["blocks"][1]):
        assert block["svg"] == SVG
        assert not {"wide", "narrow"} & set(block)
    assert list(report["colours"]) == ["quiet", "rule", "accent", "tones", "ink", "sequential", "diverging"]
    assert [len(report["colours"][name]) for name in ("sequential", "diverging")] == [21, 21]
