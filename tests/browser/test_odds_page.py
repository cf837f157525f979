"""The page of the dice language answers what the command answers, offline, by keyboard, for whoever reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import balance
from balance.base.errors import BalanceError
from balance.base.numbers import SURE
from balance.chance.dice import roll
from balance.reporting.live import runtime
from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations
from tests.chance.dice.twin import expressions

LARGEST_FOLDER = 15_000_000
"""Bytes of what is sent to somebody, at most."""
LONG = pytest.mark.slow("test_the_page_answers_as_the_command_does_and_can_be_read_by_all")
ANSWERED = "number => Number(document.body.dataset.answered) >= number"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "odds"
    balance.dice("3d6 keep 2", page=folder)
    return folder / "index.html"


@pytest.fixture
def ready(open_page: OpenPage, page_file: Path) -> Iterator[Page]:
    yield opened(open_page, page_file)


def opened(open_page: OpenPage, page_file: Path, **more: Any) -> Page:
    page = open_page(page_file, **more)
    page.wait_for_function(ANSWERED, arg=1, timeout=60_000)
    return page


def answer_to(page: Page, text: str) -> dict[str, Any]:
    """Type into the page and return what it knows then."""
    page.get_by_label("Dice, one expression a line").fill(text)
    page.wait_for_function("text => answered === text", arg=text, timeout=60_000)
    view: dict[str, Any] = page.evaluate("view")
    return view


def same_as_the_command(page: Page, text: str) -> None:
    view = answer_to(page, text)
    try:
        answer = balance.dice(*text.splitlines()).to_dict()
    except BalanceError as error:
        assert [fault["text"] for fault in view["faults"]] == [str(fault) for fault in error.faults], text
        return
    if not any(row["reason"] for row in answer["rows"]):
        assert view["answer"] == json.loads(json.dumps(answer)), text


def test_the_page_answers_as_the_command_does_and_can_be_read_by_all(ready: Page, page_file: Path) -> None:
    for text in (*(text for text, _ in expressions(20261129, 12)), "3d6 keep 2\n5d10 count >=7", "3d6 kep 2"):
        same_as_the_command(ready, text)
    assert answer_to(ready, "2d6 >= 7")["sentence"] == "Chance 58.33%, 7/12."
    assert ready.get_by_text("Chance 58.33%, 7/12.").is_visible()
    assert ready.get_by_text("balance dice '2d6 >= 7'").is_visible()
    assert ready.locator("svg.chart").get_by_text("58.3%").is_visible(), "numbers stand at the bars"
    assert axe_violations(ready) == []
    assert sum(file.stat().st_size for file in page_file.parent.rglob("*")) <= LARGEST_FOLDER


@LONG
def test_each_line_is_answered_by_itself_in_one_picture(ready: Page) -> None:
    view = answer_to(ready, "2d6\n3d6 kep 2\n\n3d6 keep 2")
    assert [fault["line"] for fault in view["faults"]] == [2]
    assert ready.get_by_role("alert").inner_text() == f"Line 2: {view['faults'][0]['text']}"
    assert ready.locator("#expressions").evaluate("field => field.style.backgroundPosition").count("1.5em") == 2
    assert view["command"] == "balance dice '2d6' '3d6 keep 2'"
    series = ready.locator("svg.chart path[stroke-dasharray]")
    assert series.count() == len(set(series.evaluate_all("lines => lines.map(it => it.getAttribute('class'))"))) == 2
    marks = ready.locator(".legend path").evaluate_all("marks => marks.map(it => it.getAttribute('d'))")
    assert len({*marks}) == 2, "told apart without colour"
    assert "Line 2" not in ready.locator(".legend").inner_text()
    ready.get_by_label("at most").check()
    ready.locator("svg.chart").focus()
    ready.keyboard.press("End")
    assert ready.locator(".reading").inner_text() == "total at most 12: 2d6 100.00%; 3d6 keep 2 100.00%"
    assert axe_violations(ready) == []


@LONG
def test_what_is_too_large_is_rolled_under_a_working_state_and_stopped(ready: Page) -> None:
    """The page and the command agree within four standard errors, but once in 16,000 runs."""
    results, question = ready.locator("#results"), ready.get_by_label("Dice, one expression a line")
    question.fill("(20d20)d20")
    assert results.get_attribute("aria-busy") == "true"
    assert "stale" in (results.get_attribute("class") or "")
    ready.wait_for_function("() => document.body.classList.contains('waiting') || shown === '(20d20)d20'")
    assert not ready.get_by_text("On average 8.4583").is_visible(), "nothing old stands under a new question"
    assert ready.get_by_text("Working out the new question").or_(ready.get_by_text("Rolling dice")).is_visible()
    ready.wait_for_function("() => shown === '(20d20)d20'", timeout=60_000)
    (row,), command = ready.evaluate("view.answer.rows"), roll("(20d20)d20", 2000)
    assert ready.locator("#notes").inner_text().startswith(f"(20d20)d20 is simulated: {row['n_trials']:,} rolls in")
    assert ready.locator("#command").inner_text() == f"balance dice '(20d20)d20' --trials {row['n_trials']} --seed 0"
    (numbers,) = row["numbers"]
    error = ((numbers["high"] - numbers["low"]) / 2 / SURE) ** 2 + command.var() / len(command)
    assert abs(numbers["mean"] - command.mean()) < 4 * error**0.5
    ready.get_by_role("button", name="Stop").click()
    assert ready.get_by_text("Stopped.").is_visible()
    assert results.get_attribute("aria-busy") == "false"
    question.fill("(20d20)d20 + 1")
    answer_to(ready, "2d6 >= 7")
    assert results.get_attribute("aria-busy") == "false"
    assert "stale" not in (results.get_attribute("class") or "")


@LONG
def test_the_back_button_and_a_list_lead_to_what_was_asked(ready: Page) -> None:
    for text in ("4d6", "4d6 keep 3", "2d8"):
        question = ready.get_by_label("Dice, one expression a line")
        question.fill("")
        question.press_sequentially(text)
        ready.wait_for_function("text => asked[0] === text", arg=text)
    assert ready.evaluate("history.length") == 5, "a step for each that was finished, not for each key"
    ready.go_back()
    ready.wait_for_function("() => answered === '4d6 keep 3'")
    assert ready.get_by_text("On average 12.2446").is_visible()
    ready.get_by_role("button", name="4d6", exact=True).click()
    ready.wait_for_function("() => answered === '4d6'")


@LONG
def test_two_hundred_random_expressions_equal_the_command(ready: Page) -> None:
    for text, _ in expressions(48, 200):
        same_as_the_command(ready, text)


@LONG
@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_by_keyboard_alone(open_page: OpenPage, page_file: Path, dark: bool) -> None:
    page = opened(open_page, page_file, width=390, dark=dark, tail="#2d6%20vs%202d8%0A1d20")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe_violations(page) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "expressions"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => answered === '3d6 keep 2'")
    answer_to(page, "2d6 vs 2d8\n1d20")
    page.locator("svg.chart").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".reading").first.inner_text().startswith("result the first wins: ")
    page.get_by_text("Every number").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="at least").first.is_visible()
    assert axe_violations(page) == []


@LONG
def test_a_link_says_what_was_asked(open_page: OpenPage, page_file: Path, ready: Page) -> None:
    answer_to(ready, "4d6 keep 3")
    address = ready.evaluate("location.href")
    other = opened(open_page, page_file, tail=address.partition("html")[2])
    assert other.evaluate("view.answer.expressions[0].text") == "4d6 keep 3"


def test_what_is_beside_the_runtime_is_the_published_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert set(runtime.runtime_parts()) == set(runtime.PARTS)
    (other := tmp_path / "other.tgz").write_bytes(runtime.ARCHIVE.read_bytes()[:-1])
    monkeypatch.setattr(runtime, "ARCHIVE", other)
    runtime.runtime_parts.cache_clear()
    with pytest.raises(AssertionError, match="is not the package that was published"):
        runtime.runtime_parts()
