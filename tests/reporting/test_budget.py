"""Reports are as short as somebody who acts on them needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.game.registry import GAMES
from balance.reporting import Cell, Document, render_html, render_pdf, table
from tests.reporting.budget import MOST_PAGES, MOST_WORDS, count_pages, count_words, length_of
from tests.reporting.golden_pages import PAGES
from tests.reporting.manifests import PUBLISHED
from tests.reporting.reading import pdf_pages


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
def test_a_published_report_is_read_in_one_sitting(folder: Path) -> None:
    words, pages = length_of(folder)
    assert words <= MOST_WORDS
    assert pages <= MOST_PAGES


@pytest.mark.slow("test_a_published_report_is_read_in_one_sitting")
def test_so_is_a_report_of_all_that_a_game_can_declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    document = PAGES["declared"](tmp_path)
    assert count_words(render_html(document)) <= MOST_WORDS
    assert count_pages(render_pdf(document)) <= MOST_PAGES


def test_words_of_cells_and_all_pages_are_counted() -> None:
    rows = [[f"Unit {at}", Cell(f"{at} points", at)] for at in range(120)]
    document = Document("Is it fair?", "", (table(["Unit", "Cost"], rows, "Costs of all."),))
    assert count_words(render_html(document)) - count_words(render_html(Document("Is it fair?", "", ()))) > 4 * 120
    paper = render_pdf(document)
    assert count_pages(paper) == len(pdf_pages(paper)) > 1
