"""The page of the dice language: an expression is answered while it is typed, by this package's own code.

Python itself, compiled to WebAssembly, is in the page with the modules that answer, so that no rule of the language is
told a second time, and what is typed never leaves the browser.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from balance.reporting.live.runtime import VERSION, packed, runtime_parts, source_archive
from balance.reporting.page.html import plain_colours, template, with_policy

ROOMS = (
    "__init__.py",
    "base",
    "chance/budget.py",
    "chance/statistics.py",
    "chance/swing.py",
    "chance/dice",
    "answers/blocks",
    "answers/form.py",
    "answers/words/dice",
)
"""What answers an expression, below `balance`."""
HOME = {"module": "balance.answers.words.dice.live", "function": "view_text"}
"""The function that answers: a text to JSON."""
TEMPLATES = "balance.reporting.live"
SCRIPT_SOURCES = "blob: 'wasm-unsafe-eval'"
"""Python is made by the page as it runs; nothing may come from elsewhere."""


def odds_page(expressions: Sequence[str], examples: Sequence[str], version: str) -> str:
    """Return the text of one HTML file of about 9 MB that answers any expression; the same code gives the same text.

    It starts with `expressions` and offers `examples`; `version` is for its foot.
    """
    from markupsafe import Markup

    parts = {**runtime_parts(), "balance.zip": packed(source_archive(ROOMS))}
    scripts = [Markup(template(name, TEMPLATES).render()) for name in ("live.js", "odds.js")]
    page = template("odds.html.j2", TEMPLATES).render(
        colours=Markup(plain_colours()),
        style=Markup(template("live.css", TEMPLATES).render()),
        expressions="\n".join(expressions),
        examples=examples,
        home=Markup(json.dumps(HOME)),
        worker=Markup(template("worker.js", TEMPLATES).render()),
        script=Markup("\n").join(scripts),
        parts=sorted(parts.items()),
        version=version,
        language=f"Python 3.14 in WebAssembly, by Pyodide {VERSION} (MPL 2.0)",
    )
    return with_policy(page + "\n", "worker-src blob:", script_sources=SCRIPT_SOURCES)
