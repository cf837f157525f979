"""Every page of the gallery, as `make docs` makes it, opens without a fault and nobody is shut out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations
from tests.docs.live_pages import ANSWERED, LIVE_PAGES, make_all


@pytest.mark.slow("tests/docs/test_live_pages.py::test_every_page_has_a_small_picture")
def test_every_page_of_the_gallery_opens(open_page: OpenPage, tmp_path: Path) -> None:
    faults: dict[str, list[str]] = {}
    for live, file in zip(LIVE_PAGES, make_all(tmp_path), strict=True):
        page = open_page(file, width=390, dark=True)
        if live.answers:
            page.locator(ANSWERED).wait_for(timeout=60_000)
        assert page.locator("h1").count() == 1
        faults |= {live.name: found} if (found := axe_violations(page)) else {}
    assert faults == {}
