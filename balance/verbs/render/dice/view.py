"""The odds of dice as a page in a browser draws them: sentences, bars and their numbers; no third-party package.

The page at `balance.reporting.live` runs this very module, and all that it imports, on Python in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.base.errors import BalanceError, DistributionError, Fault, UsageError
from balance.base.numbers import show_count, show_many
from balance.chance.dice.odds import exact_rows_of
from balance.chance.dice.text.parsing import check_rows, parse_families
from balance.chance.swing import show_swing
from balance.verbs.render.dice.json import as_document
from balance.verbs.render.dice.number_text import number_text, shown_mean
from balance.verbs.render.dice.sentences import RESULT_NAMES, sentence_of, short_fraction

if TYPE_CHECKING:
    from balance.chance.dice import Family, Odds

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
    notes = list(dict.fromkeys(note for odds in rows for note in odds.expression.notes))
    if (n_left := len(pictures) - MOST_PICTURES) > 0:
        notes.append(f"{show_many(n_left, 'distribution')} more than are drawn here: {command}")
    return {
        "sentence": sentence_of(rows),
        "notes": notes,
        "command": command,
        "pictures": pictures[:MOST_PICTURES],
        "answer": as_document(families, rows, [None] * len(rows)),
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
    expression = str(odds.expression)
    if odds.kind == "contest":
        names = [RESULT_NAMES[name] for name in odds.results]
        label = f"{expression}: who wins"
        yield {"label": label, "about": "", "quantity": "result", "names": names, "chances": [*odds.results.values()]}
    if odds.kind == "chance":
        chance = odds.chance(1)
        yield {
            "label": expression,
            "about": "",
            "quantity": "result",
            "names": ["yes", "no"],
            "chances": [chance, odds.chance(0)],
        }
        return
    for name in odds.columns:
        quantity = "margin" if odds.kind == "contest" else name
        yield {
            "label": expression if quantity == "total" else f"{expression}: {quantity}",
            "about": _about(odds, name),
            "quantity": quantity,
            **_distribution(odds, name),
        }


def _about(odds: Odds, name: str) -> str:
    """Return mean, deviation, swing and quantiles of a distribution in a sentence."""
    low, middle, high = odds.quantiles_of((5, 50, 95), name)
    spread = f"deviation {number_text(odds.sd_of(name))}"
    swing = odds.swing_of(name)
    swing_text = f", swing {show_swing(swing)}" if swing is not None else ""
    quantiles = f"5% up to {show_count(low)}, half up to {show_count(middle)}, 95% up to {show_count(high)}"
    return f"Mean {shown_mean(odds, name)}, {spread}{swing_text}; {quantiles}."


def _distribution(odds: Odds, name: str) -> dict[str, Any]:
    chances, at_least = odds.chances(name), odds.at_least_of(name)
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
