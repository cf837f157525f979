"""An answer is told once: a part of its record is a key of JSON, and a column of table, screen and page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import pytest

import balance
from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price
from balance.analysis.records import frame_of
from balance.answers.documents.schemas import schema_of
from balance.answers.form import AnswerWords, Records
from balance.base import answers
from balance.base.answers import Doc, Heading, as_plain, formula, parts_of, row_of
from balance.game.registry import GAMES
from balance.reporting.sections.common.price_verdicts import PriceVerdict
from balance.reporting.sections.costs.price_tables import cells_under_headings
from balance.study.frames.army_prices import price_columns, price_row
from balance.verbs.call.result import Result
from tests.tug import write_catalogue

PAIR = ("warforged", "nexus+assault_rifle", "trooper+shotgun")
QUICK: Mapping[str, Any] = {"jobs": 1, "cache": False, "quiet": True}
CALLS: dict[str, Callable[[], Result[Any]]] = {
    "price": lambda: balance.price("tug", battles=100, changes=1, **QUICK),
    "price of a card": lambda: balance.price("tug", "ox", battles=100, **QUICK),
    "army": lambda: balance.army("tug", (40, 3), seed=2, **QUICK),
    "random armies": lambda: balance.army("tug", (40, 3), random=3, **QUICK),
    "tune": lambda: balance.tune("tug", out=None, **QUICK),
    "card": lambda: balance.card("warforged", "trooper+shotgun", among="aegis+sidearm", **QUICK),
    "handicap": lambda: balance.handicap(*PAIR, field="health", cache=False),
    "handicap, a bid": lambda: balance.handicap(*PAIR, bid="b.health", cache=False),
    "handicap, worth": lambda: balance.handicap(*PAIR, worth="b.health", cache=False),
    "handicap, a cost": lambda: balance.handicap("tug", "ox+rope", "ant+rope", cost=True, budget="40:3", cache=False),
    "handicap, in points": lambda: balance.handicap("tug", bid="points", budget="40:3", cache=False),
    "page": lambda: balance.page(*PAIR, "page.html", kinds="attack", answers=9, reach=1, cache=False),
    "play": lambda: balance.play("tug", pairs=8, **QUICK),
    "stability": lambda: balance.stability("tug", battles=512, **QUICK),
    "rate": lambda: balance.rate("log.csv"),
    "fit": lambda: balance.fit(PAIR[0], pl.DataFrame({"one": PAIR[1:2], "other": PAIR[2:], "winner": PAIR[2:]})),
    "matchups": lambda: balance.matchups("tug", **QUICK),
    "duel": lambda: balance.duel(*PAIR, trials=100),
    "luck": lambda: balance.luck(PAIR[0], "duel", *PAIR[1:], cache=False),
    "luck of a field": lambda: balance.luck(PAIR[0], "duel", among=list(PAIR[1:]), cache=False),
    "tornado": lambda: balance.tornado(PAIR[0], "duel", *PAIR[1:], over="units", cache=False),
    "replay": lambda: balance.replay("immortal_souls", "encounter", "ecarus,auriel", "ambush"),
    "solve": lambda: balance.solve("edadh", "spears", "shieldsmen", set={"a.mp": 2, "b.mp": 2}),
    "dice": lambda: balance.dice("{1..2}d6", "d6 vs d6", "2d{hit,flag}", "2d6 >= 7"),
    "need": lambda: balance.need(difference=0.2, evenings=5, runs=500),
    "check": lambda: balance.check("warforged", "nothing"),
    "games": balance.list_games,
    "rules": lambda: balance.rules("warforged"),
    "new-game, which there are": lambda: balance.new_game(template=""),
}

HOMES = {
    "check": "catalogues.check.WORDS",
    "games": "games.games.WORDS",
    "rules": "games.rules.WORDS",
    "new-game, which there are": "games.beginnings.TEMPLATES",
    "price": "prices.price_list.WORDS",
    "price of a card": "prices.card_price.WORDS",
    "army": "armies.army.WORDS",
    "random armies": "armies.random_armies.WORDS",
    "tune": "armies.tune.WORDS",
    "card": "prices.card.WORDS",
    "page": "changes.page.WORDS",
    "play": "play.ladder.WORDS",
    "stability": "play.stability.WORDS",
    "handicap": "handicaps.remedies.WORDS",
    "handicap, a bid": "handicaps.bids.WORDS",
    "handicap, worth": "handicaps.worths.WORDS",
    "handicap, a cost": "handicaps.armies.COST_WORDS",
    "handicap, in points": "handicaps.armies.BID_WORDS",
    "rate": "playtests.rating.WORDS",
    "dice": "dice.screens.WORDS",
    "fit": "playtests.fit.WORDS",
    "matchups": "matchups.WORDS",
    "need": "playtests.need.WORDS",
    "duel": "questions.answer.WORDS",
    "luck": "questions.luck.WORDS",
    "luck of a field": "questions.field_luck.WORDS",
    "tornado": "questions.tornado.WORDS",
    "replay": "questions.replay.WORDS",
    "solve": "questions.solve.WORDS",
}
"""What is asked -> where the words of its answer are."""


@pytest.fixture(autouse=True)
def small_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside a small game of which one cost is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    balance.rate("log.csv", template=True)
    write_catalogue(tmp_path / "data" / "tug", [("ant", 7, 60), ("ox", 20, 250), ("elk", 14, 130)], [("rope", 1, 100)])


def tables_of(asked: str, value: Any) -> Mapping[str, Records]:
    """Return the records behind the tables of an answer."""
    module, _, name = f"balance.answers.words.{HOMES[asked]}".rpartition(".")
    words: AnswerWords[Any] = getattr(import_module(module), name)
    return {name: table for name, table in words.tables(value).items() if isinstance(table, Records)}


def parts_in(document: Any) -> Iterator[Any]:
    """Yield an object of JSON and all that it holds."""
    yield document
    inner = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    for part in inner:
        yield from parts_in(part)


def without_none(row: Mapping[str, Any]) -> dict[str, Any]:
    return {column: cell for column, cell in row.items() if cell is not None}


def is_told_by(part: Any, row: Mapping[str, Any]) -> bool:
    """Return whether a row of a table has all that an object of JSON has, by the same keys."""
    return part == row or (is_flat(part) and len(part) > 2 and part.items() <= row.items())


def is_flat(part: Any) -> bool:
    return isinstance(part, dict) and not any(isinstance(value, dict | list) for value in part.values())


@pytest.mark.parametrize("asked", list(CALLS))
def test_parts_of_records_are_keys_of_json_and_columns_of_tables(asked: str) -> None:
    result = CALLS[asked]()
    document = result.to_dict()
    for name, records in tables_of(asked, result.value).items():
        rows = list(records.rows.values() if isinstance(records.rows, Mapping) else records.rows)
        frame = result.to_polars(name)
        ids = [records.key] if records.key else []
        assert frame.columns[: len(ids)] == ids
        for at, row in enumerate(rows):
            cells = {column: cell for column, cell in frame.row(at, named=True).items() if cell is not None}
            assert {column: cells[column] for column in cells if column not in ids} == without_none(row_of(row))
            assert any(is_told_by(part, as_plain(row)) for part in parts_in(document)), f"{name}: {row} is not in JSON"


@pytest.fixture
def wider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a column to prices, in one place."""

    def by_half(price: Price) -> Annotated[float, Doc("Half of its cost."), Heading("half", "{:.2f}".format)]:
        return price.cost / 2

    monkeypatch.setattr(answers, "_PARTS", {})
    monkeypatch.setattr(Price, "half", formula(by_half), raising=False)


