"""The reply to a report's title: yes, no or not yet known, by who wins."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.reporting import Callout
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.declared import declared_page
from balance.reporting.sections.first_page.duels import duels_page
from balance.reporting.sections.first_page.even_field import even_field_page
from balance.reporting.sections.first_page.page import FirstPage, first_page_section
from balance.reporting.sections.first_page.reply import Reply, reply_of_duels, unevenness
from tests.reporting.altered import altered, table

UNITS = ["giant_spider", "blue_foot+short_sword", "red_foot+short_sword"]


def field_of(*scores: float, pair: float = 0.5) -> Pages:
    """Return the pages of three units of one cost that score so; the first wins so often against the second."""
    prices = table("battlelore", "prices").filter(pl.col("entrant").is_in(UNITS))
    matrix = pl.DataFrame({"entrant": UNITS, UNITS[0]: [0.5, 1 - pair, 0.5], UNITS[1]: [pair, 0.5, 0.5],
                           UNITS[2]: [0.5, 0.5, 0.5]})  # fmt: skip
    return altered("battlelore", {"prices": prices.with_columns(score=pl.Series(scores)), "matrix": matrix})


@pytest.mark.parametrize(
    ("scores", "pair", "reply"),
    [
        ((0.5, 0.5, 0.5), 0.5, Reply.YES),
        ((0.55, 0.45, 0.5), 0.67, Reply.YES),
        ((0.56, 0.45, 0.5), 0.5, Reply.NO),
        ((0.5, 0.5, 0.5), 0.7, Reply.NO),
    ],
)
def test_equals_are_fair_if_nobody_is_off_and_a_typical_match_up_is_within_sixty_to_forty(
    scores: tuple[float, ...], pair: float, reply: Reply
) -> None:
    """Of six match-ups two are uneven: their root mean square is by the root of three nearer to one half."""
    pages = field_of(*scores, pair=pair)
    assert unevenness(pages) == pytest.approx((pair - 0.5) / 3**0.5)
    assert reply_of_duels(pages) == reply


def test_where_costs_differ_duels_alone_do_not_say() -> None:
    page = duels_page(altered("warforged", dict.fromkeys(("fair_costs", "stable_costs"))))
    assert page is not None and page.reply == Reply.UNKNOWN


@pytest.mark.parametrize(
    ("value", "bounds", "reply"),
    [(0.52, (0.5, 0.54), Reply.YES), (0.52, (0.44, 0.54), Reply.UNKNOWN), (0.7, (0.6, 0.7), Reply.NO)],
)
def test_of_a_duel_that_was_solved_its_bracket_says(value: float, bounds: tuple[float, float], reply: Reply) -> None:
    row = pl.col("id") == "learning_game"
    told = {"value": value, "lower": bounds[0], "upper": bounds[1], "half_width": 0.0}
    columns = {name: pl.when(row).then(number).otherwise(name).alias(name) for name, number in told.items()}
    page = declared_page(altered("edadh", {"solutions": table("edadh", "solutions").with_columns(**columns)}))
    assert page is not None and page.reply == reply
    without = declared_page(altered("edadh", {"solutions": None}))
    assert without is not None and without.reply is None


@pytest.mark.parametrize(("verdict", "reply"), [("too dear", Reply.NO), ("depends", Reply.UNKNOWN), ("fair", Reply.NO)])
def test_of_a_field_to_be_evened_the_firm_verdicts_say(verdict: str, reply: Reply) -> None:
    """Last, all are fair, and yet those who meet are not."""
    frame = table("battlelore", "even_field").with_columns(verdict=pl.lit(verdict))
    tables: dict[str, Any] = {
        "even_field": frame,
        "matrix": None if verdict == "depends" else table("battlelore", "matrix"),
    }
    page = even_field_page(altered("battlelore", tables))
    assert page is not None and page.reply == reply


def test_the_headline_begins_with_the_reply() -> None:
    section = first_page_section(FirstPage("The verdict", "Most is fair.", reply=Reply.COSTS_YES))
    assert section.blocks == (Callout("key", "The verdict", "**Costs yes, match-ups no.** Most is fair."),)
