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
from balance.reporting.live import runtime
from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations
from tests.chance.dice.twin import expressions

LARGEST_FOLDER = 15_000_000
"""Bytes of what is sent to somebody, at most."""
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
        assert view == {"faults": [str(fault) for fault in error.faults]}, text
        return
    if any(row["reason"] for row in answer["rows"]):
        assert "is too large to be exact" in view["faults"][0], text
    else:
        assert view["answer"] == json.loads(json.dumps(answer)), text


def test_the_page_answers_as_the_command_does_and_can_be_read_by_all(ready: Page, page_file: Path) -> None:
    for text in (*(text for text, _ in expressions(20261129, 12)), "3d6 keep 2\n5d10 count >=7", "3d6 kep 2"):
        same_as_the_command(ready, text)
    assert answer_to(ready, "2d6 >= 7")["sentence"] == "Chance 58.33%, 7/12."
    assert ready.get_by_text("Chance 58.33%, 7/12.").is_visible()
    assert ready.get_by_text("balance dice '2d6 >= 7'").is_visible()
    assert axe_violations(ready) == []
    assert sum(file.stat().st_size for file in page_file.parent.rglob("*")) <= LARGEST_FOLDER
    faults = answer_to(ready, "3d")["faults"]
    assert ready.get_by_text(faults[0]).is_visible()
    assert axe_violations(ready) == []


@pytest.mark.slow("test_the_page_answers_as_the_command_does_and_can_be_read_by_all")
def test_an_answer_to_another_question_is_marked_at_once_and_given_up_for_a_newer_one(ready: Page) -> None:
    results, question = ready.locator("#results"), ready.get_by_label("Dice, one expression a line")
    assert results.get_attribute("aria-busy") in (None, "false")
    question.fill("(20d20)d20")
    assert results.get_attribute("aria-busy") == "true"
    assert "stale" in (results.get_attribute("class") or "")
    assert ready.get_by_text("Working out the new question").is_visible()
    answer_to(ready, "2d6 >= 7")
    assert results.get_attribute("aria-busy") == "false"
    assert "stale" not in (results.get_attribute("class") or "")


@pytest.mark.slow("test_the_page_answers_as_the_command_does_and_can_be_read_by_all")
def test_two_hundred_random_expressions_equal_the_command(ready: Page) -> None:
    for text, _ in expressions(48, 200):
        same_as_the_command(ready, text)


@pytest.mark.slow("test_the_page_answers_as_the_command_does_and_can_be_read_by_all")
@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_by_keyboard_alone(open_page: OpenPage, page_file: Path, dark: bool) -> None:
    page = opened(open_page, page_file, width=390, dark=dark, tail="#2d6%20vs%202d8%0A1d20")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe_violations(page) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "expressions"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "3d6 keep 2"
    page.locator("svg.chart").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".reading").first.inner_text().startswith("result the first wins: ")
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="at least").first.is_visible()
    assert axe_violations(page) == []


@pytest.mark.slow("test_the_page_answers_as_the_command_does_and_can_be_read_by_all")
def test_a_link_says_what_was_asked(open_page: OpenPage, page_file: Path, ready: Page) -> None:
    answer_to(ready, "4d6 keep 3")
    address = ready.evaluate("location.href")
    other = opened(open_page, page_file, tail=address.partition("html")[2])
    assert other.evaluate("view.answer.expression") == "4d6 keep 3"


def test_what_is_beside_the_runtime_is_the_published_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert set(runtime.runtime_parts()) == set(runtime.PARTS)
    (other := tmp_path / "other.tgz").write_bytes(runtime.ARCHIVE.read_bytes()[:-1])
    monkeypatch.setattr(runtime, "ARCHIVE", other)
    runtime.runtime_parts.cache_clear()
    with pytest.raises(AssertionError, match="is not the package that was published"):
        runtime.runtime_parts()
