"""What `page` says: which page was written, and the effect of each single step on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.analysis.what_if.page import Page, PageStep
from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.numbers import show_count, show_fixed, show_many, show_probability_change

MOST_STEPS = 12
"""Rows of the first screen."""


def sentence(page: Page, terms: Terms) -> str:
    """Return which page was written, and how much it holds."""
    things = f"{show_many(page.n_things, 'thing')} to move on {' and '.join(page.names)}"
    return f"Wrote {page.file}: {things}, {show_count(page.n_answers)} exact answers."


def tables(page: Page) -> Mapping[str, Records]:
    """Return every single step of every kind of question."""
    return {"steps": Records(PageStep, page.steps)}


def _body(page: Page, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what each step does to the last kind of question, the largest change first."""
    kind, measure = list(page.measures.items())[-1]
    steps = [step for step in page.steps if step.question == kind]
    steps.sort(key=lambda step: -abs(step.change))
    rows = [
        (step.what, step.side or "–", f"{step.now} → {step.value}", _change(step.change, measure))
        for step in (steps if more else steps[:MOST_STEPS])
    ]
    head = f"{kind}: {'first side wins' if measure is None else measure.replace('_', ' ')}"
    yield grid(["what", "whose", "step", head], rows, [head], ["what"])


def _change(change: float, measure: str | None) -> str:
    if measure is None:
        return show_probability_change(change)
    return f"{'+' * (change > 0)}{show_fixed(change, 3)}"


def _basis(page: Page, terms: Terms) -> str:
    return terms.rests_on("exact")


WORDS = AnswerWords.alike(sentence, _body, _basis, tables)
