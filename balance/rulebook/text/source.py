"""The text of a game file as values with places, and every fault met in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unicodedata import category

from balance.base.errors import Fault, unknown
from balance.base.limits import MOST_DICE_CHARACTERS, MOST_FAULTS, MOST_NAMED
from balance.catalogue.tables.columns import Locate
from balance.chance.dice.text.tokens import WORDS
from balance.rulebook.text.book import Line
from balance.rulebook.text.fields import MOST

NAME = "small letters, digits and _, a letter first, at most 40"
_NAME = re.compile(r"[^\W\d_]\w{0,39}")
_DIE = re.compile(r"d\d+")
MORE_WORDS = frozenset(("if", "and", "or", "not", "gives", "else", "to", "up", "each", "from", "less", "failing", "by"))
"""Words between expressions, beside those of the language of dice."""
SIDES = ("me", "foe")
MOST_TITLE = 80
"""Characters of the title of a game or of the name of an army: what stands in a headline."""
MOST_NAMES, MOST_LINES = 500, 1000
"""Names in one section, and expressions of a game: its longest has some fifty."""
OWN_NAMES = frozenset((*SIDES, "round"))
"""Names that mean something in every step."""
OWN_FIELDS = frozenset(("attacker", "units"))
"""What follows `me.` and `foe.` without standing on a card."""
PRINTED = "_at_start"
"""What follows the name of a field for its printed value."""
FREE_WORDS = frozenset(("hits",))
"""Words of the language of dice that are names as well: only together with others they are words."""


def is_word(name: str) -> bool:
    """Return whether a name is a word of the dice language, which no step or number may have as its name.

    >>> is_word("keep"), is_word("d6"), is_word("wounds")
    (True, True, False)
    """
    return name not in FREE_WORDS and (name in WORDS or name in MORE_WORDS or _DIE.fullmatch(name) is not None)


def is_name(name: str) -> bool:
    """Return whether a text is a legal name in a game file: lower case, no spaces, a letter first.

    >>> is_name("to_wound"), is_name("To wound"), is_name("2nd")
    (True, False, False)
    """
    return _NAME.fullmatch(name) is not None and name == name.casefold()


@dataclass
class Source:
    """What a game file holds, and what is wrong with it.

    `data`: the content as TOML gives it. `locate`: returns the place of a dotted key. `faults`: grows by one for each
    thing wrong, up to `MOST_FAULTS`. `n_lines`: expressions read so far.
    """

    path: Path
    data: Mapping[str, Any]
    locate: Locate
    faults: list[Fault] = field(default_factory=list)
    n_lines: int = 0

    def fault(self, key: str, message: str, value: object = None, legal_text: str = "", tip: str = "") -> None:
        """Record a fault at a dotted key; `value` is what was found, if not None, `legal_text` what is allowed."""
        if len(self.faults) >= MOST_FAULTS:
            return
        place = self.locate(key)
        text = show(value) if value is not None else None
        self.faults.append(Fault(message, place.path, place.row, key, text, legal_text, tip))

    def unknown(self, key: str, name: str, names: Collection[str], message: str = "is unknown") -> None:
        """Record a fault for a name that is not allowed, with the nearest that is."""
        if len(self.faults) >= MOST_FAULTS:
            return
        place = self.locate(key)
        self.faults.append(unknown(name, names, message, place.path, place.row, key))

    def known(self, key: str, table: Mapping[str, Any], names: Collection[str]) -> None:
        """Record a fault for each key of a table that is not among `names`; an empty `key` is the file itself."""
        for name in table:
            if name not in names:
                self.unknown(f"{key}.{name}" if key else name, name, names)

    def row(self, key: str) -> int | None:
        """Return the line of a dotted key, counted from 1."""
        return self.locate(key).row

    def table(self, key: str, value: object, legal_text: str = "a [table] of keys") -> Mapping[str, Any]:
        """Return a table; an empty one, with a fault, for any other value or too many names."""
        if not isinstance(value, Mapping):
            self.fault(key, "is not a table", value, legal_text)
            return {}
        most = MOST_NAMED if key == "units" else MOST_NAMES
        if len(value) > most:
            self.fault(key, f"holds {len(value):,} names", legal_text=f"at most {most:,}")
            return {}
        return value

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a section of the file, empty if it is missing."""
        return self.table(name, self.data.get(name, {}), f"a section [{name}]")

    def whole(self, key: str, value: object, low: int = -MOST, high: int = MOST) -> int | None:
        """Return an integer from `low` to `high`; None with a fault for anything else."""
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            is_number = isinstance(value, int) and not isinstance(value, bool)
            message = "is out of range" if is_number else "is not a whole number"
            self.fault(key, message, value, f"a whole number from {low} to {high}")
            return None
        return value

    def title(self, key: str, value: object) -> str | None:
        """Return a text of at most `MOST_TITLE` characters; None with a fault for anything else."""
        text = self.text(key, value)
        if text is not None and len(text) > MOST_TITLE:
            self.fault(key, f"has {len(text):,} characters", text[:20] + "…", f"at most {MOST_TITLE}")
            return None
        return text

    def text(self, key: str, value: object, legal_text: str = "a text in double quotes") -> str | None:
        """Return a text that is not blank, stripped; None with a fault for anything else or control characters."""
        if isinstance(value, str) and value.strip():
            if any(category(character) in {"Cc", "Cs"} and character not in "\t\r\n" for character in value):
                self.fault(key, "holds a control character", value)
                return None
            return value.strip()
        is_empty = isinstance(value, str)
        self.fault(key, "is empty" if is_empty else "is not a text", None if is_empty else value, legal_text)
        return None

    def choice(self, key: str, value: object, names: Collection[str], usual: str) -> str:
        """Return one of `names`; `usual` with a fault for anything else."""
        if isinstance(value, str) and value in names:
            return value
        if isinstance(value, str):
            self.unknown(key, value, names, "is not allowed")
        else:
            self.fault(key, "is not allowed", value, ", ".join(names))
        return usual

    def name(self, key: str, name: str, bare: bool = True) -> bool:
        """Return whether a name is legal, with a fault if not.

        A `bare` name stands alone in expressions, not after `me.`, and so must not be a word of the dice language.
        """
        if not is_name(name):
            self.fault(key, "cannot be a name", name, NAME)
        elif bare and (is_word(name) or name in OWN_NAMES):
            self.fault(key, "has a meaning of its own in expressions", name, tip=f"try the_{name} or {name}s")
        else:
            return True
        return False

    def line(self, key: str, name: str, value: object) -> Line | None:
        """Return an expression, or the Python function in its place, as a line; None with a fault for anything else."""
        place = self.locate(key)
        if isinstance(value, Mapping) and set(value) == {"python"}:
            python = self.text(f"{key}.python", value["python"], "package.module:function")
            return None if python is None else Line(name, "", key, place.path, place.row, python)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        text = self.text(key, value, 'an expression in double quotes, such as "me.attacks d6 count 4+"')
        if text is not None and len(text) > MOST_DICE_CHARACTERS:
            self.fault(key, f"has {len(text):,} characters", legal_text=f"at most {MOST_DICE_CHARACTERS:,}")
            return None
        self.n_lines += 1
        if self.n_lines == MOST_LINES + 1:
            self.fault(key, f"is one expression too many for a game: at most {MOST_LINES:,} are read")
        if self.n_lines > MOST_LINES:
            return None
        return None if text is None else Line(name, text, key, place.path, place.row)

    def lines(self, key: str, table: Mapping[str, Any], without: Collection[str] = ()) -> tuple[Line, ...]:
        """Return the steps of a section in the order of the file, except the keys `without`.

        `foe.wounds` may be quoted or not.
        """
        lines: dict[str, Line] = {}
        for name, value in _flat({name: value for name, value in table.items() if name not in without}):
            line_key = f"{key}.{name}"
            if name in lines:
                self.fault(line_key, "is set twice")
            elif self.step_name(line_key, name) and (line := self.line(line_key, name, value)) is not None:
                lines[name] = line
        return tuple(sorted(lines.values(), key=lambda line: line.row or 0))

    def step_name(self, key: str, name: str) -> bool:
        """Return whether a name may be that of a step, `hits`, or a value to set, `foe.wounds`; a fault if not."""
        side, dot, field_name = name.partition(".")
        if not dot:
            return self.name(key, name)
        if side not in SIDES:
            self.unknown(key, side, SIDES, "is no unit")
            return False
        return self.name(key, field_name, bare=False)


def _flat(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (name, value), with the names of nested tables joined by a point."""
    for name, value in table.items():
        if isinstance(value, Mapping) and set(value) != {"python"}:
            yield from ((f"{name}.{inner}", inner_value) for inner, inner_value in value.items())
        else:
            yield name, value


def show(value: object) -> str:
    """Return a value as TOML writes it, at most 80 characters; a table is just "a table".

    >>> show(True), show([1, 2]), show({"a": 1})
    ('true', '[1, 2]', 'a table')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return "a table" if isinstance(value, Mapping) else str(value)[:80]
