"""Games solved, on the page: words that claim no more than was measured, and sides by their names."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.base.numbers import NO_BREAK
from balance.reporting import Callout
from balance.reporting.sections.claims.solution_sides import Sides
from balance.reporting.sections.claims.solutions import _value, _verdict, solution_findings, solution_sections
from balance.reporting.sections.summary import summary_section
from balance.study.frames.solutions import solution_frames
from balance.study.settings.first_page import FirstPage
from tests.reporting.altered import altered, table
from tests.study.test_solutions import asker, wanted

SIDES = Sides("Nexus", "Trooper")


def rows() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a solution that is certified and one that is not, each as a run keeps it."""
    frame = solution_frames(asker(), [wanted(), wanted(id="y", method="approximate")])["solutions"]
    half = pl.when(pl.col("id") == "y").then(0.031).otherwise(0.0)
    exact, rough = frame.with_columns(half_width=half).rows(named=True)
    return exact, rough


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


# -- how well it is known --------------------------------------------------------------------------------------------


def test_words_claim_no_more_than_was_measured() -> None:
    exact, rough = (_verdict(row, SIDES) for row in rows())
    assert "Certified: best responses" in exact
    assert "**62.5%** to Nexus" in exact
    assert "bracket is not certified" in rough
    assert "exploitable by at least" in rough
    assert "at least this wide" in rough
    assert "not the search" in rough  # which one seed does not settle: it turned out otherwise on another machine
    assert not any(word in rough for word in ("Certified", "between", "equilibrium", "cannot be"))
    assert "first named" not in exact + rough


def test_a_value_in_short_has_its_bracket_and_says_whether_it_is_certified() -> None:
    exact, rough = rows()
    assert plain(_value(exact)) == "62.5% (certified, in a bracket 0.0000000001 pp wide)"
    assert plain(_value(rough)) == ("about 60.0% (51.9% to 68.1% against the best answers found, not certified)")


def test_a_verdict_names_whose_play_was_answered() -> None:
    assert (
        "The best answers found hold the play of Nexus to 55.0% ±3.1 and take 65.0% ±3.1 from that of Trooper, so the "
        "play is exploitable by at least 10.0 pp ±4.4 over both seats. **That bracket is not certified:** it is at "
        "least this wide, since others may find more"
    ) in plain(_verdict(rows()[1], SIDES))


@pytest.mark.parametrize(
    ("gain", "half", "is_bound"),
    [(0.010, 0.0155, False), (0.021, 0.0155, False), (0.022, 0.0155, True), (0.0004, 0.0, False), (0.1, 0.0, True)],
)
def test_a_lower_bound_is_said_only_if_its_interval_lies_above_0(gain: float, half: float, is_bound: bool) -> None:
    _, rough = rows()
    row = rough | {"lower": 0.6, "upper": 0.6 + gain, "exploitability": gain, "half_width": half}
    text = plain(_verdict(row, SIDES))
    assert ("at least" in text) is is_bound
    assert ("no surely better answer was found" in text) is not is_bound
    if not is_bound and half:
        assert f"({100 * gain:.1f} pp over both seats, error 2.2 pp)" in text
    assert "at least" not in _value(row)


def test_the_value_of_an_approximation_has_no_error_of_its_own_and_its_ends_have() -> None:
    _, rough = rows()
    ends = ("51.9% to 68.1%",), ("55.0% ±3.1", "65.0% ±3.1")
    for text, said_ends in zip((_value(rough), _verdict(rough, SIDES)), ends, strict=True):
        assert "60.0%" in text
        assert f"60.0%{NO_BREAK}±" not in text
        assert all(said in plain(text) for said in said_ends)


def test_what_was_not_solved_to_the_end_is_not_called_certified() -> None:
    exact, _ = rows()
    for text in (_value(exact | {"converged": False}), _verdict(exact | {"converged": False}, SIDES)):
        assert "not certified" in text
        assert "±3" not in text


def test_where_no_first_page_is_declared_a_solution_comes_first() -> None:
    pages = altered("edadh", {}, None, {"first_page": FirstPage().model_dump(mode="json")})
    page = summary_section(pages)
    assert page is not None
    callout = page.blocks[0]
    assert isinstance(callout, Callout)
    assert callout.text == solution_findings(pages)[0]


# -- who a and b are -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "a", "b"),
    [
        ("Spears", "Shieldsmen", "Spears", "Shieldsmen"),
        ("Spears", "Spears", "Spears (first)", "Spears (second)"),
        ("Angueth, learning game", "Huaos-Dzaa, learning game", "Angueth", "Huaos-Dzaa"),
        ("Angueth, learning game", "Angueth, terrain game", "Learning game", "Terrain game"),
        ("Angueth, learning game", "Angueth, learning game", "Angueth (first)", "Angueth (second)"),
        ("Spears:2", "Swords:2", "Spears", "Swords"),
        ("Spears:2", "Swords:3", "Spears:2", "Swords:3"),
        ("x" * 40 + "1" + "x" * 40, "x" * 81, f"{'x' * 8}…{'x' * 9} (first)", f"{'x' * 8}…{'x' * 9} (second)"),
    ],
)
def test_sides_go_by_short_names_that_are_never_the_same(one: str, other: str, a: str, b: str) -> None:
    assert Sides.of(one, other) == Sides(a, b)


def test_each_question_that_was_solved_is_a_paragraph() -> None:
    (found,) = solution_sections(altered("edadh", {}))
    assert (found.title, len(found.blocks)) == ("Played as well as can be", table("edadh", "solutions").height)
    assert solution_sections(altered("edadh", {"solutions": None})) == []
