"""A game for the plain lane, from the text of its rules and a table of its units, with every fault of both."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError
from balance.catalogue.tables.cells import guard
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.files import read_text
from balance.catalogue.tables.toml_file import read_toml, with_lines, without_key
from balance.rulebook.play.rules import AT_START, Rules, faults_of_rules, ready_rules
from balance.rulebook.text import Rulebook
from balance.rulebook.text.book import all_lines
from balance.rulebook.text.columns import read_columns
from balance.rulebook.text.reading import draft_of, in_order, read_game_file
from balance.rulebook.text.source import Source
from balance.rulebook.text.units import units_of

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
UNITS = "units"
"""What stands for the table of units as the place of a fault."""
NO_PYTHON = "is a Python function: a game with one is played by the command alone"


@dataclass(frozen=True)
class Card:
    """A unit as its row has it: its numbers and texts by column."""

    id: str
    name: str
    cost_points: int
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    keywords: frozenset[str]


@dataclass(frozen=True, eq=False)
class PlainGame:
    """Rules and units of a game; `fields` are the columns of its units in the order of the file.

    `fights`: those that were asked for, by what tells them apart.
    """

    book: Rulebook
    rules: Rules
    cards: Mapping[str, Card]
    fields: tuple[str, ...]
    fights: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The numbers and options in force, by name."""
        return {**self.book.numbers, **{name: option.value for name, option in self.book.options.items()}}

    @cached_property
    def is_even_handed(self) -> bool:
        """Whether both sides act in turn by the same rules, whoever is called a."""
        names = {name.partition(".")[2] for name in self.rules.names}
        return self.book.turns.order in ("alternate", "activations") and "attacker" not in names

    def printed(self, card: Card, name: str) -> int:
        """Return a number of a card: a field, the start of a token, or 1 or 0 for a keyword."""
        name = name.removesuffix(AT_START)
        return self.book.tokens.get(name, card.numbers.get(name, int(name in card.keywords)))


def split_file(path: Path) -> tuple[str, list[list[str]]]:
    """Return a game file in two parts: its rules as they are written, and its units as a table of texts, header first.

    `CatalogueError` if the form of the file is unsound.
    """
    units = read_game_file(path).units
    names = ["id", "name", "cost_points", *(unit_field.name for unit_field in units.fields), "keywords"]
    usual = {"cost_points": 0, "keywords": ()}
    rows = [[_text_of((usual | dict(unit)).get(name, "")) for name in names] for unit in units.entries]
    return without_key(read_text(path), UNITS), [names, *rows]


def _text_of(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)


def joined_file(rules_text: str, table: Sequence[Sequence[str]]) -> str:
    """Return a whole game file: the rules with their units as a table that is drawn."""
    texts = "".join(cell for row in table for cell in row)
    if len(table[0]) < 2 or any(mark in texts for mark in "|\r\n"):
        file = StringIO()
        csv.writer(file, lineterminator="\n").writerows([[guard(cell) for cell in row] for row in table])
        lines = file.getvalue().rstrip("\n")
    else:
        edge = "" if all(row and row[0].strip() for row in table) else "| "  # or a blank cell would be one
        widths = [max(map(len, cells)) for cells in zip_longest(*table, fillvalue="")]
        rows = [" | ".join(map(str.ljust, row, widths)).rstrip() for row in table]
        lines = "\n".join(f"{edge}{row}" for row in rows)
    escaped = lines.replace("\\", "\\\\").replace('"""', '""\\"')
    return with_lines(rules_text, f'{UNITS} = """\n{_CONTROL.sub(_as_escaped, escaped)}\n"""')


def _as_escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def read_plain(rules_text: str, table: Sequence[Sequence[str]], file_name: str) -> PlainGame:
    """Return the game of a file whose units stand in a table of their own, header first.

    `CatalogueError` with every fault: rows of the rules are lines of `rules_text`, those of units rows of the table.
    """
    path = Path(file_name)
    source = Source(path, *read_toml(rules_text, path))
    rows = tuple((number, tuple(cells)) for number, cells in enumerate(table or [["id"]], start=1))
    units = units_of(source, read_columns(source), RawTable(UNITS, rows))
    draft = draft_of(source, units)
    python = [line.fault(NO_PYTHON, line.python) for line in all_lines(draft.rulebook) if line.python]
    if python:
        raise CatalogueError(python)
    if draft.faults:
        raise CatalogueError(in_order([*draft.faults, *faults_of_rules(draft)]))
    fields = tuple(unit_field.name for unit_field in draft.rulebook.fields)
    cards = {card.id: card for card in map(_card, units.entries)}
    return PlainGame(draft.rulebook, _rules(draft.rulebook), cards, fields)


@lru_cache(maxsize=4)
def _rules(book: Rulebook) -> Rules:
    """Return the rules of a book, the same with all laws known so far where units alone have changed."""
    return ready_rules(book)


def _card(values: Mapping[str, Any]) -> Card:
    own = {name: value for name, value in values.items() if name not in ("id", "name", "cost_points", "keywords")}
    numbers = {name: value for name, value in own.items() if isinstance(value, int)}
    texts = {name: value for name, value in own.items() if isinstance(value, str)}
    keywords = frozenset(values.get("keywords", ()))
    return Card(values["id"], values["name"], values.get("cost_points", 0), numbers, texts, keywords)