def test_a_column_added_in_one_place_stands_on_screen_page_json_and_in_pandas(wider: None) -> None:
    result = CALLS["price"]()
    assert result.to_dict()["cards"]["ox"]["half"] == 10.0
    assert result.to_pandas().set_index("card").loc["ox", "half"] == 10.0
    lines = [line.split() for line in str(balance.price("tug", battles=100, **QUICK)).splitlines()]
    head = next(line for line in lines if line[:2] == ["card", "is"])
    row = next(line for line in lines if line[:2] == ["Ox", "too"])
    assert (head[-1], row[-1]) == ("half", "10.00")
    run_row = price_row(result.value.cards["ox"])
    assert (run_row["half"], "half" in price_columns(CardPrice)) == (10.0, True)
    assert [cell.text for cell in cells_under_headings(PriceVerdict("Ox", 20.0, {"dry": run_row}), CardPrice)] == [
        "10.00"
    ]
    described = schema_of(CardPrice)["properties"]["half"]
    assert described == {"description": "Half of its cost.", "type": "number"}


@pytest.mark.parametrize("head", ["", 3])
def test_a_heading_is_a_text_and_a_function(head: Any) -> None:
    with pytest.raises(TypeError, match="a heading is a text and a function"):
        Heading(head)
    with pytest.raises(TypeError, match="a heading is a text and a function"):
        Heading("half", "{:.0%}")  # type: ignore[arg-type]


def without_hint(price: Any):  # type: ignore[no-untyped-def]  # which is the mistake
    return price.cost / 2


def with_bare_heading(price: Price) -> Annotated[float, Heading]:
    return price.cost / 2


def half(price: Price) -> float:
    return price.cost / 2


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("half", without_hint, "Price.half: a formula says what it returns"),
        ("lead", half, "LoadoutPrice.lead: a formula says what it returns; no field has its name"),
        ("half", with_bare_heading, "Price.half: write Heading"),
        ("setting", half, "Price.setting: a run has another column of that name"),
        ("card", half, "CardPrice.card: the column of ids has that name"),
    ],
)
def test_a_part_that_would_be_missing_or_another_is_refused_with_its_place(
    name: str, function: Callable[[Any], float], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_PARTS", {})
    monkeypatch.setattr(Price, name, formula(function), raising=False)
    with pytest.raises(TypeError, match=said):
        if name == "card":
            frame_of(CardPrice, {}, "card")
        for kind in (Price, LoadoutPrice, CardPrice):
            price_columns(kind)


def test_without_it_there_is_no_such_column() -> None:
    text = json.dumps(CALLS["price"]().to_dict()) + str(CALLS["price"]().to_polars().columns)
    assert "half" not in text
    assert "half" not in {**parts_of(LoadoutPrice), **price_columns(CardPrice)}
