"""Games solved: what perfect play is worth, how well that is known, and what perfect players do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.base.numbers import (
    NO_BREAK,
    show_fixed,
    show_number,
    show_probability,
    show_probability_change,
    show_unit,
)
from balance.game.solution import gain_half_width
from balance.reporting import Paragraph, Section, literal
from balance.reporting.sections.claims.solution_changes import remedy_text
from balance.reporting.sections.claims.solution_sides import Sides
from balance.reporting.sections.common.words import Pages
from balance.study.frames.solutions import ReportSolution

Row = Mapping[str, Any]
SOLVED_TITLE = "Played as well as can be"
SMALLEST_SHOWN = 0.0005
"""Of a difference of scores: what is less is shown as 0.0 points."""


def solution_sections(pages: Pages) -> list[Section]:
    """Return a section, as a list, with a paragraph for each question that the run solved; [] where it solved none."""
    blocks = tuple(
        Paragraph(f"**{literal(solution.title)}.** {_verdict(row, _sides(pages, row))}")
        for solution, row in solution_rows(pages)
    )
    return [Section(SOLVED_TITLE, "solutions", blocks)] if blocks else []


def solution_findings(pages: Pages) -> list[str]:
    """Return the declared sentences on solutions for the first page, with values filled in, as marked text."""
    return [
        solution.finding.replace("{value}", _value(row)) for solution, row in solution_rows(pages) if solution.finding
    ]


def solution_words(pages: Pages) -> dict[str, str]:
    """Return "value of ID" -> the value in words, and "remedy of ID" -> the change that makes it even."""
    texts = dict[str, str]()
    for solution, row in solution_rows(pages):
        texts[f"value of {solution.id}"] = _value(row)
        texts[f"remedy of {solution.id}"] = remedy_text(pages, solution.id)
    return texts


def solution_row(pages: Pages, solution_id: str) -> Row | None:
    """Return the row of a solution, by its id in the settings of the game; None where the run lacks it."""
    return next((row for solution, row in solution_rows(pages) if solution.id == solution_id), None)


def solution_range(row: Row) -> tuple[float, float]:
    """Return the least and the most a solution may be worth: its value and bounds, widened by their errors.

    >>> solution_range({"value": 0.5, "lower": 0.375, "upper": 0.5, "half_width": 0.25})
    (0.125, 0.75)
    """
    ends = row["value"], row["lower"] - _half(row), row["upper"] + _half(row)
    return min(ends), max(ends)


def solution_rows(pages: Pages) -> list[tuple[ReportSolution, Row]]:
    """Return the questions that the run solved, as declared and with their rows."""
    frame = pages.table("solutions")
    rows = {} if frame is None else {row["id"]: row for row in frame.iter_rows(named=True)}
    return [(solution, rows[solution.id]) for solution in pages.run.settings.solutions if solution.id in rows]


def _sides(pages: Pages, row: Row) -> Sides:
    return Sides.of(pages.name(row["one"]), pages.name(row["other"]))


def _is_certified(row: Row) -> bool:
    return bool(row["kind"] == "exact" and row["converged"])


def _verdict(row: Row, sides: Sides) -> str:
    """Return what was found in a sentence that claims no more than was measured."""
    a = literal(sides.a)
    if _is_certified(row):
        return (
            f"With perfect play on both sides this is worth **{_share(row['value'])}** to {a}, a draw counting half. "
            f"Certified: best responses to both strategies gain {row['exploitability']:.0e} in all, so the value "
            "cannot be further off than that."
        )
    return (
        f"By the play that was found this is worth about **{_share(row['value'])}** to {a}, a draw counting half. "
        f"{_upper_first(_bracket_text(row, sides))}. **That bracket is not certified:** {_more(row)}, and what perfect "
        "play would score may lie outside it. What ± covers is the duels that its ends were measured in, not the "
        "search: with another seed, or on another kind of processor, it may find other play and other answers, with "
        "other numbers."
    )


def _value(row: Row) -> str:
    """Return the value in words for the first page, with its bracket and whether that is certified."""
    if _is_certified(row):
        return f"{_share(row['value'])} (certified, in a bracket {_width(row)} wide)"
    low, high = map(_share, solution_range(row))
    return f"about {_share(row['value'])} ({low} to {high} against the best answers found, not certified)"


def _bracket_text(row: Row, sides: Sides) -> str:
    """Return the bounds by best responses to the play of either side, in words.

    They bound from below how far it is exploitable only where what they take can be told from nothing.
    """
    gain, half = row["exploitability"], gain_half_width(_half(row))
    ends_text = (
        f"the best answers found hold the play of {literal(sides.a)} to {_bound_text(row, 'lower')} and take "
        f"{_bound_text(row, 'upper')} from that of {literal(sides.b)}"
    )
    if _is_wide(row):
        return f"{ends_text}, so the play is exploitable by at least {_points(gain)}{_error(half)} over both seats"
    error_text = f", error {_points(half)}" if half else ""
    return f"{ends_text}: no surely better answer was found ({_points(gain)} over both seats{error_text})"


def _is_wide(row: Row) -> bool:
    """Return whether the exploitability exceeds its error and the smallest number shown."""
    return bool(row["exploitability"] > max(gain_half_width(_half(row)), SMALLEST_SHOWN))


def _more(row: Row) -> str:
    """Return why the true bracket may be wider, as a clause."""
    return "it is at least this wide, since others may find more" if _is_wide(row) else "others may find more"


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bound_text(row: Row, name: str) -> str:
    return f"{_share(row[name])}{_error(_half(row))}"


def _half(row: Row) -> float:
    return float(row["half_width"] or 0.0)


def _error(half: float) -> str:
    return f"{NO_BREAK}±{show_fixed(100 * half, 1)}" if half else ""


def _points(share: float) -> str:
    return show_probability_change(share).lstrip("+")


def _width(row: Row) -> str:
    """Return the width of the certified bracket in percentage points, at least what best responses gain."""
    return show_unit(show_number(100 * max(row["exploitability"], row["upper"] - row["lower"]), 1), "pp")


def _share(value: float) -> str:
    return show_probability(value)
