"""The page of the dice language: an expression is answered while it is typed, by this package's own code.

Python itself, compiled to WebAssembly, is in the page with the modules that answer, so that no rule of the language is
told a second time, and what is typed never leaves the browser.
"""

from __future__ import annotations

from collections.abc import Sequence

from balance.chance.dice.reading import reading_of
from balance.chance.dice.text.parsing import parse_family
from balance.reporting.live.runtime import page_with_python

ROOMS = (
    "__init__.py",
    "base",
    "chance/budget.py",
    "chance/statistics.py",
    "chance/swing.py",
    "chance/trials/stopping.py",
    "chance/dice",
    "answers/blocks",
    "answers/form.py",
    "answers/words/dice",
)
"""What answers an expression, below `balance`."""
HOME = {"module": "balance.answers.words.dice.live", "function": "view_texts"}
"""The function that answers: a text to JSON, better and better."""


def odds_page(expressions: Sequence[str], examples: Sequence[str], version: str) -> str:
    """Return the text of one HTML file of about 9 MB that answers any expression; the same code gives the same text.

    It starts with `expressions`; `examples` show the language, each with how it is read; `version` is for its foot.
    """
    sheet = [(example, _reading(example)) for example in examples]
    return page_with_python("odds", ROOMS, HOME, version, expressions="\n".join(expressions), sheet=sheet)


def _reading(text: str) -> str:
    rows = parse_family(text).rows
    words = reading_of(rows[-1])
    return words if len(rows) == 1 else f"{len(rows)} rows, the last: {words}"
