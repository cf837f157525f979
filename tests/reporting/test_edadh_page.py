"""War for Edadh's report as its settings declare it: a first page that its tables recompute, by play near the top."""

from __future__ import annotations

import re
from functools import cache
from statistics import fmean
from typing import Any

import polars as pl
import pytest

from balance.base.numbers import NO_BREAK
from balance.game.loaded import load
from balance.games.edadh.policies.players import USUAL
from balance.reporting.sections.claims.solutions import solution_range
from balance.reporting.sections.first_page.declared import declared_page
from balance.reporting.sections.first_page.page import FirstPage
from balance.study.frames.report_settings import GameSettings, load_settings, settings_path
from balance.study.settings.tables import ReportTable
from tests.reporting.altered import altered, table


@cache
def shipped() -> GameSettings:
    return load_settings(load("edadh"))


def declared(table_id: str) -> ReportTable:
    return next(part for section in shipped().sections for part in section.tables if part.id == table_id)


def page(change: dict[str, Any] | None) -> FirstPage:
    frames = {} if change is None else {"solution_learning_game_even_starts": pl.DataFrame([change])}
    found = declared_page(altered("edadh", frames, None, shipped().model_dump(mode="json")))
    assert found is not None
    return found


@pytest.mark.parametrize("to", [22, 31])
def test_the_first_page_is_recomputed_from_its_tables(to: int) -> None:
    """What it is worth and what makes it even, whatever number the run holds."""
    usual = {"usual": 0.6, "usual low": 0.59, "usual high": 0.61, "usual play": USUAL}
    change = {"side": "a", "number": "mp", "from": 50, "to": to, "a scores": to / 50, "a is held to": 0.5,
              "b concedes": 0.6, "change": f"a.mp={to}", **usual}  # fmt: skip
    solved = table("edadh", "solutions").row(by_predicate=pl.col("id") == "learning_game", named=True)
    value, half = (f"{100 * solved[name]:.1f}" for name in ("value", "half_width"))
    low, high = (f"{100 * end:.1f}" for end in solution_range(solved))
    assert page(change).headline.replace(NO_BREAK, " ") == (
        f"Under good play Angueth scores about {value}% ({low}% to {high}% against the best answers found, not "
        "certified) in the learning game. "
        f"To make it even, set **Angueth: mastery points at the start to {to} rather than 50**: Angueth then scores "
        f"{2 * to}.0% ±{half}."
    )


def test_the_chart_marks_the_value_above_every_way_of_playing() -> None:
    chart, solved = page(None).chart, table("edadh", "solutions").filter(id="learning_game")
    assert chart is not None
    marks = [text.strip() for text in chart.alt.partition(": ")[2].rstrip(".").split(";")]
    assert marks[0].startswith(f"Good play, as far as found {100 * solved['value'][0]:.1f}")
    assert len(marks) == 1 + len(declared("faction_scores").rows)


def test_ways_of_playing_stand_in_the_order_of_what_they_score_against_the_others() -> None:
    """As the published round robin measures it, whatever order its own rows have."""
    cells = {(row["row"], row["column"]): row["value"]
             for row in table("edadh", "declared_round_robin").iter_rows(named=True)}  # fmt: skip
    names = {row for row, _ in cells}
    mean = {name: fmean(cells[name, other] for other in names if other != name) for name in names}
    order = [row.label for row in declared("faction_scores").rows]
    assert order == sorted(names, key=lambda name: -mean[name])
    assert [shipped().names[str(name)] for name in declared("round_robin").rows[0].of] == order


@pytest.mark.parametrize("name", ["stat_worth", "reading_shifts", "angueth_mixes", "huaos_dzaa_mixes"])
def test_numbers_are_asked_of_the_strongest_player_by_rule_and_of_the_usual_one(name: str) -> None:
    ways = [set(column.choices.values()) for column in declared(name).columns]
    assert ways == [{"adaptive"}, {USUAL}]


def test_tables_with_one_way_of_playing_have_that_of_the_prompt() -> None:
    for name in ("every_army", "troops"):
        assert set(declared(name).choices.values()) == {USUAL}


def test_no_id_of_a_rule_stands_on_the_page() -> None:
    path = settings_path(load("edadh"))
    assert path is not None
    assert re.findall(r"WE-\w+", path.read_text("utf-8")) == []
