"""Small reports in full, as text: what a reader finds on pages that the published reports do not have."""

from __future__ import annotations

import pytest

from tests.reporting.golden_pages import GOLDEN, PAGES, page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_was_read_and_kept(name: str) -> None:
    """If it is meant to say something else: `python -m tests.reporting.golden_pages`, then read what changed."""
    assert page(name).splitlines() == (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()


def test_no_page_is_kept_that_nobody_draws() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(PAGES)
