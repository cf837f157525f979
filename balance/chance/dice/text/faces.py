"""The faces between braces: `{0*3, 1*2, 2}` of numbers, `{hit, hit+flag, -}` of symbols; and families, `{1..8}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from balance.base.limits import MOST_DICE_FACES, MOST_DICE_ROWS, MOST_DICE_SYMBOLS, MOST_DICE_VALUE
from balance.chance.dice.text.tokens import DIGITS, WORDS, Reader, Token
from balance.chance.dice.tree import SHIFT

BLANKS = ("-", "blank")
_NUMBERS = re.compile(
    r"([+\-−]?[0-9]+)(?:\s*(?:\.\.|(?<=[0-9])-)\s*([+\-−]?[0-9]+))?(?:\s*[*x×]\s*([0-9]+))?", re.IGNORECASE
)
_FACE = re.compile(r"([^*×]*?)(?:\s*[*×]\s*([0-9]+))?")
_SYMBOL = re.compile(r"([0-9]*)\s*([^\W\d_]\w{0,29})")


def _pieces(token: Token) -> Iterator[tuple[str, int, int]]:
    """Yield the pieces between commas, each with its start and end in the whole text."""
    start = token.start + 1
    for piece in token.text[1:-1].split(","):
        begin = start + len(piece) - len(piece.lstrip())
        yield piece.strip(), begin, begin + max(1, len(piece.strip()))
        start += len(piece) + 1


def _whole(text: str | None, otherwise: int = 0) -> int:
    """Return a number, `otherwise` if there is none, and a number beyond every limit if it has too many digits."""
    if not text:
        return otherwise
    digits = text.replace("−", "-")
    return int(digits) if len(digits) <= DIGITS + 1 else MOST_DICE_VALUE + 1


def read_family(reader: Reader, token: Token) -> list[int]:
    """Return the values of a family `{1..8}`, `{1,2,4}` or both; [1], with a fault, where it is none.

    >>> read_family(Reader("{1..3,6}"), Token("braces", "{1..3,6}", 0, 8))
    [1, 2, 3, 6]
    """
    values: list[int] = []
    for text, start, end in _pieces(token):
        match = _NUMBERS.fullmatch(text)
        low, high = (_whole(match[1]), _whole(match[2], _whole(match[1]))) if match else (0, 0)
        if match is None or match[3]:
            reader.fault(start, end, "is no value of a family", "whole numbers and ranges, such as {1..8} or {1,2,4}")
        elif low < 0 or max(low, high) > MOST_DICE_VALUE or high < low:
            limits = f"ranges that rise, of whole numbers from 0 to {MOST_DICE_VALUE:,}"
            reader.fault(start, end, "is no range of a family", limits)
        elif high - low >= MOST_DICE_ROWS or len(values) + high - low >= MOST_DICE_ROWS:
            reader.fault(start, end, "asks for too many rows", f"at most {MOST_DICE_ROWS}")
        else:
            values += range(low, high + 1)
    return list(dict.fromkeys(values)) or [1]


def read_faces(reader: Reader, token: Token, symbols: list[str]) -> tuple[tuple[int, int], ...]:
    """Return the faces of a die as (value, number of faces); new symbols are appended to `symbols`.

    >>> read_faces(Reader("{0*3,1}"), Token("braces", "{0*3,1}", 0, 7), [])
    ((0, 3), (1, 1))
    """
    before, faces = len(reader.fault_at), dict[int, int]()
    pieces = list(_pieces(token))
    if all(_NUMBERS.fullmatch(text) or text in ("-", "−") for text, _, _ in pieces) and any(
        text not in ("-", "−", "0") for text, _, _ in pieces
    ):
        for text, start, end in pieces:
            _numbers(reader, faces, text, start, end)
    else:
        for text, start, end in pieces:
            _symbols(reader, faces, symbols, text, start, end)
    if not faces and len(reader.fault_at) == before:
        reader.fault(token.start, token.end, "has no face")
    if sum(faces.values()) > MOST_DICE_FACES:
        reader.fault(token.start, token.end, "has too many faces", f"at most {MOST_DICE_FACES:,}")
    return tuple(sorted(faces.items())) or ((0, 1),)


def _numbers(reader: Reader, faces: dict[int, int], text: str, start: int, end: int) -> None:
    """Add one piece (a number, a blank or a range, perhaps with `*n`) to `faces`; else record a fault."""
    match = _NUMBERS.fullmatch(text)
    low, high, times = (
        (_whole(match[1]), _whole(match[2], _whole(match[1])), _whole(match[3], 1)) if match else (0, 0, 1)
    )
    if max(abs(low), abs(high)) > MOST_DICE_VALUE or high < low:
        limits = f"whole numbers to {MOST_DICE_VALUE:,} either way, ranges that rise"
        reader.fault(start, end, "is no face", limits)
    elif not 1 <= times <= MOST_DICE_FACES or high - low >= MOST_DICE_FACES:
        reader.fault(start, end, "is no number of faces", f"1 to {MOST_DICE_FACES:,}")
    else:
        for value in range(low, high + 1):
            faces[value] = faces.get(value, 0) + times


def _symbols(reader: Reader, faces: dict[int, int], symbols: list[str], text: str, start: int, end: int) -> None:
    """Add one piece of symbols joined by +, or a blank, to `faces`, packed as one number; else record a fault."""
    if not text:
        reader.fault(start, start, "a face is missing", "", "- is a blank one")
        return
    match = _FACE.fullmatch(text)
    times = _whole(match[2], 1) if match else 0
    if match is None or not 1 <= times <= MOST_DICE_FACES:
        reader.fault(
            start, end, "is no face", "such as 2, 0*3, hit, hit+flag, 2 hit, hit*2 for two faces, - for a blank"
        )
        return
    value = 0
    for part in [] if match[1].casefold() in (*BLANKS, "0", "−") else match[1].split("+"):
        part_match = _SYMBOL.fullmatch(part.strip())
        n_symbols = _whole(part_match[1], 1) if part_match else 0
        if part_match is None or not 1 <= n_symbols <= MOST_DICE_SYMBOLS:
            piece = part.strip()
            limits = f"a number, a name of letters and digits, {MOST_DICE_SYMBOLS} of it at most, or - for a blank"
            reader.fault(
                start, end, f"holds {piece[:40]!r}, which is no face" if piece != text else "is no face", limits
            )
            return
        value += n_symbols << SHIFT * _place(reader, symbols, part_match[2].casefold(), start, end)
    faces[value] = faces.get(value, 0) + times


def _place(reader: Reader, symbols: list[str], name: str, start: int, end: int) -> int:
    """Return the index of a symbol, appended if it is new; words of the language, and too many symbols, are faults."""
    if name in WORDS:
        reader.fault(start, end, "holds a word of expressions", "", f"call {name!r} something else, such as {name}_")
    if name not in symbols:
        if len(symbols) == MOST_DICE_SYMBOLS:
            reader.fault(start, end, "is one symbol too many", f"at most {MOST_DICE_SYMBOLS} kinds")
            return 0
        symbols.append(name)
    return symbols.index(name)
