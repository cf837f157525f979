"""From the text of one cell to a value, and back.

The same rules serve CSV files, workbooks and `--set`: a number may carry a decimal comma where commas do not separate
cells, a list is separated by `;`, `,` or `|`, ids and choices may be written as people write them.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import cache

from balance.base.errors import suggestion
from balance.base.limits import MOST_CELL_CHARACTERS
from balance.base.text import slug
from balance.catalogue.tables.columns import Column

Value = str | int | float | bool | None | tuple["Value", ...]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_GROUPED_DIGITS = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})+", re.ASCII)
_POINT_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+", re.ASCII)
_MONTHS = (
    "jan|gen|feb|mar|apr|may|mag|jun|giu|jul|lug|aug|ago|sept?|set|oct|ott|nov|dec|dic"
    "|january|gennaio|february|febbraio|march|marzo|april|aprile|maggio|june|giugno|july|luglio|august|agosto"
    "|september|settembre|october|ottobre|november|novembre|december|dicembre"
)
_MONTH = rf"({_MONTHS})\.?"
_DATE = re.compile(
    rf"\d{{1,4}}[-/ .]{_MONTH}([-/ .]\d{{1,4}})?|{_MONTH}[-/ .]\d{{1,4}}"
    r"|\d{4}-\d{1,2}-\d{1,2}([ t][\d:.]+)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}(:[\d.]+)?",
    re.ASCII | re.IGNORECASE,
)
_FLAGS = {"true": True, "yes": True, "1": True, "vero": True, "si": True}
_FLAGS |= {"false": False, "no": False, "0": False, "falso": False}
LIVE = r"^'*[=+\-@\t\r\n]"
"""How a text begins that a spreadsheet may take for a formula, or that has been guarded before."""
_LIVE = re.compile(LIVE)
PLAIN_NUMBER = r"^[+-]?([0-9]+([.,][0-9]+)?%?)?$"
"""A text that is a number or a lone sign: it computes nothing."""
_PLAIN_NUMBER = re.compile(PLAIN_NUMBER)
_DASHES = {"-", "–", "—"}
_HUGE = Decimal(10) ** 15


class BadCell(ValueError):  # noqa: N818 - a verdict on a cell, turned into a fault by whoever knows its place
    """A cell cannot be read; has the reason, a tip, of a list the word at fault, and what is allowed if known.

    A field's own validator may raise it too: `faults_of` uses its words.
    """

    def __init__(self, message: str, tip: str = "", word: str | None = None, allowed: str = "") -> None:
        super().__init__(message)
        self.message, self.tip, self.word, self.allowed = message, tip, word, allowed


def clean(text: str) -> str:
    """Return `text` in Unicode composed form (NFC) without spaces around it.

    >>> clean("  7 ")
    '7'
    """
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).strip()


def guard(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would compute it as a formula.

    >>> guard("=1+1"), guard("'=1+1"), guard("-1"), guard("x=1")
    ("'=1+1", "''=1+1", '-1', 'x=1')
    """
    return f"'{text}" if _LIVE.match(text) and not _PLAIN_NUMBER.fullmatch(text) else text


def unguard(text: str) -> str:
    """Return a text without the apostrophe that `guard` puts before it.

    >>> unguard("'=1+1"), unguard("-1"), unguard("'tis")
    ('=1+1', '-1', "'tis")
    """
    return text[1:] if text.startswith("'") and _LIVE.match(text) else text


def parse_cell(column: Column, text: str, *, comma: bool = False) -> Value:
    """Return the value of a cell: str, int, float, bool, a tuple of them, or None if empty and nullable.

    Ranges are left to the record; `comma` allows a decimal comma. `BadCell` if the text is no such value.

    >>> parse_cell(Column("speed", "speed", "integer"), "7,0", comma=True)
    7
    >>> parse_cell(Column("effects", "effects", "choice", is_list=True, choices=("rapid_fire",)), "Rapid Fire")
    ('rapid_fire',)
    >>> parse_cell(Column("piercing", "piercing", "integer", marks=(("*", 99),)), "*")
    99
    """
    text = clean(text)
    if len(text) > MOST_CELL_CHARACTERS:
        raise BadCell(f"is longer than {MOST_CELL_CHARACTERS:,} characters")
    if not text.isprintable() and any(unicodedata.category(c) in {"Cc", "Cs"} for c in text):
        raise BadCell("holds a control character", "write it on one line")
    if column.is_list:
        parts = [] if text in _DASHES else [part.strip() for part in re.split("[;,|]", text)]
        return tuple(_part(column, part, comma) for part in parts if part)
    marks = dict(column.marks)
    if text in marks:
        return marks[text]
    if not text:
        if column.nullable:
            return None
        raise BadCell("is empty")
    return _parse_one(column, text, comma)


def _part(column: Column, text: str, comma: bool) -> str | int | float | bool:
    """Return the value of one word of a cell; the `BadCell` of a list names that word."""
    try:
        return _parse_one(column, text, comma)
    except BadCell as bad:
        raise BadCell(bad.message, bad.tip, text) from None


def _parse_one(column: Column, text: str, comma: bool) -> str | int | float | bool:
    if column.kind == "choice" and (choice := _choices(column.words, column.choices).get(slug(text))) is not None:
        return choice
    if column.kind != "text" and _DATE.fullmatch(text):
        raise BadCell("looks like a date made by a spreadsheet", "format the column as text, then type the value again")
    match column.kind:
        case "integer":
            return _integer(text, comma)
        case "number":
            return _number(text, comma)
        case "flag":
            return _flag(text)
        case "choice":
            raise BadCell("is not a known choice", suggestion(slug(text), column.choices))
        case "id":
            if not (choice := slug(text)):
                raise BadCell("is not an id", "use letters, digits and underscores")
            return choice
        case _:
            return text


@cache
def _choices(words: tuple[tuple[str, str], ...], choices: tuple[str, ...]) -> dict[str, str]:
    return {slug(word): choice for word, choice in words} | {slug(choice): choice for choice in choices}


def _flag(text: str) -> bool:
    try:
        return _FLAGS[slug(text)]
    except KeyError:
        raise BadCell("is neither true nor false") from None


def _decimal(text: str, comma: bool) -> Decimal:
    if text.startswith("#"):
        raise BadCell("is a spreadsheet's error, not a number", "mend the formula, or type the value")
    plain = text.replace("−", "-")
    if comma and "," in plain and "." not in plain:
        plain = plain.replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        tip = "write decimals with a point here, and thousands without a separator" if "," in text else ""
        raise BadCell("is not a number", tip)
    return Decimal(plain)


def _integer(text: str, comma: bool) -> int:
    if _GROUPED_DIGITS.fullmatch(text):
        raise BadCell("is not a plain whole number", "write thousands without a separator")
    value = _decimal(text, comma)
    if abs(value) > _HUGE:
        raise BadCell("is out of range")
    if value != value.to_integral_value():
        raise BadCell("is not a whole number")
    return int(value)


def _number(text: str, comma: bool) -> float:
    if comma and _POINT_GROUPED.fullmatch(text):
        raise BadCell("may mean thousands or decimals", "write thousands without a separator, decimals with a comma")
    share = text.endswith("%")
    value = float(_decimal(text.removesuffix("%").strip(), comma))
    if abs(value) > 1e300:
        raise BadCell("is out of range")
    return value / 100 if share else value


def show_value(value: object) -> str:
    """Return a value as the text of a cell; `parse_cell` reads it back.

    >>> show_value(("heavy", "overload")), show_value(True)
    ('heavy;overload', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return ";".join(show_value(item) for item in value)
    return str(value)
