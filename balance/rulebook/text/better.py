"""Which numbers of a unit are better, all else equal, and which keywords are better to have: the section `[better]`."""

from __future__ import annotations

import re
from dataclasses import replace

from balance.rulebook.text.book import Line, Rulebook, all_lines
from balance.rulebook.text.fields import Direction
from balance.rulebook.text.source import PRINTED, Source

BETTER = "better"
"""The section that says it."""
DIRECTIONS: tuple[Direction, ...] = ("more", "less")
KEYWORDS = "keywords"


def with_directions(source: Source, book: Rulebook) -> Rulebook:
    """Return a rulebook with the directions of its columns and its good keywords; a fault for each name that is none.

    Of the health more is better by itself, where the rules do nothing with it but to take from it.
    """
    source.known(BETTER, source.section(BETTER), (*DIRECTIONS, KEYWORDS))
    directions: dict[str, Direction] = {}
    for direction in DIRECTIONS:
        for name in _names(source, direction, book.numeric_fields, "is no column of numbers"):
            if directions.setdefault(name, direction) != direction:
                source.fault(f"{BETTER}.{direction}", "is better with more and with less", name)
    if _is_only_lost(book):
        directions.setdefault(book.health, "more")
    keywords = dict.fromkeys((*book.keywords, *book.card_keywords))
    return replace(
        book,
        fields=tuple(replace(field, better=directions.get(field.name, "")) for field in book.fields),
        good_keywords=_names(source, KEYWORDS, tuple(keywords), "is no keyword"),
    )


def _names(source: Source, key: str, names: tuple[str, ...], message: str) -> tuple[str, ...]:
    """Return a list of the section, without what is not among `names`, which is a fault."""
    value, place = source.section(BETTER).get(key, []), f"{BETTER}.{key}"
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        source.fault(place, "is no list of names", value, 'such as ["attacks", "wounds"]')
        return ()
    for name in value:
        if name not in names:
            source.unknown(place, name, names, message)
    return tuple(name for name in dict.fromkeys(value) if name in names)


def _is_only_lost(book: Rulebook) -> bool:
    """Return whether rules read the health of a unit only to set it, or as the score, and nobody aims by it."""
    is_aimed_at = book.armies.target in ("weakest", "strongest")
    return book.ends.out is None and not is_aimed_at and not any(_reads(line, book.health) for line in all_lines(book))


def _reads(line: Line, health: str) -> bool:
    """Return whether a line reads the health of a unit for anything but to set it; a Python function may."""
    if line.key == "ends.score" and line.text == f"me.{health}":
        return False
    names = re.findall(rf"\b(me|foe)\s*\.\s*({re.escape(health)}(?:{PRINTED})?)\b", line.text, re.IGNORECASE)
    return bool(line.python) or any(f"{side}.{name}".casefold() != line.name for side, name in names)
