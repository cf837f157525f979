"""The unit of the numbers behind the texts of a column, and the ends of intervals that are written as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

Heading = tuple[str, float | None]
"""The text of a cell and the number behind it."""
_NUMBER = re.compile(r"[<>≈~±]?\s?([+−-]?[\d,]*\.?\d+)\s?(%|pp)?(?:\s?[±(].*)?")
_INTERVAL = re.compile(r"([+−-]?[\d.,]+)\s?(%|pp)? to ([+−-]?[\d.,]+)\s?(%|pp)?")
_NO_VALUES = ("", "–")


def unit_of_column(name: str, declared: str, cells: Sequence[Heading]) -> str:
    """Return the unit of a column's numbers, which what is written beside them decides.

    A number that is a hundredth of its text is a share, whatever the column is declared to hold; a number that is its
    text is none unless its column says so. `declared` is the unit as declared, or ""; `cells` are texts with their
    numbers.

    >>> unit_of_column("best, %", "", [("93", 0.928)]), unit_of_column("Mean hits", "share", [("1.33", 1.3333)])
    ('share', '')
    >>> unit_of_column("Score", "", [("64%", 64.3)]), unit_of_column("Rounds", "rounds", [("0", 0.0)])
    ('%', 'rounds')
    >>> unit_of_column("Gain", "share", [("+34.6 pp", 0.346)]), unit_of_column("95%", "", [("1% to 2%", None)])
    ('difference of shares', 'share')
    """
    is_percent = any("%" in (match[2] or "", match[match.re.groups]) for match in map(_match, cells) if match)
    share = "difference of shares" if any(map(_is_difference, cells)) else "share"
    scales = {scale for text, value in cells if (scale := _scale(text, value))}
    if scales == {"share"}:
        return share
    if scales == {"as written"}:
        return ("%" if is_percent or "%" in name else "") if declared in ("share", "") else declared
    return declared or (share if is_percent else "")


def _match(cell: Heading) -> re.Match[str] | None:
    return _NUMBER.fullmatch(cell[0]) or _INTERVAL.fullmatch(cell[0])


def _is_difference(cell: Heading) -> bool:
    text, value = cell
    if (match := _INTERVAL.fullmatch(text)) is not None:
        return bool(set("+−-") & {match[1][0], match[3][0]})
    match = _NUMBER.fullmatch(text)
    return match is not None and (match[2] == "pp" or match[1][0] in "+−-" or (value is not None and value < 0))


def _scale(text: str, value: float | None) -> str:
    """Return "share" for a number that is a hundredth of its text, "as written" for an equal one, else ""."""
    match = _NUMBER.fullmatch(text)
    if match is None or value is None or text[0] in "<>≈~":
        return ""
    shown = _number(match[1])
    rounding = 0.51 * 10.0 ** -len(match[1].partition(".")[2])
    is_share, is_written = abs(shown - 100 * value) <= rounding, abs(shown - value) <= rounding
    if is_share == is_written or abs(shown) < 2 * rounding:
        return ""
    return "share" if is_share else "as written"


def ends_of_column(cells: Sequence[Heading]) -> list[tuple[float, float] | None]:
    """Return the ends of the intervals that the texts of a column are; none unless all of them are intervals.

    Ends in per cent become shares, as the numbers of a page are.

    >>> ends_of_column([("62 to 66", None), ("–", None)]), ends_of_column([("40% to 60%", None)])
    ([(62.0, 66.0), None], [(0.4, 0.6)])
    >>> ends_of_column([("1 to 2", None), ("dice 2 to 3", None)])
    [None, None]
    """
    matches = [_INTERVAL.fullmatch(text) for text, _ in cells]
    others = [text for match, (text, _) in zip(matches, cells, strict=True) if match is None]
    if not any(matches) or any(text not in _NO_VALUES for text in others):
        return [None] * len(cells)
    return [None if match is None else _ends(match) for match in matches]


def _ends(match: re.Match[str]) -> tuple[float, float]:
    factor = 100 if match[4] else 1
    return _number(match[1]) / factor, _number(match[3]) / factor


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))
