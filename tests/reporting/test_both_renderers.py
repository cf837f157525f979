"""Both renderings show every text and every number of the same document."""

from __future__ import annotations

import dataclasses

import pytest

from balance.reporting import Document, Paragraph, Section, render_html, render_pdf
from tests.reporting.demo import HOSTILE, demo
from tests.reporting.reading import Reader, pdf_pages, squeeze, words_of


def missing(words: set[str], text: str) -> list[str]:
    return sorted(word for word in words if word not in squeeze(text))


@pytest.mark.slow("test_the_paper_shows_every_text_it_has_letters_for")
def test_the_page_shows_every_text(document: Document, page: str) -> None:
    assert missing(words_of(document), "".join(Reader(page).text)) == []


def test_the_paper_shows_every_text_it_has_letters_for(paper: bytes) -> None:
    words = {word for word in words_of(demo(hostile=False)) if "**" not in word}
    assert len(words) > 500
    assert missing(words, "".join(pdf_pages(paper))) == []


def test_the_paper_shows_hostile_names_literally(paper: bytes) -> None:
    text = "".join(pdf_pages(paper))
    latin = {squeeze(name) for name in (*HOSTILE[:5], HOSTILE[9])}
    assert missing(latin, text) == []


def test_the_paper_prints_what_it_cannot_draw_as_a_code_point(paper: bytes) -> None:
    text = squeeze("".join(pdf_pages(paper)))
    assert "[U+1F600][U+1F525]robot" in text
    assert "[U+4E2D][U+6587]" in text


@pytest.mark.slow("test_another_document_gives_other_bytes")
def test_the_reader_would_notice_a_lost_number(document: Document, page: str, paper: bytes) -> None:
    altered = dataclasses.replace(document, blocks=(*document.blocks, Paragraph("61.35% of nothing")))
    assert missing(words_of(altered), "".join(Reader(page).text)) == ["61.35%ofnothing"]
    assert missing({"61.35%ofnothing"}, "".join(pdf_pages(paper))) == ["61.35%ofnothing"]


@pytest.mark.slow("test_another_document_gives_other_bytes")
def test_the_same_document_gives_the_same_bytes(page: str, paper: bytes) -> None:
    assert render_html(demo()) == page
    assert render_pdf(demo()) == paper


def test_another_document_gives_other_bytes() -> None:
    one, other = (Document("t", "", (Paragraph(text),)) for text in ("61.3%", "61.4%"))
    assert render_html(one) != render_html(other)
    assert render_pdf(one) != render_pdf(other)


@pytest.mark.parametrize("blocks", [(), (Paragraph(""),), (Section("Alone", "alone", ()),)])
def test_a_nearly_empty_report_renders(blocks: tuple) -> None:
    document = Document("Nothing", "", blocks)
    assert "<h1>Nothing</h1>" in render_html(document)
    assert "Nothing" in "".join(pdf_pages(render_pdf(document)))
