"""Which single numbers of its start make a solved duel even, as the run has them, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.base.numbers import EVEN_BAND, NO_BREAK, show_count, show_fixed, show_probability
from balance.reporting import Column, Table, literal, table
from balance.reporting.sections.claims.solution_sides import Sides
from balance.reporting.sections.common.words import Pages
from balance.study.frames.solutions import USUAL, table_name

STARTS = "even_starts"
"""The table that comes with a solution: numbers of the start that make it even."""
NOTE = (
    "Tested: both sides play the changed start as well as was found, which knows all starts; the range is what the "
    "better of that play and a reply learnt against it leaves to one side and takes from the other; others may do "
    "better."
)


@dataclass(frozen=True)
class SolutionChange:
    """One number that makes a solved duel even.

    `name`: whose number, and which; plain. `row`: the row of the run's table of changes. `half_width`: half a 95 %
    interval of each score by the play that was found.
    """

    name: str
    row: Mapping[str, Any]
    half_width: float

    @property
    def step_text(self) -> str:
        """The new value and the old one, as "TO rather than FROM"."""
        return f"{show_count(self.row['to'])} rather than {show_count(self.row['from'])}"

    @property
    def score_text(self) -> str:
        """Side a's score after the change by the play that was found, with half its interval."""
        return _with_half(self.row["a scores"], self.half_width)

    @property
    def usual_text(self) -> str:
        """Side a's score after the change if both play by default, with half its interval."""
        return _with_half(self.row[USUAL], (self.row[f"{USUAL} high"] - self.row[f"{USUAL} low"]) / 2)

    @property
    def certainty(self) -> str:
        """The bracket of the score by answers to either side's play under the change."""
        low, high = (_with_half(self.row[end], self.half_width) for end in ("a is held to", "b concedes"))
        return f"tested, {low} to {high}"


def solution_changes(pages: Pages, solution_id: str) -> list[SolutionChange]:
    """Return the numbers of its start that make a solved duel even."""
    row, frame = _solution(pages, solution_id), pages.table(table_name(solution_id, STARTS))
    if row is None or frame is None:
        return []
    sides, names, half = _sides(pages, row), pages.run.settings.names, float(row["half_width"] or 0.0)
    return [
        SolutionChange(f"{sides.name(change['side'])}: {names.get(change['number'], change['number'])}", change, half)
        for change in frame.iter_rows(named=True)
    ]


def _solution(pages: Pages, solution_id: str) -> Mapping[str, Any] | None:
    frame = pages.table("solutions")
    return None if frame is None else next(iter(frame.filter(id=solution_id).to_dicts()), None)


def _sides(pages: Pages, row: Mapping[str, Any]) -> Sides:
    return Sides.of(pages.name(row["one"]), pages.name(row["other"]))


def changes_table(pages: Pages, solution_id: str) -> Table | None:
    """Return the table of changes that make a solved duel even; None where none is known."""
    row, changes = _solution(pages, solution_id), solution_changes(pages, solution_id)
    if row is None or not changes:
        return None
    name, usual = _sides(pages, row).a, changes[0].row["usual play"]
    usual = pages.run.settings.names.get(usual, usual)
    numbers = (Column(text, "right") for text in ("From", "To", f"{name} scores then", f"Both sides {usual}"))
    low, high = (show_fixed(100 * end, 0) for end in EVEN_BAND)
    caption = (
        f"What to change, one number at a time: after each {literal(name)} scores {low} to {high} % by the play that "
        "was found, with the whole 95 % interval. Beside it the score "
        f"where both sides play “{literal(usual)}”, the usual play."
    )
    return table(["What", *numbers, "How sure"], list(map(_cells, changes)), caption, NOTE)


def _cells(change: SolutionChange) -> list[str | tuple[str, float]]:
    row = change.row
    ends = [(show_count(row[end]), row[end]) for end in ("from", "to")]
    scores = [(change.score_text, row["a scores"]), (change.usual_text, row[USUAL])]
    return [change.name, *ends, *scores, change.certainty]


def remedy_text(pages: Pages, solution_id: str) -> str:
    """Return a marked sentence, without its stop, on which change makes a solved duel even, and side a's score then."""
    row, changes = _solution(pages, solution_id), solution_changes(pages, solution_id)
    if row is None or not changes:
        return "No single number that was tried makes it even"
    first, name = changes[0], literal(_sides(pages, row).a)
    return f"To make it even, set **{literal(first.name)} to {first.step_text}**: {name} then scores {first.score_text}"


def _with_half(share: float, half: float) -> str:
    return f"{show_probability(share)}{f'{NO_BREAK}±{show_fixed(100 * half, 1)}' if half else ''}"
