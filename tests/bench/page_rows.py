"""Interactive pages in Chromium: from opening the file to its first answer, cold, and from a move to what follows it.

Each cold start is a browser of its own with nothing kept. A move is timed in the page, from the event to the drawing
that the script made; what the page shows last must be what the command says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, Playwright, sync_playwright

import balance
from tests.bench.contest import Row
from tests.bench.known import WrongAnswerError
from tests.browser.chromium import FLAGS, browser_path

TASK = "Page"
DICE, WHAT_IF = f"{TASK} of dice", f"{TASK} of two Warforged cards"
CARDS = ("warforged", "vanguard+shotgun", "aegis+laser_carbine")
ANSWERED = "() => Number(document.body.dataset.answered) > 0"
TYPE = """async text => {
  const begun = performance.now();
  input.value = text;
  input.dispatchEvent(new Event("input"));
  while (answered !== text) await new Promise(resolve => setTimeout(resolve));
  return performance.now() - begun;
}"""
MOVE = """number => {
  const sliders = [...document.querySelectorAll("input[type=range]")], slider = sliders[number % sliders.length];
  const begun = performance.now();
  slider.value = Number(slider.value) + (Number(slider.value) < slider.max ? 1 : -1);
  slider.dispatchEvent(new Event("input"));
  const milliseconds = performance.now() - begun;
  byId("reset").click();
  return milliseconds;
}"""


def page_rows(starts: int, moves: int) -> Iterator[Row]:
    """Yield two rows for each page, medians of so many cold starts and of so many moves; none without Chromium."""
    if browser_path() is None:
        return
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        balance.dice("3d6 keep 2", page=Path(folder) / "odds")
        balance.page(*CARDS, Path(folder) / "what-if.html", quiet=True)
        for task, file, move in (
            (DICE, Path(folder) / "odds" / "index.html", type_into),
            (WHAT_IF, Path(folder) / "what-if.html", move_slider),
        ):
            cold = [_start(playwright, file, move, 0)[0] for _ in range(starts)]
            seconds = _start(playwright, file, move, moves)[1]
            yield Row(task, "first answer, cold", median(cold), "nobody", None, "time", samples=len(cold))
            yield Row(task, "answer to a move", median(seconds), "nobody", None, "time", samples=len(seconds))


def _start(playwright: Playwright, file: Path, move: Any, moves: int) -> tuple[float, list[float]]:
    """Return the seconds to the first answer in a browser of its own, and those of moves after it."""
    browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
    try:
        page = browser.new_page()
        begin = perf_counter()
        page.goto(file.as_uri())
        page.wait_for_function(ANSWERED, timeout=60_000)
        cold = perf_counter() - begin
        return cold, [move(page, number) / 1000 for number in range(moves)]
    finally:
        browser.close()


def type_into(page: Page, number: int) -> float:
    """Type an expression and return the milliseconds until it was answered.

    Raises
    ------
    WrongAnswerError
        The page does not say what the command says.
    """
    text = f"{number % 12 + 2}d6 keep {number % 3 + 1}"
    milliseconds = float(page.evaluate(TYPE, text))
    if page.evaluate("view.sentence") != balance.dice(text).sentence.strip():
        raise WrongAnswerError(f"the page answers {text} otherwise than the command")
    return milliseconds


def move_slider(page: Page, number: int) -> float:
    """Move a slider by a step and back; return the milliseconds until the page showed what follows."""
    return float(page.evaluate(MOVE, number))
