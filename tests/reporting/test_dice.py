"""Pictures and pages of the odds of dice."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from balance.chance.dice import parse_family
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.odds import rows_of
from balance.reporting.dice import draw_dice, draw_page
from balance.reporting.figures.canvas import with_dark
from balance.reporting.figures.theme import DARK, LIGHT


def found(*texts):
    families = [*map(parse_family, texts)]
    return DiceOdds.of(families, [odds for family in families for odds in rows_of(family)])


@pytest.mark.slow("test_a_page_tells_the_numbers")
@pytest.mark.parametrize(
    "texts",
    [
        ["3d6 keep 2"],
        ["2d6!"],
        ["30d20 keep 15"],
        ["3d6 vs 2d8"],
        ["2d6 >= 7"],
        ["{1..8}d6 >= 12"],
        ["{1..8}d6 vs 2d8"],
        ["{1..8}d6 count 5-6"],
        ["4d{hit,hit,flag,-,hit+flag}"],
        ["2d6!", "1d12!", "3d{0,0,1,1,2}"],
        ["{1..10}d6 keep {1..10}"],
        ["5"],
    ],
)
def test_every_kind_of_answer_has_a_picture(texts: list[str]) -> None:
    svg = draw_dice(found(*texts)).decode()
    assert ET.fromstring(svg).tag.endswith("svg")
    assert draw_dice(found(*texts)).decode() == svg


def test_a_picture_is_light_and_where_its_reader_wants_it_dark() -> None:
    svg = draw_dice(found("2d6")).decode()
    rules = re.search(r"<style>@media \(prefers-color-scheme:dark\)\{(.*?)\}</style>", svg)
    assert rules is not None
    assert f'[style*="fill: {LIGHT.page.ground}"]{{fill:{DARK.page.ground}!important}}' in rules[1]
    assert f"fill: {LIGHT.page.ground}" in svg[rules.end() :]
    assert with_dark("<svg><g/></svg>").endswith("</style><g/></svg>")


def test_a_page_tells_the_numbers() -> None:
    page = draw_page(found("3d6 vs 2d8", "2d6 >= 7"), "html").decode()
    assert "the first wins 58.72%" in page
    assert "has a chance of 58.33%" in page
    assert "not measurable here" in page


@pytest.mark.slow("test_a_page_tells_the_numbers")
def test_a_page_of_one_expression_has_every_total() -> None:
    page = draw_page(found("3d6 keep 2"), "html").decode()
    assert "8.4583" in page
    assert "7.407%" in page
    assert draw_page(found("3d6 keep 2"), "pdf")[:4] == b"%PDF"


def test_no_word_of_an_expression_is_markup() -> None:
    page = draw_page(found("4d{script,b_i,-} count b_i", "2 * 3d6 * 2"), "html").decode()
    assert "2 * 3d6 * 2" in re.sub(r"&#42;|&ast;", "*", page)
    assert "<em>" not in page.split("</style>")[-1]
