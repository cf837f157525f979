"""The gallery of pages to open and touch: it says what is made, with a small picture of each."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.docs import live_pages
from tests.docs.live_pages import LIVE_PAGES, LivePage
from tests.docs.pages import text_of

LARGEST = 80_000
"""Bytes of a picture."""


def test_the_gallery_is_what_is_made() -> None:
    assert text_of(live_pages.PAGE) == live_pages.text(), "if that is meant: python -m tests.docs"


@pytest.mark.parametrize("page", [page for page in LIVE_PAGES if not page.is_listed], ids=lambda page: page.name)
def test_every_page_has_a_small_picture(page: LivePage) -> None:
    assert 5_000 < page.picture.stat().st_size < LARGEST, "make pictures"


def test_a_page_is_made_anew_only_when_something_is_newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[Path] = []

    def make(file: Path) -> None:
        made.append(file)
        file.write_text("A page.", "utf-8")

    monkeypatch.setattr(live_pages, "LIVE_PAGES", (replace(LIVE_PAGES[0], make=make),))
    (file,) = live_pages.make_all(tmp_path)
    assert [*live_pages.make_all(tmp_path)] == [file] == made
    os.utime(file, (0, 0))
    assert [*live_pages.make_all(tmp_path)] == [file]
    assert made == [file, file]
