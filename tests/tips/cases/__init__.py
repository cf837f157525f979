"""The cases, a file for each room; `balance/chance/dice` has `dice.py`, and so on."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.tips.following import Case

WORDS_OF_NAME = 6


@cache
def cases() -> dict[str, Case]:
    """Return every case by its name: its file and the first words of its tip."""
    named: dict[str, Case] = {}
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        times: Counter[str] = Counter()
        for case in import_module(f"{__name__}.{path.stem}").CASES:
            words = re.findall(r"[A-Za-z0-9]+", case.tip)[:WORDS_OF_NAME]
            name = f"{path.stem}: {' '.join(words)}"
            times[name] += 1
            named[f"{name} ({times[name]})" if times[name] > 1 else name] = case
    return named
