"""Findings: what they claim is what the numbers say, and says otherwise where the numbers do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.reporting.sections.common.findings import finding_text, is_headline
from balance.reporting.sections.common.report_tables import table_caption
from balance.study.frames.claims import apart, variance_shares
from balance.study.frames.report_settings import GameSettings
from balance.study.frames.report_tables import SCHEMA
from balance.study.settings.tables import ReportTable

SHIPPED = sorted((Path(__file__).parents[2] / "data").glob("*/report.toml"))
COMPARES = re.compile(
    r"\b(?!(?:either|other|others|after|under|over|never|number|numbers|spider|player|players|order|"
    r"rather|whether|former|together|per|banner|paper|rest|test|defender|attacker|attackers|cover|forest|danger)\b)"
    r"(more|less|most|least|fewer|far|much|best|worst|\w+er|\w+est|decides?|dominates?|dominated|matters?|because|"
    r"only|always|never|nothing|none|no)\b",
    re.IGNORECASE,
)
ALLOWED = re.compile(r"at least (one|two|three)|one who|\bother way round\b", re.IGNORECASE)


def claims_in(finding: str) -> list[str]:
    """Words of a finding, outside its fields, that compare or generalise."""
    words = ALLOWED.sub("", re.sub(r"\{[^{}]*\}", "", finding))
    return [found[0] for found in COMPARES.finditer(words)]


def cells(values: dict[tuple[str, str], float], half: float | None = None, **more: Any) -> pl.DataFrame:
    rows = [
        {"row": row, "column": column, "value": value, "is_share": True, "show": "value", "kind": "exact"}
        | ({} if half is None else {"low": value - half, "high": value + half, "kind": "simulated"})
        | more
        for (row, column), value in values.items()
    ]
    return pl.DataFrame(rows, schema=dict(SCHEMA))


def table(finding: str, **more: Any) -> ReportTable:
    case = [{"label": "x", "one": "knight"}]
    told = {"id": "t", "caption": "c", "rung": "duel", "rows": case, "columns": case, "measure": {"score": "a"}}
    return ReportTable.model_validate(
        told | {"finding": finding, "row_title": "habits", "column_title": "armies"} | more
    )


def said(finding: str, values: dict[tuple[str, str], float], half: float | None = None, **more: Any) -> str:
    return finding_text(table(finding, decimals=0), cells(values, half, **more)).replace("\u00a0", " ")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_no_shipped_finding_compares_in_words_of_its_own(path: Path) -> None:
    settings = tomllib.loads(path.read_text("utf-8"))
    told = [part for section in settings.get("sections", []) for part in section["tables"]]
    found = {
        part["id"]: claims_in(f"{part.get('finding', '')} {part.get('caution', '')}")
        for part in [*told, *settings.get("solutions", []), *settings.get("robustness", [])]
    }
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "claim",
    [
        "The largest score is {most}: with equal armies, how one plays decides far more than which army one has.",
        "One more {most_row} is worth the most: {most}.",
        "{most_row} does best.",
        "Going first never matters.",
    ],
)
def test_a_claim_in_words_is_noticed(claim: str) -> None:
    assert claims_in(claim)


@pytest.mark.parametrize(
    ("left", "right", "half", "word"),
    [
        (0.9, 0.5, 0.02, "90% ±2.0, more than 50% ±2.0"),
        (0.5, 0.9, 0.02, "50% ±2.0, less than 90% ±2.0"),
        (0.52, 0.5, 0.02, "52% ±2.0, not told apart from 50% ±2.0"),
        (0.52, 0.5, None, "52%, more than 50%"),
        (0.5, 0.5, None, "50%, the same as 50%"),
    ],
)
def test_a_comparison_turns_round_with_its_numbers(left: float, right: float, half: float | None, word: str) -> None:
    finding = "{cell[r][a]}, {than[r][a][r][b]} {cell[r][b]}"
    assert said(finding, {("r", "a"): left, ("r", "b"): right}, half) == word


def test_an_end_says_where_it_is_and_what_is_no_different() -> None:
    values = {("r", "a"): 0.9, ("s", "a"): 0.89, ("t", "a"): 0.2}
    assert said("{most_row} {most}", values) == "r 90% (the highest of 3)"
    assert said("{most_row} {most}", values, 0.02) == "r 90% ±2.0 (the highest of 3, not told apart from s)"
    assert said("{least_row} {least}", values | {("s", "a"): 0.2}) == "s 20% (the lowest of 3, shared with t)"


GRID = {("r", "a"): 0.9, ("r", "b"): 0.5, ("s", "a"): 0.1, ("s", "b"): 0.5, ("t", "a"): 0.1, ("t", "b"): 0.1}


@pytest.mark.parametrize(
    ("finding", "half", "text"),
    [
        ("", None, ""),
        ("Plain.", None, "Plain."),
        ("{{{cell[r][a]}}}", None, "{90%}"),
        ("{cell[r][c]}", None, ""),
        ("{than[r][a][x][a]}", None, ""),
        ("{row_range[r]}", None, "50% (b) to 90% (a)"),
        ("{row_range[t]}", None, "10% (the same in all 2)"),
        ("{row_range[t]}", 0.02, "10% ±2.0 (not told apart in all 2)"),
        ("{row_range[x]}", None, ""),
        ("{column_range[b]}", None, "10% (t) to 50% (r and s)"),
        ("{column_range[x]}", None, ""),
        ("{most[b]} {most_row[b]}", None, "50% (the highest of 3, shared with s) r"),
        ("{most[x]}", None, ""),
        ("{least}", None, "10% (the lowest of 6, shared with 2 others)"),
        ("{least}", 0.02, "10% ±2.0 (the lowest of 6, not told apart from 2 others)"),
        ("{least_column} {most_column}", None, "a a"),
        ("{most_range}; {least_range}", None, "50% (b) to 90% (a); 10% (a) to 50% (b)"),
    ],
)
def test_every_field_is_said_in_full(finding: str, half: float | None, text: str) -> None:
    assert said(finding, GRID, half) == text


def test_what_is_not_known_is_neither_an_end_nor_compared() -> None:
    known = cells({("r", "a"): 0.9, ("s", "a"): 0.1, ("t", "a"): 0.2})
    frame = known.with_columns(value=pl.when(pl.col("row") == "r").then(None).otherwise("value"))
    for finding, text in {
        "{most}": "20% (the highest of 2)",
        "{column_range[a]}": "10% (s) to 20% (t)",
        "{row_range[t]}": "20%",
        "{row_range[r]}": "",
        "{than[s][a][r][a]}": "",
        "{than[r][a][s][a]}": "",
        "{cell[r][a]}": "–",
        "{shares}": "",
    }.items():
        assert finding_text(table(finding, decimals=0), frame) == text
    beyond = frame.with_columns(beyond=pl.when(pl.col("row") == "r").then(4), is_share=pl.lit(False))
    told = finding_text(table("{most_row} {most}", decimals=0), beyond).replace("\u00a0", " ")
    assert told == "r > 4 (the highest of 3)"


@pytest.mark.parametrize(
    ("more", "values", "half", "headline"),
    [
        ({}, [0.9], None, False),
        ({"headline": True}, [0.0], None, True),
        ({"headline_from": 0.1}, [0.1], None, True),
        ({"headline_from": 0.1}, [-0.1], None, True),
        ({"headline_from": 0.1}, [0.09], None, False),
        ({"headline_from": 0.1}, [0.15], 0.04, True),
        ({"headline_from": 0.1}, [-0.15], 0.04, True),
        ({"headline_from": 0.1}, [0.15], 0.06, False),
        ({"headline_from": 0.1}, [0.0], 0.2, False),
        ({"headline_from": 0.1}, [0.2], 0.2, False),
        ({"headline_from": 0.1, "headline": True}, [0.0], None, False),
        ({"headline_from": 0.1}, [0.0, 0.3], None, True),
        ({"headline_from": 0.1}, [None], None, False),
    ],
)
def test_a_finding_belongs_on_the_first_page_always_or_for_its_size(
    more: dict[str, Any], values: list[float | None], half: float | None, headline: bool
) -> None:
    frame = cells({(f"r{n}", "a"): value or 0.0 for n, value in enumerate(values)}, half)
    frame = frame.with_columns(value=pl.Series(values, dtype=pl.Float64))
    assert is_headline(table("x", **more), frame) is headline


def test_the_largest_change_is_found_in_whichever_column_and_on_whichever_side() -> None:
    values = {("Q1", "any"): 0.014, ("Q6", "any"): -0.07, ("Q1", "cautious"): 0.006, ("Q6", "cautious"): -0.217}
    finding = "{largest_row}, {largest_column}: {largest}; {largest_range}"
    assert said(finding, values, 0.003, show="difference") == (
        "Q6, cautious: −22 pp ±0.3 (the largest of 4, either way); −22 pp ±0.3 (cautious) to −7 pp ±0.3 (any)"
    )
    turned = {place: -value for place, value in values.items()} | {("Q1", "any"): 0.5}
    assert said("{largest_row}, {largest_column}", turned) == "Q1, any"


def test_a_change_reaches_the_first_page_if_it_is_surely_as_large() -> None:
    part = table("{largest}", headline_from=0.02)
    assert is_headline(part, cells({("Q6", "a"): -0.217, ("Q1", "a"): 0.0}, 0.003))
    assert not is_headline(part, cells({("Q6", "a"): -0.021, ("Q1", "a"): 0.0}, 0.003))
    assert not is_headline(part, cells({("Q6", "a"): 0.01}))


def test_with_what_the_numbers_vary_turns_round_too() -> None:
    grid = {(row, column): 0.5 + 0.2 * i + 0.05 * j for i, row in enumerate("rst") for j, column in enumerate("ab")}
    other = {(row, column): 0.5 + 0.01 * i + 0.2 * j for i, row in enumerate("rst") for j, column in enumerate("ab")}
    assert said("{shares}", grid, 0.01).endswith("more with the habits than with the armies")
    assert said("{shares}", other, 0.01).endswith("more with the armies than with the habits")
    assert said("{shares}", other, 0.5).endswith("cannot be told")
    shares = variance_shares(list(cells(grid).iter_rows(named=True)), 2)
    assert shares is not None
    # These numbers add up, so nothing is left for both.
    assert shares.rows.value + shares.columns.value == pytest.approx(1)


def test_numbers_of_one_truth_are_seldom_told_apart() -> None:
    """Error rate: 5 % of pairs may differ by chance; of 1,000 with the normal's own spread, 80 is beyond 4 sigma."""
    import numpy as np

    drawn = np.random.default_rng(5).normal(0.5, 0.01, (1000, 2))
    pairs = [[{"value": x, "low": x - 0.0196, "high": x + 0.0196, "beyond": None} for x in pair] for pair in drawn]
    assert sum(apart(one, other) != 0 for one, other in pairs) < 80
    assert apart(pairs[0][0], pairs[0][1] | {"value": 0.9, "low": 0.88, "high": 0.92}) == -1


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ([["policy_a=low", "policy_b=low"]] * 2, "Both sides play: Low cards. "),
        ([["policy_a=low", "policy_b=high"]] * 2, "Policy a: Low cards. Policy b: high. "),
        ([["policy_a=low", "policy_b=low"], ["policy_a=high", "policy_b=high"]], ""),
        ([["policy_a=low", "policy_b=low"], ["policy_a=low", "policy_b=high"]], "Policy a: Low cards. "),
    ],
)
def test_a_caption_tells_who_played_where_rows_and_columns_do_not(choices: list[list[str]], told: str) -> None:
    settings = GameSettings(players=["policy_a", "policy_b"], names={"low": "Low cards"})
    frame = cells({("r", "a"): 0.5, ("s", "a"): 0.5}).with_columns(choices=pl.Series(choices))
    assert table_caption(table(""), frame, settings) == f"c. {told}Exact."


def test_the_interval_of_a_share_holds_the_truth() -> None:
    """95 % intervals: fewer than 85 of 100 would be beyond 4 sigma."""
    import numpy as np

    truth = 0.5 + 0.12 * np.arange(5)[:, None] / 4 + 0.06 * np.arange(4) / 3
    wanted = 0.12**2 * 0.125 / (0.12**2 * 0.125 + 0.06**2 * 5 / 36)
    drawn, held = np.random.default_rng(3), 0
    for _ in range(100):
        seen = truth + drawn.normal(0, 0.015, truth.shape)
        rows = [{"value": x, "low": x - 0.0294, "high": x + 0.0294, "beyond": None} for x in seen.ravel().tolist()]
        found = variance_shares(rows, 4)
        assert found is not None
        assert found.rows.low <= found.rows.value <= found.rows.high
        held += found.rows.low <= wanted <= found.rows.high
    assert held >= 85
