"""Games solved, on the page: words that claim no more than was measured, sides by their names, and what is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from balance.base.numbers import NO_BREAK
from balance.game.solution import SolutionTable
from balance.reporting import Callout, Facts, Figure, Section, Table
from balance.reporting.sections.claims.solution_tables import Sides, _figure, _table
from balance.reporting.sections.claims.solutions import _value, _verdict, solution_findings, solution_sections
from balance.reporting.sections.summary import summary_section
from balance.study.frames.solutions import solution_frames
from balance.study.settings.first_page import FirstPage
from tests.reporting.altered import altered, table
from tests.reporting.in_words import pictures_in_words
from tests.study.test_solutions import asker, solved, wanted

SIDES = Sides("Nexus", "Trooper")
OPENING = pl.DataFrame({"card": [1, 2], "a plays": [0.25, 0.75], "b plays": [1.0, 0.0]})
RANGED = OPENING.with_columns(
    **{"a least": pl.Series([0.2, 0.75]), "a most": pl.Series([0.4, 0.75 + 1e-7])},
    **{"b least": pl.Series([1.0, 0.0]), "b most": pl.Series([1.0, 1e-8])},
)


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


def section(opponent: str = "shieldsmen", **tables: pl.DataFrame) -> Section:
    """Return the section of the last Spears, with other tables."""
    rows = table("edadh", "solutions").filter(id="last_two").with_columns(other=pl.lit(opponent))
    titles = [{"id": "last_two", "name": name, "title": "What side a does.", "differences": []} for name in tables]
    frames = {f"solution_last_two_{name}": frame for name, frame in tables.items()}
    told = pl.DataFrame(titles, table("edadh", "solution_tables").schema)
    (found,) = solution_sections(altered("edadh", {"solutions": rows, "solution_tables": told, **frames}))
    return found


def tables_of(found: Section) -> list[Table]:
    return [block for block in found.blocks if isinstance(block, Table)]


def test_columns_cells_and_captions_name_the_sides() -> None:
    mixing = pl.DataFrame({"side": ["a", "b"], "a scores": [0.5, 0.25], "about": ["a", "low, played"], "a": [1, 2]})
    (found,) = tables_of(section(mixing=mixing))
    assert found.caption == "What Spears does."
    assert [column.name for column in found.columns] == ["side", "Spears scores", "about", "a"]
    assert [[cell.text for cell in row] for row in found.rows] == [
        ["Spears", "50.0%", "a", "1"],
        ["Shieldsmen", "25.0%", "Low cards, played", "2"],
    ]


def test_two_of_one_name_are_told_apart_in_headings_and_facts() -> None:
    found = section("spears", opening=OPENING)
    heads = [column.name for column in tables_of(found)[0].columns]
    assert heads == ["card", "Spears (first) plays", "Spears (second) plays"]
    (facts,) = [block for block in found.blocks if isinstance(block, Facts)]
    assert dict(facts.rows)["Certified for Spears (first), between"]


# -- numbers and pictures --------------------------------------------------------------------------------------------


def test_numbers_with_decimals_are_shares_or_differences() -> None:
    part = SolutionTable("t", "T", ("card", "share", "gain"), ((1, 0.25, -0.1), (2, 0.75, 0.2)), ("gain",))
    solution = replace(solved(None, "exact", 0), tables=(part,))
    frame = solution_frames(asker(lambda setup, method, seed: solution), [wanted()])["solution_x_t"]
    shown = [[cell.text for cell in row] for row in _table(frame, "T.", part.differences, SIDES).rows]
    assert shown == [["1", "25.0%", "−10.0\N{NO-BREAK SPACE}pp"], ["2", "75.0%", "+20.0\N{NO-BREAK SPACE}pp"]]


def test_half_an_interval_stands_behind_its_difference() -> None:
    frame = pl.DataFrame({"number": ["od"], "gain": [0.103], "half interval": [0.005]})
    shown = _table(frame, "T.", ("gain", "half interval"), SIDES)
    assert [column.name for column in shown.columns] == ["number", "gain"]
    assert plain(shown.rows[0][1].text) == "+10.3 pp ±0.5"


@pytest.mark.parametrize(
    ("name", "frame", "shown"),
    [
        ("opening", OPENING, True),
        ("opening", RANGED, True),
        ("usage", OPENING, True),
        ("other", OPENING, False),
        ("opening", OPENING.select("card", "a plays"), False),
    ],
)
def test_what_both_sides_play_is_one_picture_above_its_table(name: str, frame: pl.DataFrame, shown: bool) -> None:
    kinds = [type(block) for block in section(**{name: frame}).blocks if isinstance(block, Figure | Table)]
    assert kinds == [*([Figure] if shown else []), Table]


def drawn(frame: pl.DataFrame) -> tuple[Figure, list[str]]:
    with pictures_in_words():
        figure = _figure(frame, "First card.", SIDES)
    return figure, [line.strip() for line in figure.picture.wide.splitlines()]


def test_every_share_is_a_bar_and_both_sides_have_their_names() -> None:
    figure, lines = drawn(OPENING)
    assert figure.caption == "First card. Left bars: Nexus; right bars: Trooper."
    assert figure.alt == "First card. Nexus: 1 25.0%, 2 75.0%; Trooper: 1 100%."
    assert [line.rpartition(", ")[2] for line in lines if line.startswith("bar")] == ["0.25)", "0.75)", "1)", "0)"]
    assert [line.split("'")[1] for line in lines if line.startswith("key")] == ["Nexus", "Trooper"]
    assert not any(line.startswith("line") for line in lines)


def test_only_what_perfect_play_leaves_open_has_a_whisker() -> None:
    figure, lines = drawn(RANGED)
    (whisker,) = [line for line in lines if line.startswith("line")]
    assert whisker.endswith("(-0.195, 0.2) (-0.195, 0.4)")
    assert plain(figure.caption).endswith(
        "Whiskers go from the least to the most where these are 0.1 pp apart or more."
    )
    narrow = RANGED.with_columns(**{"a least": "a plays", "a most": "a plays"})
    figure, lines = drawn(narrow)
    assert plain(figure.caption).endswith("are nowhere 0.1 pp apart, so there are no whiskers.")
    assert not any(line.startswith("line") for line in lines)
