"""The odds of dice as a page in a browser draws them: sentences, bars and their numbers.

The page runs this very module, and all that it imports, on Python in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.answers.form import Terms
from balance.answers.words.dice.sentence import RESULT_NAMES, number_text, sentence, short_fraction
from balance.base.answers import as_plain
from balance.base.errors import BalanceError, DistributionError, Fault, UsageError
from balance.base.numbers import show_count, show_many
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.columns import ColumnNumbers
from balance.chance.dice.odds import Odds, exact_rows_of
from balance.chance.dice.text.parsing import check_rows, parse_families
from balance.chance.swing import show_swing

if TYPE_CHECKING:
    from balance.chance.dice import Family

MOST_PICTURES = 12
"""Distributions that a page draws."""
MOST_VALUES = 2_000
"""Values of a distribution that a page draws and lists."""


def view_of(text: str) -> dict[str, Any]:
    """Return what a page shows of expressions of dice, one per line of the text.

    It has `sentence`, `notes`, the `command` that says the same, `pictures` (each with its `label`, a line of `about`,
    and by place in its distribution the `names`, `chances`, `at_least` and `exactly`), and as `answer` the document of
    `--json`. Raise BalanceError where an expression makes no sense, or is too large to be exact.

    >>> view_of("2d6 >= 7")["sentence"]
    'Chance 58.33%, 7/12.'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    families = _read(lines)
    n_rows = sum(len(family.rows) for family in families)
    command = " ".join(["balance dice", *(_quoted(line) for line in lines)])
    try:
        rows = [odds for family in families for odds in exact_rows_of(family, n_rows)]
    except DistributionError as error:
        raise DistributionError(
            [Fault(fault.message, tip=f"simulate it: {command}") for fault in error.faults]
        ) from None
    pictures = [picture for odds in rows for picture in _pictures(odds)]
    dice = DiceOdds.of(families, rows)
    notes = [*dice.notes]
    if (n_left := len(pictures) - MOST_PICTURES) > 0:
        notes.append(f"{show_many(n_left, 'distribution')} more than are drawn here: {command}")
    return {
        "sentence": sentence(dice, Terms()),
        "notes": notes,
        "command": command,
        "pictures": pictures[:MOST_PICTURES],
        "answer": as_plain(dice),
    }


def _read(lines: Sequence[str]) -> list[Family]:
    if not lines:
        raise UsageError("there is nothing to tell the odds of", "type an expression, such as 3d6 keep 2")
    families = parse_families(lines)
    check_rows(families)
    return families


def _quoted(line: str) -> str:
    """Return an expression as a shell takes it."""
    return "'" + line.replace("'", "'\\''") + "'"


def _pictures(odds: Odds) -> Iterator[dict[str, Any]]:
    """Yield each distribution of an expression: a total or margin, each symbol, and who wins a contest."""
    if odds.kind == "chance":
        yield _results(odds.text, ["yes", "no"], [odds.chance(1), odds.chance(0)])
        return
    if odds.kind == "contest":
        yield _results(f"{odds.text}: who wins", list(RESULT_NAMES.values()), [*odds.results.values()])
    for numbers in odds.numbers:
        quantity = "margin" if odds.kind == "contest" else numbers.column
        yield {
            "label": odds.text if quantity == "total" else f"{odds.text}: {quantity}",
            "about": _about(numbers),
            "quantity": quantity,
            **_distribution(odds, numbers.column),
        }


def _results(label: str, names: list[str], chances: list[float]) -> dict[str, Any]:
    return {"label": label, "about": "", "quantity": "result", "names": names, "chances": chances}


def _about(numbers: ColumnNumbers) -> str:
    """Return mean, deviation, swing and quantiles of a distribution in a sentence."""
    low, middle, high = map(show_count, (numbers.q5, numbers.q50, numbers.q95))
    swing = f", swing {show_swing(numbers.swing)}" if numbers.swing is not None else ""
    spread = f"Mean {number_text(numbers.mean)}, deviation {number_text(numbers.sd)}{swing}"
    return f"{spread}; 5% up to {low}, half up to {middle}, 95% up to {high}."


def _distribution(odds: Odds, name: str) -> dict[str, Any]:
    chances, at_least = odds.chances(name), odds.tail_chances(name)
    values = sorted(sorted(chances, key=lambda value: -chances[value])[:MOST_VALUES])
    return {
        "names": [show_count(value) for value in values],
        "chances": [chances[value] for value in values],
        "at_least": [at_least[value] for value in values],
        "exactly": [short_fraction(odds, value, name) for value in values],
    }


def view_text(text: str) -> str:
    """Return what `view_of` gives as JSON, or what is wrong with the expressions as `faults`, a sentence each.

    >>> view_text("3d")
    '{"faults": ["3d^, the end: something is missing; allowed: faces: d6, d%, dF, d{0,1,1,2} or d{hit,-}"]}'
    """
    try:
        return json.dumps(view_of(text))
    except BalanceError as error:
        return json.dumps({"faults": [str(fault) for fault in error.faults]})
