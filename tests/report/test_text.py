from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.report.text import clean, literal, parse_runs, plain, shorten, slug
from tests.report.demo import HOSTILE


@pytest.mark.parametrize("text", ["**", "**a", "a**", "`", "`a", "****", "``", "\\", "* a *", "2 ** 3", "a ** b `"])
def test_an_unclosed_mark_is_itself(text: str) -> None:
    assert parse_runs(text) == (("text", text),)


def test_marks_inside_marks_are_themselves() -> None:
    assert parse_runs("`**a**`") == (("code", "**a**"),)


def test_an_escaped_mark_inside_bold() -> None:
    assert parse_runs(r"**a \*\* b**") == (("bold", "a ** b"),)


@given(st.text())
def test_literal_text_shows_itself(text: str) -> None:
    assert plain(literal(text)) == clean(text)
    assert all(style == "text" for style, _ in parse_runs(literal(text)))


@given(st.text())
def test_a_literal_name_may_be_bold(text: str) -> None:
    wanted = clean(text)
    assert parse_runs(f"**{literal(text)}**") == ((("bold", wanted),) if wanted else (("text", "****"),))


@given(st.text())
def test_clean_text_has_no_control_and_stays_clean(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert all(character.isprintable() or ord(character) > 0x9F for character in once)
    once.encode()


def test_a_right_to_left_override_is_taken_out() -> None:
    assert clean("a\u202eb") == "a\ufffdb"
    assert clean(HOSTILE[6]) == HOSTILE[6]


@given(st.text(), st.integers(5, 40))
def test_a_short_label_fits(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


@given(st.text())
def test_a_slug_is_safe_in_a_link(text: str) -> None:
    assert set(slug(text)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert slug(text)
