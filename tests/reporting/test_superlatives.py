"""Superlatives: who is called most, least or first is worked out from rows, and all who share it are named.

The words of sections and answers are read in the source: what names somebody comes from `highest` or `lowest`, the rest
is listed here with why ties cannot make it wrong. `tests/reporting/test_claims.py` holds built pages to their tables.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.answers.words.lists import highest, lowest
from tests.packaging.checkout import ROOT

ROOMS = ("balance/reporting/sections", "balance/answers/words")
SUPERLATIVE = re.compile(
    r"\b(most|least|fewest|farthest|furthest|largest|smallest|highest|lowest|strongest|weakest|best|worst|longest|"
    r"shortest|greatest|hardest|easiest|nearest|closest|biggest|dearest|cheapest|widest)\b",
    re.IGNORECASE,
)
HARMLESS = {
    "bounds": (r"\bat[ -](least|most|best|worst)\b",),
    "an order of rows, or rows cut from one": (
        r"\b(strongest|best|widest) (first|on top)\b",
        r"\bfarthest from one half is changed first\b",
        r"\bwhose mean score moves most come first\b",
        r"\bthe least equal first\b",
        r"\bthe \{\} (widest|least) ",
    ),
    "a list by a measure that is told": (
        r"\bfarthest from (even|it|fair|the band)\b",
        r"\blies farthest from their cost, as a ratio\b",
    ),
    "the ends of numbers, which name nobody": (
        r"\bfrom the (strongest|least) to the (weakest|most)\b",
        r"\b(the )?worst to (the )?best\b",
        r"\b(lowest|highest) mean score\b",
        r"\blargest (standard error|mean gain|change\b)",
    ),
    "more than half": (r"\bmost is (chance|decided)\b",),
    "terms, and how something was sought": (
        r"\bpoints behind the best\b|\bthe largest effects\b|\bon the highest total\b|\bthe best take \{\}",
        r"\bbest (responses?|reply|answers (that were )?found|answers leave|sums of cards|costs of all cards)\b",
        r"\bbest army found\b",
        r"\bsmallest change (after which|that was tried)\b",
        r"\bcomes? nearest\b|\bbring it nearest\b",
        r"\bthe nearest (that was found|is|with)\b|--nearest|\bnearest whole cost\b|\bnearest to fair\b",
    ),
}
"""Why a superlative needs no rows: the patterns of those that name nobody, or several in order."""
TIES_ARE_TOLD = {
    "playtests/sentences.py _against": "one to play next, of those met as rarely the most even",
    "questions/field_luck.py sentence": "parts of one whole, a line each below",
    "questions/tornado.py _flip": "a number, of the moves that the table below has all of",
    "questions/wins.py ways_of_playing": "who does as well is named beside",
    "handicaps/remedies.py sentence": "of as many steps the one nearer to one half; the table below has all",
    "handicaps/worths.py sentence": "an order of rows, the table below has all",
    "first_page/duels.py _ends_text": "of `Pages.ends`, which holds all who are equal",
    "common/findings.py -": "`_Claims._end` says who shares it",
    "costs/neighbours.py _largest_change_text": "`_foremost` names all who are not told apart",
    "play/stability.py _calibration": "a number, with one of the places where it is",
}
"""Functions that name somebody without `highest` or `lowest`: how they tell ties."""


HARMLESS_WORDS = re.compile("|".join(pattern for patterns in HARMLESS.values() for pattern in patterns), re.IGNORECASE)


def texts_of(node: ast.AST) -> Iterator[str]:
    """Yield the texts of a piece of code, fields as {}, without docstrings and names in one word."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not is_docstring and not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from texts_of(child)


def claims_of(source: str) -> Iterator[tuple[str, str]]:
    """Yield the superlatives of a module that no helper backs, with the function that they stand in."""
    for part in ast.parse(source).body:
        names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
        if names & {"highest", "lowest"} or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
            continue
        for text in (text for text in texts_of(part) if " " in text):
            if SUPERLATIVE.search(HARMLESS_WORDS.sub("", text)):
                yield getattr(part, "name", "-"), text


def claims_of_rooms() -> dict[str, str]:
    return {
        f"{path.parent.name}/{path.name} {name}": text
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for name, text in claims_of(path.read_text("utf-8"))
    }


def test_nobody_is_named_by_a_superlative_that_no_rows_back() -> None:
    claims = claims_of_rooms()
    assert {place: text for place, text in claims.items() if place not in TIES_ARE_TOLD} == {}
    assert [place for place in TIES_ARE_TOLD if place not in claims] == [], "no longer needed"


def test_no_pattern_is_kept_that_nothing_needs() -> None:
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    texts = [text for path in paths for text in texts_of(ast.parse(path.read_text("utf-8")))]
    patterns = [pattern for patterns in HARMLESS.values() for pattern in patterns]
    unneeded = [pattern for pattern in patterns if not any(re.search(pattern, text, re.I) for text in texts)]
    assert not unneeded, "\n".join(unneeded)


@pytest.mark.parametrize(
    ("code", "is_claim"),
    [
        ('def f(a): return f"{a} loses the most"', True),
        ('def f(a): return f"{highest(a)} loses the most"', False),
        ('def f(a):\n    """The most."""\n    return f"at most {a}"', False),
        ('WORST = "the worst of all"', True),
    ],
)
def test_the_source_is_read_as_meant(code: str, is_claim: bool) -> None:
    assert bool(list(claims_of(code))) is is_claim


def show(number: float) -> str:
    return f"{number:.1f}"


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(-9, 9)), min_size=1, max_size=12))
def test_who_is_first_is_everybody_whose_number_reads_as_the_first(rows: list[tuple[str, float]]) -> None:
    for find, order in (
        (highest, sorted(rows, key=lambda row: -row[1])),
        (lowest, sorted(rows, key=lambda row: row[1])),
    ):
        extreme = find(rows, lambda row: row[1], show)
        assert extreme.text == show(order[0][1])
        assert sorted(extreme.rows) == sorted(row for row in rows if show(row[1]) == extreme.text)


@pytest.mark.parametrize(
    ("numbers", "clause"),
    [([3.0, 1.0], "A loses"), ([3.0, 3.04], "A and B alike lose"), ([1.0, 3.0, 3.0], "B and C alike lose")],
)
def test_a_clause_names_all_who_share_it(numbers: list[float], clause: str) -> None:
    rows = list(zip("ABC", numbers, strict=False))
    assert highest(rows, lambda row: row[1], show).clause(lambda row: row[0], "loses", "lose") == clause
