"""The gallery (docs/reference/gallery.md) shows the game files that ship, and what is said of them."""

from __future__ import annotations

import pytest

from balance.game.authoring.new_file import template_kinds, template_texts
from tests.docs import gallery
from tests.docs.pages import text_of


@pytest.mark.parametrize("kind", template_kinds())
def test_a_game_is_shown_as_it_is(kind: str) -> None:
    assert gallery.section(kind, template_texts()[kind]) in text_of(gallery.PAGE), (
        "if that is meant: python -m tests.docs"
    )


def test_every_game_is_shown_once() -> None:
    text = text_of(gallery.PAGE)
    assert text.startswith(gallery.HEAD)
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == template_kinds()
