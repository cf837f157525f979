from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.answers.blocks.text import clean, literal, parse_runs, plain, shorten, slug
from tests.reporting.demo import HOSTILE


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


UNFIT = [
    *((0x00, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0x202A, 0x202E), (0x2066, 0x2069), (0xFDD0, 0xFDEF)),
    *((plane * 0x10000 + 0xFFFE, plane * 0x10000 + 0xFFFF) for plane in range(17)),
]
SPACES = (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x85, 0x2028, 0x2029)


def test_of_the_characters_around_these_exactly_these_are_not_printed() -> None:
    """Controls, halves of a character, what turns the direction of a line, and what is no character at all."""
    near = {end + step for pair in (*UNFIT, (0x2028, 0x2029)) for end in pair for step in (-1, 0, 1)}
    codes = sorted({*range(0x400), *near} - {ord("a"), -1, 0x110000})
    printed = clean("a".join(map(chr, codes))).split("a")
    unfit = {code for low, high in UNFIT for code in range(low, high + 1)} - set(SPACES)
    expected = [" " if code in SPACES else "\ufffd" if code in unfit else chr(code) for code in codes]
    assert [code for code, *pair in zip(codes, printed, expected, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abc…fghi"),
        ("abcdefghi", 7, "abc…ghi"),
        ("ab cdefghi", 7, "ab…ghi"),
        ("a\nb", 3, "a b"),
    ],
)
def test_a_long_label_loses_its_middle(text: str, limit: int, short: str) -> None:
    assert shorten(text, limit) == short


def test_a_label_has_34_characters_where_nobody_says_how_many() -> None:
    assert shorten("x" * 34) == "x" * 34
    assert shorten("x" * 35) == f"{'x' * 16}…{'x' * 17}"


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", ()),
        ("a\n **b**", (("text", "a "), ("bold", "b"))),
        (r"\* \` \\ \x", (("text", r"* ` \ \x"),)),
        (r"`a \` b` c", (("code", "a ` b"), ("text", " c"))),
        (r"`a\b`", (("code", r"a\b"),)),
        ("**a*b**c", (("bold", "a*b"), ("text", "c"))),
        ("**a** **b**", (("bold", "a"), ("text", " "), ("bold", "b"))),
        ("**a****b**", (("bold", "ab"),)),
        ("**a `b` c**", (("text", "**a "), ("code", "b"), ("text", " c**"))),
    ],
)
def test_marked_text_in_full(text: str, runs: tuple[tuple[str, str], ...]) -> None:
    assert parse_runs(text) == runs


@pytest.mark.parametrize(
    ("text", "end"), [("A B", "a-b"), ("--a__b--", "a-b"), ("ÄÖ", "part"), ("É1", "1"), ("İx", "i-x")]
)
def test_the_end_of_a_link(text: str, end: str) -> None:
    assert slug(text) == end
