"""Logs of games in public shapes, changed as people change them, each given to `rate`, `check` or `need`'s words."""

from __future__ import annotations

import random

from tests.hostile.commands import Case
from tests.hostile.kept_logs import changed_log

WORDS = (
    ("rate", "{}"),
    ("rate", "{}", "--json"),
    ("rate", "{}", "--out", "ratings.csv"),
    ("rate", "{}", "--brief", "--error", "5%"),
    ("check", "{}"),
    ("check", "{}", "--explain"),
)


def case(number: int) -> Case:
    """Return a command about a changed log."""
    name, content = changed_log(number)
    words = random.Random(number).choice(WORDS)
    return Case(number, tuple(word.format(name) for word in words), {name: content})
